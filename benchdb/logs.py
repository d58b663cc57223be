"""The format of log lines: plain for people, or JSON objects with the ids of request, run and task for programs.

The ids are structlog's context variables, so the lines of all libraries carry them.
"""

from __future__ import annotations

import logging
import re

import structlog
from structlog.typing import EventDict, WrappedLogger

# Secrets in addresses: the token of a link for a password, and the key of a feed. nginx has them, too (deploy/nginx).
_SECRETS = re.compile(r"""(/login/forgotten/[^/\s]*/|/feed/)[^/\s"']+""")


def as_json() -> logging.Formatter:
    """A formatter that writes each line as a JSON object."""
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.stdlib.ExtraAdder(),
            structlog.processors.TimeStamper(fmt="iso", utc=True),
        ],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            _serialisable,
            structlog.processors.JSONRenderer(ensure_ascii=False),
            lambda _logger, _method, line: _masked(str(line)),
        ],
    )


def _serialisable(_logger: WrappedLogger, _method: str, line: EventDict) -> EventDict:
    """Drop values that JSON cannot represent, such as the requests and sockets in Django's records."""
    return {name: value for name, value in line.items() if isinstance(value, str | int | float | bool | None)}


class Plain(logging.Formatter):
    """A formatter that writes lines for people."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        return _masked(super().format(record))


def _masked(line: str) -> str:
    return _SECRETS.sub(r"\1***", line)


def configuration(kind: str) -> dict[str, object]:
    """Django's LOGGING; `kind` is "plain" or "json"."""
    loggers: dict[str, dict[str, object]] = {
        "django.db.backends": {"level": "INFO"},
        "django.server": {"propagate": False},
    }
    if kind != "json":
        loggers["benchdb.request"] = {"level": "WARNING"}  # plain logs omit the line for every request
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"plain": {"()": Plain, "fmt": "%(levelname)s %(name)s: %(message)s"}, "json": {"()": as_json}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": kind}},
        "root": {"handlers": ["stderr"], "level": "INFO"},
        "loggers": loggers,
    }

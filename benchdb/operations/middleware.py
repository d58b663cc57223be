"""Gives every request an id, a log line and a place in the metrics, and answers the probes."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Mapping
from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from structlog.contextvars import bind_contextvars, clear_contextvars

from . import probes
from .metrics import observe

log = logging.getLogger("benchdb.request")

HEADER = "X-Request-ID"
_SANE = re.compile(r"[\w.:/+=-]{8,128}", re.ASCII)
UNKNOWN_VIEW = "none"  # the view of an unknown address


class Observed:
    """Accepts a well-formed `X-Request-ID` or makes an id, and returns it with the response."""

    def __init__(self, respond: Callable[[HttpRequest], HttpResponse]) -> None:
        self.respond = respond

    def __call__(self, request: HttpRequest) -> HttpResponse:
        started = time.perf_counter()
        sent_id = request.headers.get(HEADER, "")
        request_id = sent_id if _SANE.fullmatch(sent_id) else uuid4().hex
        clear_contextvars()  # a thread serves one request after another
        bind_contextvars(request_id=request_id)
        probe = probes.ADDRESSES.get(request.path_info)
        response = self.respond(request) if probe is None else probe(request)
        response[HEADER] = request_id
        if probe is None:
            _record(request, response, time.perf_counter() - started)
        return response

    def process_view(self, request: HttpRequest, view: object, args: object, kwargs: Mapping[str, object]) -> None:
        """Django's hook before a view: bind the id of the run, for log lines."""
        if "run_id" in kwargs:
            bind_contextvars(run_id=str(kwargs["run_id"]))


def _record(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    match = request.resolver_match
    view = (match.view_name if match else None) or UNKNOWN_VIEW
    observe(view, request.method or "", response.status_code, seconds)
    if log.isEnabledFor(logging.INFO):
        # Without the query string, which may hold a reader's search terms.
        log.info(
            "answered",
            extra={
                "method": request.method,
                "path": request.path,
                "view": view,
                "status": response.status_code,
                "seconds": round(seconds, 6),
            },
        )

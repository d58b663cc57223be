"""Readers of benchmark tools' output: text in, results out. Pure functions, used by agent and server alike.

A format is a module with ``TOOL`` (its name), ``recognises(text)`` and ``parse(text, parser_version)``. To add one,
write the module and put it into FORMATS.
"""

from __future__ import annotations

from typing import Protocol

from benchagent.formats import bonnie, fsload, iozone
from benchagent.formats.model import FormatError, Parsed, Result

# Raise it whenever a parser reads the same text differently: `manage.py reparse --all` then reads the kept texts again.
PARSER_VERSION = "1"


class Format(Protocol):
    """What a format module offers."""

    TOOL: str

    def recognises(self, text: str) -> bool: ...

    def parse(self, text: str, parser_version: str) -> Parsed: ...


FORMATS: tuple[Format, ...] = (iozone, bonnie, fsload)

__all__ = ["FORMATS", "PARSER_VERSION", "FormatError", "Parsed", "Result", "parse"]


def parse(text: str, tool: str | None = None) -> Parsed:
    """Read a tool's output. Without ``tool`` the text itself tells which tool it is from.

    Raises FormatError, with line and column, where the text cannot be read, or not without guessing.
    """
    for form in FORMATS:
        if tool == form.TOOL or (tool is None and form.recognises(text)):
            return form.parse(text, PARSER_VERSION)
    known = ", ".join(form.TOOL for form in FORMATS)
    if tool is not None:
        raise FormatError(f"no format is named {tool}; we read {known}")
    raise FormatError(f"this is no output of a tool we read: {known}")

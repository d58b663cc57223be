"""A database that was passed on as text, which destroys it."""

from __future__ import annotations

from benchagent.formats.model import FormatError, Parsed


def recognises(text: str) -> bool:
    return text.startswith("SQLite format 3")


def parse(text: str, parser_version: str) -> Parsed:
    """Raises FormatError always."""
    raise FormatError("fsperf writes a database: use the file fsperf-results.db itself, no text")

"""LKP's `avg.json` and `stddev.json`: they look like `stats.json`; only their names say what they are."""

from __future__ import annotations

from benchagent.formats.companions import base_name
from benchagent.formats.model import FormatError, Parsed

from . import reader

TOOL = reader.TOOL
_CONTENTS = {"avg.json": "means", "stddev.json": "standard deviations"}


def is_name(name: str) -> bool:
    return base_name(name) in _CONTENTS


def recognises(text: str, name: str | None) -> bool:
    return name is not None and is_name(name) and reader.recognises(text)


def parse(text: str, name: str | None, version: str | None, parser_version: str) -> Parsed:
    """Raises FormatError always: the values themselves are in another file."""
    contents = _CONTENTS[base_name(name)] if name is not None and is_name(name) else "no values"
    raise FormatError(f"LKP's {base_name(name or '')} has {contents} of several runs; matrix.json has their values")

"""Readers of benchmark tools' output: text in, results out. Pure functions, used by agent and server alike.

A format is a module with ``TOOL`` (its name), ``recognises(text)`` and ``parse(text, parser_version)``. To add one,
write the module and put it into FORMATS. What is no text (a spreadsheet) has a module of its own in BINARY_FORMATS.
"""

from __future__ import annotations

import codecs
from dataclasses import replace
from typing import Protocol

from benchagent.formats.bonnie import original as bonnie_original
from benchagent.formats.bonnie import reader as bonnie
from benchagent.formats.ffsb import reader as ffsb
from benchagent.formats.filebench import reader as filebench
from benchagent.formats.fio import reader as fio
from benchagent.formats.fsload import reader as fsload
from benchagent.formats.ior import reader as ior
from benchagent.formats.iozone import reader as iozone
from benchagent.formats.iozone import workbook as iozone_workbook
from benchagent.formats.mdtest import reader as mdtest
from benchagent.formats.postmark import reader as postmark
from benchagent.formats.reading.collect import uncollected
from benchagent.formats.reading.definitions import what_it_is
from benchagent.formats.reading.prefix import Part, parts
from benchagent.formats.timing import reader as timing

from . import dbench, fdtree, geriatrix
from .model import FormatError, Parsed, Result

# Raise it whenever a parser reads the same text differently: `manage.py reparse --all` then reads the kept texts again.
PARSER_VERSION = "2"
MOST_LINES = 3_000_000  # of short lines readers would need gigabytes


class Format(Protocol):
    """What a format module offers."""

    TOOL: str

    def recognises(self, text: str) -> bool: ...

    def parse(self, text: str, parser_version: str) -> Parsed: ...


class BinaryFormat(Protocol):
    """A tool's output that is no text; lines count as its parser says."""

    TOOL: str

    def recognises(self, data: bytes) -> bool: ...

    def parse(self, data: bytes, parser_version: str) -> Parsed: ...


FORMATS: tuple[Format, ...] = (
    iozone,
    bonnie,
    bonnie_original,
    fsload,
    fio,
    ffsb,
    filebench,
    fdtree,
    geriatrix,
    dbench,
    ior,
    mdtest,
    postmark,
    timing,  # the last: whatever ran may have been timed
)

BINARY_FORMATS: tuple[BinaryFormat, ...] = (iozone_workbook,)

__all__ = ["BINARY_FORMATS", "FORMATS", "PARSER_VERSION", "FormatError", "Parsed", "Result", "decoded", "parse"]


def parse(text: str | bytes, tool: str | None = None) -> Parsed:
    """Read a tool's output. Without ``tool`` the text itself tells which tool it is from.

    Bytes are a file as it is: a spreadsheet, or text in UTF-8 or what its byte order mark says. Raises FormatError,
    with line and column, where the text cannot be read, or not without guessing.
    """
    formats = [form for form in FORMATS if tool in (None, form.TOOL)]
    if not formats:
        raise FormatError(f"no format is named {tool}; we read {_known()}")
    if isinstance(text, bytes):
        for binary in BINARY_FORMATS:
            if tool in (None, binary.TOOL) and binary.recognises(text):
                return binary.parse(text, PARSER_VERSION)
        text = decoded(text)
    text = text.replace("\x00", "\ufffd")  # what no database and no page can hold
    if text.count("\n") > MOST_LINES:
        raise FormatError(f"a text of more than {MOST_LINES:,} lines, which no tool prints; split it")
    with uncollected():
        found = parts(text, lambda part: any(form.recognises(part) for form in formats))
        return _together([_parse(part, formats, tool) for part in found], found)


def decoded(data: bytes) -> str:
    """The text of a file. What is no UTF-8 becomes U+FFFD; PowerShell writes UTF-16 with a byte order mark."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8-sig", "replace")


def _parse(part: Part, formats: list[Format], tool: str | None) -> Parsed:
    for form in formats:
        if tool or form.recognises(part.text):
            try:
                return _with_others(form.parse(part.text, PARSER_VERSION), formats)
            except FormatError as error:
                raise FormatError(error.message, error.line, error.column + part.removed.get(error.line, 0)) from None
    if found := what_it_is(part.text):
        raise FormatError(f"this is {found}")
    raise FormatError(f"this is no output of a tool we read: {_known()}")


def _with_others(parsed: Parsed, formats: list[Format]) -> Parsed:
    """With a warning where lines that were not read may be another tool's."""
    unread = "\n".join(line for _, line in parsed.unread)
    others = [form.TOOL for form in formats if unread and parsed.tool != form.TOOL and form.recognises(unread)]
    told = tuple(f"there is output of {other} too: read that with --tool {other}" for other in others)
    return replace(parsed, warnings=(*parsed.warnings, *told)) if told else parsed


def _together(parsed: list[Parsed], found: list[Part]) -> Parsed:
    """What several sources printed, as one: each result says its source in its params."""
    if found[0].source is None:
        return parsed[0]
    tools = sorted({each.tool for each in parsed})
    if len(tools) > 1:
        raise FormatError(f"the sources' lines are of several tools, {', '.join(tools)}: split the text by tool")
    return replace(
        parsed[0],
        results=tuple(
            replace(result, params={**result.params, "source": part.source or ""})
            for each, part in zip(parsed, found)
            for result in each.results
        ),
        warnings=tuple(f"{part.source}: {warning}" for each, part in zip(parsed, found) for warning in each.warnings),
        complete=all(each.complete for each in parsed),
        unread=tuple(sorted(line for each in parsed for line in each.unread)),
    )


def _known() -> str:
    return ", ".join(form.TOOL for form in FORMATS)

"""Reads a text again without what a reader could not take: remarks behind rows, and lines that it refuses."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from .model import FormatError, Parsed
from .reading.text import split_lines

Parse = Callable[[str], Parsed]

# Words behind a row: `… 2.1ms/op  <- after the upgrade`, `… # cached`.
_REMARK = re.compile(r"(?<=\S)[ \t]{1,200}(?:#|//|<[-=]|←|\(|\*|!|;|--[- ])[^\n]{0,200}$")
_MOST_REMARKS = 10_000
_MOST_FAULTS = 5


def without_remarks(text: str, parsed: Parsed, parse: Parse) -> Parsed:
    """The text read without the remarks behind lines that were not read; the same if that gives no other numbers.

    The remarks stay listed as not read.
    """
    if not parsed.unread:
        return parsed
    lines = text.split("\n")
    remarks: dict[int, str] = {}
    for number in dict.fromkeys(number for number, _ in parsed.unread[:_MOST_REMARKS]):
        if match := _REMARK.search(lines[number - 1].rstrip("\r")):
            remarks[number] = match[0].strip()
            lines[number - 1] = lines[number - 1][: match.start()]
    if not remarks:
        return parsed
    try:
        plain = parse("\n".join(lines))
    except FormatError:
        return parsed
    if len(plain.unread) >= len(parsed.unread) or _values(plain) == _values(parsed):
        return parsed
    still = {number for number, _ in plain.unread}
    found = [(number, remark) for number, remark in remarks.items() if number not in still]
    return replace(plain, unread=tuple(sorted([*plain.unread, *found])))


def explained(error: FormatError, text: str, parse: Parse, others: Mapping[str, Parse]) -> FormatError:
    """The error with everything else that is wrong with a text, and with what could be read in it.

    ``others`` are the readers of other tools that recognise the text, by the tool's name.
    """
    faults, rest = _rest(error, text, parse)
    words = [error.message, *(f"line {fault.line}: {fault.message}" for fault in faults[1:])]
    if rest:
        lines = ", ".join(str(fault.line) for fault in faults)
        where = f"line {lines}" if len(faults) == 1 else f"lines {lines}"
        words.append(f"nothing is read; without {where} there would be {_count(rest)} of {rest.tool}")
    for tool, read in others.items():
        try:
            found = read(text)
        except FormatError:
            continue
        if len(found.results):
            words.append(f"--tool {tool} reads {_count(found)} of {tool} in it")
    return FormatError("; ".join(words), error.line, error.column)


def _rest(error: FormatError, text: str, parse: Parse) -> tuple[list[FormatError], Parsed | None]:
    """The faults of a text in order, and what its lines without faults give; None if that is nothing."""
    lines, faults = split_lines(text), [error]
    while len(faults) <= _MOST_FAULTS and 0 < faults[-1].line <= len(lines):
        lines[faults[-1].line - 1] = ""
        try:
            parsed = parse("\n".join(lines) + "\n")
        except FormatError as fault:
            if any(fault.line == other.line for other in faults):
                break
            faults.append(fault)
        else:
            return faults, parsed if len(parsed.results) else None
    return faults[:1], None


def _values(parsed: Parsed) -> int:
    return sum(sum(value is not None for value in result.values) for result in parsed.results)


def _count(parsed: Parsed) -> str:
    return "1 result" if len(parsed.results) == 1 else f"{len(parsed.results)} results"

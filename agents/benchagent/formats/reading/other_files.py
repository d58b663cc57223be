"""Names files that are no outputs but are found beside them, for the message of a refusal.

Used only for texts that no format recognises.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .text import split_lines


class _FileKind(NamedTuple):
    """A kind of file: every pattern matches the beginning of at least one of its lines, without blanks before it."""

    name: str
    patterns: tuple[re.Pattern[str], ...]


def _kind(name: str, *patterns: str) -> _FileKind:
    return _FileKind(name, tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns))


_BEGINNINGS = (
    ("PK\x03\x04", "a zip archive, or a spreadsheet packed in one: unpack it, or save the spreadsheet as text"),
    ("\x1f\ufffd", "a gzip archive: unpack it first"),
    ("%PDF-", "a PDF document"),
    ("#!", "a script that runs something, not its output"),
)
# The first that matches is named, so specific kinds come before general ones.
_KINDS = (
    _kind("an FFSB profile, not its output", r"\[filesystem", r"(?:\[threadgroup|num_dirs\s*=|num_files\s*=)"),
    _kind("an FFSB profile, not its output", r"\[threadgroup", r"num_threads\s*="),
    _kind("a Filebench workload definition, not its output", r"(?:define (?:fileset|file|process|flowop)\b|flowop \w)"),
    _kind("a log of Filebench's own test runs, not its output", r"### Benchmarking \S", r"go_filebench \.\.\. "),
    _kind("a fio job file, not its output", r"\[[^\]]{1,100}\]\s*$", r"(?:rw|readwrite|ioengine|iodepth|bs)\s*="),
    _kind("the load of dbench, not its output", r"(?:[0-9.]{1,12} )?NTCreateX ", r"(?:[0-9.]{1,12} )?(?:Close|Flush) "),
    _kind("PostMark's settings, not its output", r"(?:pm>)?set (?:number|size|transactions|location|report)\b"),
    _kind("how well Geriatrix met a distribution, beside its summary, not its output",
          r"(?:BUCKET|DEPTH|SIZE) FRACTION TYPE\b"),
    _kind("a page made from bonnie++'s CSV lines, not its output; these are what is read",
          r".{0,600}<title>bonnie\+\+"),
    _kind("a document of BenchDB, which is uploaded as it is: a tool's results, not its output",
          r'.{0,200}"benchdb\.[a-z]{1,20}/1"'),
    _kind("the table of CrystalDiskMark, which we do not read", r"CrystalDiskMark [0-9]"),
    _kind("the table that yabs.sh makes of fio's figures, which we do not read; fio's own output is read",
          r"fio Disk Speed Tests \(", r"Block Size +\|"),
    _kind("an HTML page", r"(?:<!doctype )?<?html\b"),
    _kind("a page of Markdown without the output of a tool we read", r"#{1,4} \w", r"```|[-*] \w|\[[^\]]{1,200}\]\("),
)  # fmt: skip
_LOOKED_AT = 5000  # lines; the marks of a definition come long before
_DISTRIBUTION = re.compile(r"[0-9]{1,15}(?: [0-9]{1,15}){1,2}")


def name_of_file(text: str) -> str | None:
    """The kind of a text that no format recognises, for a message after “this is”; None if it is unknown."""
    if not text.strip():
        return "an empty text"
    for beginning, name in _BEGINNINGS:
        if text.startswith(beginning):
            return name
    lines = [line.strip() for line in split_lines(text) if line.strip()]
    if _is_distribution(lines):
        return "a distribution that Geriatrix ages by, not its output"
    for kind in _KINDS:
        if all(any(pattern.match(line) for line in lines[:_LOOKED_AT]) for pattern in kind.patterns):
            return kind.name
    return None


def _is_distribution(lines: list[str]) -> bool:
    """Whether a text begins with a number and as many rows of two or three numbers; remarks may follow."""
    if not re.fullmatch("[0-9]{1,4}", lines[0]) or not 0 < int(lines[0]) < len(lines):
        return False
    return all(_DISTRIBUTION.fullmatch(line) for line in lines[1 : int(lines[0]) + 1])

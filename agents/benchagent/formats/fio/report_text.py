"""The lines of fio's report as fio printed them: without a log's prefix, and as before a mail program broke them.

A line that was broken is joined, and lines that were put together are separated. A piece has the number of the line
that it began in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchagent.formats.reading.text import split_lines

from .messages import is_known
from .report_lines import DIRECTION, is_cut

_MOST_JOINED = 4
_LONGEST = 2000  # no line of fio's is as long; longer ones are neither joined nor separated
_LONGEST_PREFIX = 120
_MARK = "  cpu          : usr="  # with the blanks before it
_DIGITS = re.compile(r"[0-9]+")
# The beginnings of lines that programs put behind another line.
_PUT_TOGETHER = re.compile(
    r"(?<=\S) +(?=(?:read|write|trim|mixed) ?: (?:IOPS=|io=)|(?:slat|clat|lat|sync) (?:percentiles )?\([num]sec\) *:"
    r"|cpu {1,12}: usr=|bw \( *[kKMGT]?i?(?:B|bit) */s\) *: *min=|iops {1,10}: min=|IO depths {1,6}: "
    r"|(?:submit|complete) {1,6}: 0=|issued(?: rwts?| {1,6}): total=|latency {1,6}: target=)"
)


def printed_lines(text: str) -> Iterator[tuple[int, str]]:
    """(line number, line without blanks around it) for each line of fio and everything else in a text."""
    held, number, joined = "", 0, 0
    for at, piece in _pieces(text):
        if joined < _MOST_JOINED and is_cut(held) and _may_go_on(held, piece):
            held, joined = f"{held} {piece}".rstrip(), joined + 1
            continue
        if number:
            yield number, held
        held, number, joined = piece, at, 0
    if number:
        yield number, held


def _may_go_on(held: str, piece: str) -> bool:
    """Whether a piece may be the rest of a line. Empty lines are left where quoted-printable lines were joined."""
    if not piece:  # numbers of a direction may have any order, so another text behind an empty line could have them
        return not DIRECTION.match(held) or held.endswith(",")
    return len(held) + len(piece) < _LONGEST and not is_known(piece)


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    prefix = _prefix(text)
    for number, line in enumerate(split_lines(text), start=1):
        match = prefix.match(line) if prefix else None
        for printed in line[match.end() if match else 0 :].split("\r"):  # progress overwrites itself
            separated = _PUT_TOGETHER.split(printed) if len(printed) < _LONGEST else [printed]
            for piece in separated:
                yield number, piece.strip()


def _prefix(text: str) -> re.Pattern[str] | None:
    """What begins each line of a log, with any numbers in it: `20:22:23 DEBUG| [stdout] `."""
    at = text.find(_MARK)
    prefix = text[text.rfind("\n", 0, at) + 1 : at] if at > 0 else ""
    if not prefix.strip() or len(prefix) > _LONGEST_PREFIX:
        return None
    return re.compile(_DIGITS.sub("[0-9]+", re.escape(prefix.rstrip())))

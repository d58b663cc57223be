"""Cuts a row of bonnie++'s table into its cells.

A row is 19 columns of name and size, then six times `" %5d %3d"`: a number that is too wide pushes all that follows to
the right, and a test that was not run is ten blanks. A row with all twelve numbers needs no columns at all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

VALUE = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,3})?[kmg]?|\+{1,12}")
CPU = re.compile(r"[0-9]{1,6}(?:\.[0-9])?|\+{1,12}")
TIME = re.compile(r"[0-9]{1,15}(?:us|ms|s)")
_WORD = re.compile(r"\S+")
_TOUCHING = re.compile(r"[)\]}](?=[0-9]+[KMGT](?:\Z|:))")  # the end of a name that leaves no blank before the size
_LONGEST = 400  # columns; the longest possible row
_CELL = 10  # columns of one number and its %CP
_LATENCY_HEAD = 17
_NEAR = 3  # greatest distance of a number from its column


@dataclass(frozen=True)
class BonnieTableRow:
    """One row. ``cells`` are number, %CP, number, %CP …; None if a test was not run; fewer than 12 in a cut row.

    ``breaks`` are the cells with which the further lines of a wrapped row begin.
    """

    name: str
    spec: str
    cells: tuple[str | None, ...]
    breaks: tuple[int, ...] = ()

    def line_of(self, cell: int) -> int:
        """The index of a cell's line among the row's lines."""
        return sum(1 for first in self.breaks if first <= cell)


def read_row(
    line: str, spec: re.Pattern[str], base: int | None, after: Sequence[str] = ()
) -> tuple[BonnieTableRow, int] | None:
    """A row whose head ends in a ``spec`` (a size, or a number of files), and the number of its lines.

    ``base`` is the column in which the cells begin, None without a header; ``after`` are the lines that follow, for
    rows that a mail program wrapped. None if the line is not a row, or its cells cannot be separated.
    """
    if len(line) > _LONGEST or line.rstrip()[-1:] not in "0123456789+kmg":
        return None
    if row := _whole(line, spec):
        return row, 1
    aligned = (_aligned(line, spec, base) or _slotted(line, spec, base)) if base is not None else None
    if aligned is not None and len(aligned.cells) == 2 * 6:
        return aligned, 1
    rest: list[str] = []
    sizes: list[int] = []
    for taken, more in enumerate(after[:3], start=2):
        words = more.split() if len(more) <= _LONGEST else []
        if not words or not all(VALUE.fullmatch(word) or CPU.fullmatch(word) for word in words):
            break
        rest += words
        sizes.append(len(words))
        breaks = tuple(2 * 6 - sum(sizes[index:]) for index in range(len(sizes)))
        if row := _whole(f"{line.rstrip()} {' '.join(rest)}", spec):
            return replace(row, breaks=breaks), taken
        if aligned is not None and len(aligned.cells) + len(rest) == 2 * 6 and _in_turn(rest, len(aligned.cells)):
            return replace(aligned, cells=(*aligned.cells, *rest), breaks=breaks), taken
    return (aligned, 1) if aligned is not None else None


def _in_turn(words: Sequence[str], first: int) -> bool:
    """Whether words are numbers and %CP in turn, from the ``first`` cell of a row on."""
    return all((CPU if place % 2 else VALUE).fullmatch(word) for place, word in enumerate(words, start=first))


def _whole(line: str, spec: re.Pattern[str]) -> BonnieTableRow | None:
    """A row with all its twelve numbers, at any positions."""
    words = list(_WORD.finditer(line))
    if len(words) < 13:
        return None
    head = line[: words[-13].end()]
    start = words[-13].start()
    if touching := _TOUCHING.search(head, start):  # `Raid0 (8 disk)15744M`
        start = touching.end()
    if not spec.fullmatch(head, start):
        return None
    cells = [word[0] for word in words[-12:]]
    return BonnieTableRow(head[:start].strip(), head[start:], tuple(cells)) if _in_turn(cells, 0) else None


def _aligned(line: str, spec: re.Pattern[str], base: int) -> BonnieTableRow | None:
    """A row read by its columns; None if a number does not end at the end of its column."""
    head = [word for word in _WORD.finditer(line) if word.start() < base]
    if not head or not spec.fullmatch(head[-1][0]):
        return None
    cells: list[str | None] = []
    at = max(base, head[-1].end())
    while line[at:].strip():
        if len(cells) == 2 * 6:
            return None
        if not line[at : at + _CELL].strip():
            cells += [None, None]
            at += _CELL
            continue
        value = _cell(line, at, 6, VALUE)
        if value is None:
            return None
        cells.append(value[0])
        cpu = _cell(line, value.end(), 4, CPU)
        if cpu is None:
            rest = line[value.end() :].strip()
            if rest and not CPU.fullmatch(rest):
                return None
            return _cut(line, head, [*cells, None] if rest else cells)
        cells.append(cpu[0])
        at = cpu.end()
    return _cut(line, head, cells) if any(cells) else None


def _slotted(line: str, spec: re.Pattern[str], base: int) -> BonnieTableRow | None:
    """A row that was aligned by hand: each number ends near the end of its column."""
    words = list(_WORD.finditer(line))
    head = [word for word in words if word.start() < base]
    rest = words[len(head) :]
    if not head or not spec.fullmatch(head[-1][0]) or not rest or len(rest) % 2:
        return None
    cells: list[str | None] = [None] * 12
    last = -1
    for value, cpu in zip(rest[::2], rest[1::2]):
        slot, apart = divmod(value.end() - base - 6 + _NEAR, _CELL)
        if not last < slot < 6 or apart > 2 * _NEAR or not VALUE.fullmatch(value[0]) or not CPU.fullmatch(cpu[0]):
            return None
        cells[2 * slot : 2 * slot + 2] = value[0], cpu[0]
        last = slot
    return _cut(line, head, cells) if last == 5 else None  # the seeks are always there


def _cut(line: str, head: list[re.Match[str]], cells: list[str | None]) -> BonnieTableRow:
    return BonnieTableRow(line[: head[-1].start()].strip(), head[-1][0], tuple(cells))


def _cell(line: str, at: int, width: int, pattern: re.Pattern[str]) -> re.Match[str] | None:
    """The word after ``at`` if it ends as if right-aligned in ``width``, or is wider than that."""
    word = _WORD.search(line, at)
    if word is None or not pattern.fullmatch(word[0]):
        return None
    return word if word.end() == max(at + width, at + 1 + len(word[0])) else None


def read_latencies(
    line: str, base: int | None, present: Sequence[bool], after: Sequence[str] = ()
) -> tuple[list[str], int] | None:
    """The six latencies of a row, empty if a test has none, and the number of their lines.

    ``present`` are flags for the tests of the row above that were run. None if neither these flags nor the columns
    determine the tests of the latencies.
    """
    words = list(_WORD.finditer(line[:_LONGEST]))[1:]
    times = [word[0] for word in words]
    taken = 1
    if sum(present) > len(times) and after and len(after[0]) <= _LONGEST and _all_times(after[0].split()):
        times, taken = times + after[0].split(), 2
    if not times or not _all_times(times) or len(times) > 6:
        return None
    if len(times) == 6:
        return times, taken
    if len(times) == sum(present):
        rest = iter(times)
        return [next(rest) if ran else "" for ran in present], taken
    start = line.index("L") + _LATENCY_HEAD if base is None else base - 2
    ends = [start + _CELL * (index + 1) for index in range(6)]
    by_end = {word.end(): word[0] for word in words}
    if taken == 1 and set(by_end) <= set(ends):
        return [by_end.get(end, "") for end in ends], 1
    return None


def _all_times(words: Sequence[str]) -> bool:
    return bool(words) and all(TIME.fullmatch(word) for word in words)

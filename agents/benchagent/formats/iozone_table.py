"""iozone's table: one row a file size and record size, one column a test.

The numbers stand in fields of fixed width, flush right, and fields touch as soon as a number fills its own. So a row
is cut by width; a number wider than its field pushes the rest to the right, and is read only where there is exactly
one way to cut the row.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from benchagent.formats.collect import Key
from benchagent.formats.iozone_banner import RETESTS, Run
from benchagent.formats.model import FAILED, FormatError
from benchagent.formats.vocabulary import IOZONE_TESTS

RECLEN_WIDTH = 8
# Field widths as printed by 3.4xx ("kB", two spaces before rewrite) and by 3.2xx and 3.3xx ("KB", one space).
WIDTHS_NEW = (9, 9, 9, 9, 9, 9, 9, 10, 10, 9, 9, 9, 9)
WIDTHS_OLD = (8, 8, 9, 9, 8, 8, 8, 8, 8, 9, 9, 8, 9)
# A number may be this much wider than its field: 99,999 TiB/s would still be read.
MAX_OVERFLOW = 4

_HEADER = re.compile(r"\s*(?P<kb>kB)\s+reclen\s+write(?P<gap>\s+)rewrite\b", re.IGNORECASE)
_ROW = re.compile(r"\s*[0-9]+\s*[0-9]")
_FIELD = re.compile(r" *[0-9]+")
_SIZE = re.compile(r"[0-9]{1,12}")


@dataclass(frozen=True)
class Layout:
    """Where the columns of the table at hand stand."""

    kb_end: int
    widths: tuple[int, ...]


@dataclass(frozen=True)
class Row:
    """A row as cut: the cells as text ("" where empty), and how many of them iozone had printed."""

    number: int
    file_size: int
    record_size: int
    cells: tuple[str, ...]
    printed: int


def read_header(line: str) -> Layout | None:
    match = _HEADER.match(line)
    if not match:
        return None
    return Layout(match.end("kb"), WIDTHS_NEW if len(match["gap"]) > 1 else WIDTHS_OLD)


def read_row(layout: Layout, line: str, number: int) -> Row | None:
    """Cut a row; None where the line is no row. Raises FormatError where it can be cut in no or several ways."""
    if not _ROW.match(line):
        return None
    start = layout.kb_end + RECLEN_WIDTH
    sizes = line[: layout.kb_end].strip(), line[layout.kb_end : start].strip()
    if not all(_SIZE.fullmatch(size) for size in sizes):
        return _respaced(line, number)
    text = line[start:]
    cells = cut(text, layout.widths)
    if cells is None:
        return _respaced(line, number)
    file_size, record_size = (int(size) * 1024 for size in sizes)
    return Row(number, file_size, record_size, cells, _printed(text, layout.widths))


def cut(text: str, widths: tuple[int, ...]) -> tuple[str, ...] | None:
    """Cut what follows the record size into cells; None where no cut, or more than one, is possible.

    Every number in its own field is the only reading while nobody measures 10⁹ KiB/s; so that is tried first.
    A padded number that the end of the text cuts short is left out.
    """
    cells: list[str] = []
    position = 0
    for width in widths:
        chunk = text[position : position + width]
        position += width
        cell = chunk.strip(" ")
        cut_short = len(chunk) < width and chunk.startswith(" ")
        if cell and not (_FIELD.fullmatch(chunk) and (len(chunk) == width or cut_short)):
            break
        cells.append("" if cut_short else cell)
    else:
        if not text[position:].strip(" "):
            return tuple(cells)
    ways = _cut_overflowing(text.rstrip(" "), widths)
    return ways[0] if len(ways) == 1 else None


def _cut_overflowing(text: str, widths: tuple[int, ...]) -> list[tuple[str, ...]]:
    """The first two ways to cut a row in which numbers are wider than their fields. Bounded by columns × overflow."""
    if len(text) > sum(widths) + MAX_OVERFLOW * len(widths):
        return []
    known: dict[tuple[int, int], list[tuple[str, ...]]] = {}

    def ways(column: int, position: int) -> list[tuple[str, ...]]:
        if column == len(widths):
            return [()] if position >= len(text) else []
        if (column, position) not in known:
            found: list[tuple[str, ...]] = []
            for cell, after in _fields(text, position, widths[column]):
                found += [(cell, *rest) for rest in ways(column + 1, after)]
            known[column, position] = found[:2]
        return known[column, position]

    return ways(0, 0)


def _fields(text: str, position: int, width: int) -> list[tuple[str, int]]:
    """What the field at a position can hold: (cell, where the next field starts)."""
    chunk = text[position : position + width]
    if not chunk.strip(" "):
        return [("", position + width)]
    if len(chunk) < width or not _FIELD.fullmatch(chunk):
        return []
    found = [(chunk.strip(" "), position + width)]
    if not chunk.startswith(" "):
        for end in range(position + width + 1, position + width + 1 + MAX_OVERFLOW):
            if end > len(text) or not text[end - 1].isdigit():
                break
            found.append((text[position:end], end))
    return found


def _printed(text: str, widths: tuple[int, ...]) -> int:
    """How many fields iozone had printed, the empty ones included: it prints blanks for a test not selected."""
    position = 0
    for column, width in enumerate(widths):
        position += width
        if len(text) < position:
            return column
    return len(widths)


def _respaced(line: str, number: int) -> Row:
    """A row that no longer stands in its columns, pasted from somewhere: readable where every column has a number."""
    words = line.split()
    if len(words) != 2 + len(IOZONE_TESTS) or not all(_SIZE.fullmatch(word) for word in words):
        raise FormatError("the row's numbers run together or stand in no column", number)
    return Row(number, int(words[0]) * 1024, int(words[1]) * 1024, tuple(words[2:]), len(IOZONE_TESTS))


def keep(run: Run, row: Row) -> None:
    """Hand a row's numbers to the collector."""
    unit = run.stated_unit(row.number)
    for test, cell in zip(IOZONE_TESTS, row.cells):
        if not cell:
            continue
        key = Key(test, unit.metric, row.file_size, row.record_size)
        if int(cell):
            run.collector.value(key, unit.to_base(cell), row.number)
        elif run.retests or test not in RETESTS:
            run.collector.no_value(key, row.number, "iozone printed 0: too fast for its clock")


def keep_failure(run: Run, row: Row, words: str) -> None:
    """The test that was under way when iozone stopped in this row has failed."""
    last = max((column for column, cell in enumerate(row.cells) if cell), default=-1)
    start = max(row.printed, last + 1)
    test = next((name for name in IOZONE_TESTS[start:] if run.selects(name)), None)
    if test is None:
        run.collector.warn(words, row.number)
        return
    metric = run.unit.metric if run.unit else "throughput"
    run.collector.no_value(Key(test, metric, row.file_size, row.record_size), row.number, words, FAILED)

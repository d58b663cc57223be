"""Reads iozone's table: one row per file size and record size, one column per test."""

from __future__ import annotations

import re

from benchagent.formats.model import FAILED, ResultKey
from benchagent.formats.reading.grid import GridRow, NumberGrid, index_of

from .banner import IozoneRun
from .rows import RowShape, cut
from .units import COLUMNS, RETESTS, selects

RECLEN_WIDTH = 8
# Field widths as printed by 3.4xx and 3.5xx ("kB", two spaces before rewrite), -E included; and by 3.2xx and 3.3xx.
WIDTHS_NEW = (9, 9, 9, 9, 9, 9, 9, 10, 10, 9, 9, 9, 9, 9, 9, 8, 9)
WIDTHS_OLD = (8, 8, 9, 9, 8, 8, 8, 8, 8, 9, 9, 8, 9)
MOST_SHAPES = 8

_HEADER = re.compile(r"\s*(?P<kb>kB)\s+reclen\s+write(?:(?P<gap>\s+)rewrite\b(?P<more>.*))?", re.IGNORECASE)
_TITLE = re.compile(r"(\S(?:.{0,60}\S)?) {2,80}random {1,8}random(?: +bkwd .{0,60})?")
_ROW = re.compile(r"\s*[0-9]+\s*[0-9]")
_LABELLED = re.compile(r"\s*(?P<label>\S(?:.{0,60}\S)?)\s+[0-9]{1,12}$")
_NUMBERS = re.compile(r"[ 0-9]+")
_SIZE = re.compile(r"[0-9]{1,12}")
_RETEST_COLUMNS = sum(1 << column for column, test in enumerate(COLUMNS) if test in RETESTS)


class IozoneTable:
    """Reads the rows below one header."""

    def __init__(self, run: IozoneRun, kb_end: int, widths: tuple[int, ...], count: int, title: str = "") -> None:
        self._run, self._kb_end, self._widths, self._count = run, kb_end, widths[:count], count
        self._title = title
        self._start = kb_end + RECLEN_WIDTH
        self._shapes: list[RowShape] = []
        self._grid: NumberGrid | None = None
        # The last row, its sizes and its text; None also if the positions in this text have no meaning.
        self._last: tuple[GridRow, int, int, str] | None = None

    def take(self, line: str, number: int) -> bool:
        """Read one row; False for other lines."""
        for shape in self._shapes:
            if words := shape.read(line):
                row = GridRow(number, shape.columns, line if shape.spaced else " ".join(words))
                self._keep(int(words[0]), int(words[1]), row, line)
                return True
        if not _ROW.match(line):
            return self._take_labelled(line, number)
        head = line[: self._kb_end].strip(), line[self._kb_end : self._start].strip()
        cells = cut(line[self._start :], self._widths) if all(map(_SIZE.fullmatch, head)) else None
        if cells is None:
            return self._take_respaced(line, number)
        shape = RowShape(self._kb_end, RECLEN_WIDTH, self._widths, cells)
        if len(self._shapes) < MOST_SHAPES and shape.read(line):
            self._shapes.append(shape)
        self._keep_cells(head, cells, number, line)
        return True

    def close(self, words: str | None) -> bool:
        """Handle the end of a text without iozone's last line. If it ends in a row, the rest of the row has failed."""
        if self._last is None or not (words or self._run.command):
            return False
        row, file_size, record_size, text = self._last
        printed = max(_printed(text[self._start :], self._widths), row.columns.bit_length())
        unit = self._run.unit
        if printed >= self._count or unit is None:
            return False
        for test in COLUMNS[printed : self._count]:
            if selects(self._run.options, test):
                key = ResultKey(test, unit.metric, file_size, record_size)
                self._run.store.cells.no_value(key, row.line, words or "the output ends in this row", FAILED)
        return True

    def _asked(self) -> list[bool]:
        """For each column, whether the command line selects its test with -i."""
        chosen = "i" in self._run.options
        return [chosen and selects(self._run.options, test) for test in COLUMNS[: self._count]]

    def _keep_cells(
        self,
        head: tuple[str, ...],
        cells: tuple[str, ...],
        number: int,
        line: str,
        label: str = "",
        respaced: bool = False,
    ) -> None:
        columns = sum(1 << column for column, cell in enumerate(cells) if cell)
        row = GridRow(number, columns, " ".join([*head, *(cell for cell in cells if cell)]))
        self._keep(int(head[0]), int(head[1]), row, line, label, respaced)

    def _keep(
        self, kilobytes: int, reclen: int, row: GridRow, line: str, label: str = "", respaced: bool = False
    ) -> None:
        run, grid, label = self._run, self._grid, label or self._title
        if grid is None or label:
            unit = run.unit or run.known_unit(row.line, line)
            if unit is None:
                return
            grid = run.store.grid(unit, label)
            self._grid = None if label else grid
        if not run.retests:
            row = _without_retests(row)
        sizes = kilobytes * 1024, reclen * 1024
        grid.add(sizes, row)
        if not label:
            run.table[sizes] = row
        self._last = None if respaced else (row, *sizes, line)

    def _take_labelled(self, line: str, number: int) -> bool:
        """Read a row with a name that somebody wrote into the blanks on its left: `r5   5242880  4 …`."""
        match = _LABELLED.match(line[: self._kb_end])
        rest = line[self._kb_end :]
        if not match or not _NUMBERS.fullmatch(rest.rstrip()) or not match["label"].strip("|>#:*-+ "):
            return False
        head = line[: self._kb_end].split()[-1], rest[:RECLEN_WIDTH].strip()
        cells = cut(rest[RECLEN_WIDTH:], self._widths)
        if cells is None or not _SIZE.fullmatch(head[1]):
            return False
        self._keep_cells(head, cells, number, line, match["label"], respaced=True)
        return True

    def _take_respaced(self, line: str, number: int) -> bool:
        """Read a row without columns: possible if every column, or every requested test, has a number.

        Such rows were pasted, or come from a version that prints too few blanks for a skipped test's column.
        """
        words = line.split()
        selected = self._asked() if len(words) != 2 + self._count else [True] * self._count
        if len(words) == 2 + sum(selected) and all(_SIZE.fullmatch(word) for word in words):
            rest = iter(words[2:])
            cells = tuple([next(rest) if has_number else "" for has_number in selected])
            self._keep_cells((words[0], words[1]), cells, number, line, respaced=True)
        else:
            self._run.notes.warn("not read: the row's numbers run together or are in no column", number)
            self._run.notes.unread(number, line)
        return True


def title(text: str) -> str:
    """The title that somebody wrote into the blanks of a header's first line: `SSD      random    random`."""
    match = _TITLE.fullmatch(text) if "random" in text and len(text) < 300 else None
    return match[1] if match and match[1].strip("|>#:*-+ ") else ""


def header(run: IozoneRun, line: str, title: str = "") -> IozoneTable | None:
    """The table that a header begins; None if the line is no header."""
    if "reclen" not in line:
        return None
    match = _HEADER.match(line)
    if not match:
        return None
    old = match["gap"] is not None and len(match["gap"]) == 1
    widths = WIDTHS_OLD if old else WIDTHS_NEW
    count = min(1 if match["gap"] is None else 2 + len(match["more"].split()), len(widths))
    return IozoneTable(run, match.end("kb"), widths, count, title)


def _printed(text: str, widths: tuple[int, ...]) -> int:
    """The number of printed fields, including empty ones: iozone prints blanks for a test that is not selected."""
    position = 0
    for column, width in enumerate(widths):
        position += width
        if len(text) < position:
            return column
    return len(widths)


def _without_retests(row: GridRow) -> GridRow:
    """The row without the zeros that iozone prints for tests that -+n switched off."""
    kept, words = [], row.text.split()
    for column in range(row.columns.bit_length()):
        index = index_of(row.columns, column)
        if index is not None and (int(words[2 + index]) or not _RETEST_COLUMNS >> column & 1):
            kept.append((column, words[2 + index]))
    text = " ".join([*words[:2], *(word for _, word in kept)])
    return GridRow(row.line, sum(1 << column for column, _ in kept), text)

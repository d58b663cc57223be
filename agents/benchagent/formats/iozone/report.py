"""iozone's Excel reports (-R) repeat the table's numbers, one matrix per test, and with -+u the use of the CPU.

If the table has a number, the report checks the cut of the table. If it lacks the number (in a text with only the
reports, or a row whose columns run together), the report is the source. A zero is a cell that was not measured.
Reports from a spreadsheet program, with commas or tabs and without quotes, are read too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchagent.formats.model import Param, ResultKey
from benchagent.formats.reading.grid import index_of

from .banner import IozoneRun
from .units import COLUMNS, UNITS, PrintedUnit, processes, share

LABELS = {
    "writer": "write",
    "re-writer": "rewrite",
    "reader": "read",
    "re-reader": "reread",
    "random read": "random_read",
    "random write": "random_write",
    "backward read": "backward_read",
    "record rewrite": "record_rewrite",
    "stride read": "strided_read",
    "fwrite": "fwrite",
    "re-fwrite": "frewrite",
    "fread": "fread",
    "re-fread": "freread",
    "pwrite": "pwrite",
    "re-pwrite": "repwrite",
    "pread": "pread",
    "re-pread": "repread",
}
THROUGHPUT_LABELS = {
    "initial write": "write",
    "rewrite": "rewrite",
    "read": "read",
    "re-read": "reread",
    "reverse read": "backward_read",
    "stride read": "strided_read",
    "random read": "random_read",
    "mixed workload": "mixed_workload",
    "random write": "random_write",
    "pwrite": "pwrite",
    "pread": "pread",
    "fwrite": "fwrite",
    "fread": "fread",
}
_IGNORED = ("the top row is records sizes",)
_EDGES = ' \t",;'
_CELLS = re.compile(r'(?:[0-9]{1,15}(?:\.[0-9]{1,6})?(?=[ \t",;]|$)|[ \t",;])+')
_NUMBER = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,6})?")
_RECORD_SIZE = re.compile(r"record size = ([0-9]{1,12}) kbytes", re.IGNORECASE)
_UNIT = re.compile(r"output is in (kb|ops|cpu)", re.IGNORECASE)


class Report:
    """Reads the reports in order: lines of a text, or rows of a sheet."""

    def __init__(self, run: IozoneRun) -> None:
        self._run = run
        self._test: str | None = None
        self._cpu = False
        self._column = 0
        self._words: dict[tuple[int, int], list[str]] = {}  # the words of table rows that reports repeat
        # The index of the current report's test among a row's numbers, by the row's columns.
        self._places: dict[int, int | None] = {}
        self._record_sizes: list[int | None] = []
        # Throughput mode's reports: whether their title was read, and their record size and unit if printed.
        self._throughput = False
        self._seen: set[tuple[str | None, bool]] = set()  # the reports of this output
        self._begins = False  # whether the last title began a report
        self._record_size: int | None = None
        self._unit: PrintedUnit | None = None

    @property
    def begun(self) -> bool:
        return self._test is not None or self._throughput

    def take(self, text: str, number: int) -> bool:
        """Read one line, without blanks around it; False if it belongs to no report."""
        if self._test is not None and text[0] in '"0123456789,;' and _CELLS.fullmatch(text):
            cells = _split(text)
            return self._sizes(cells) if not self._record_sizes else self.row(cells, number, text)
        if self.title(text.strip(_EDGES)):
            if self._begins:
                self._begin_again(number)
            return True
        return self._throughput and self._throughput_line(text, number)

    def _begin_again(self, number: int) -> None:
        """Begin another part of the text if this one already has the report; a text may keep only reports."""
        self._run.parts.place(number)
        if (self._test, self._cpu) in self._seen:
            self._run.begin_part(number)
            self._seen.clear()
        self._seen.add((self._test, self._cpu))

    def title(self, text: str) -> bool:
        """Begin a report; False if the text is neither a title nor another line above or in a report."""
        lower, self._begins = text.lower(), False
        if " report" in lower:
            label, _, rest = lower.partition(" report")
            if label in ("throughput", "cpu utilization") and rest.startswith(" y-axis"):
                self._throughput, self._cpu, self._test = True, label.startswith("cpu"), None
                return True
            cpu = label.endswith(" cpu utilization")
            test = LABELS.get(label[: -len(" cpu utilization")] if cpu else label)
            if test and (not rest or rest.startswith(" (zero values")):
                self._test, self._cpu, self._throughput, self._record_sizes = test, cpu, False, []
                self._column, self._places, self._begins = COLUMNS.index(test), {}, True
                return True
        if self._throughput and (match := _RECORD_SIZE.match(text)):
            self._record_size = int(match[1]) * 1024
            return True
        if self._throughput and (match := _UNIT.match(text)):
            self._unit = UNITS.get(match[1].lower())
            return True
        return lower.startswith(_IGNORED)

    def _sizes(self, cells: list[str]) -> bool:
        self._record_sizes = [int(cell) * 1024 if cell.isdecimal() else None for cell in cells if cell or cells[0]]
        return True

    def set_sizes(self, record_sizes: Sequence[int | None]) -> None:
        """The record sizes above a sheet's columns, in bytes."""
        self._record_sizes = list(record_sizes)

    def row(self, cells: Sequence[str], number: int, text: str) -> bool:
        """One row: the file size, then a number for each record size. Cells may be missing at its end."""
        if not cells or not cells[0].isdecimal() or len(cells) - 1 > len(self._record_sizes):
            return False
        unit = None if self._cpu else self._run.unit or self._run.known_unit(number, text)
        if unit is None and not self._cpu:
            return True
        file_size, table = int(cells[0]) * 1024, bool(unit and self._run.table)
        test, metric = self._test or "", unit.metric if unit else "cpu_of_one_core"
        matrix = self._run.store.matrix(test, metric)
        for record_size, cell in zip(self._record_sizes, cells[1:]):
            if record_size is None or not cell or not cell.strip("0."):
                continue
            sizes = file_size, record_size
            printed = self._printed(sizes) if table else None
            if printed is None:
                cells_of = matrix.get(sizes)
                if cells_of is None:
                    cells_of = matrix[sizes] = self._run.store.cells.cells_at(ResultKey(test, metric, *sizes))
                cells_of.add(unit.to_base(float(cell)) if unit else share(cell), number)
            elif printed != cell and float(printed) != float(cell):
                self._run.notes.warn(
                    f"the report of {self._test} has {cell} where the table has another number", number
                )
        return True

    def _printed(self, sizes: tuple[int, int]) -> str | None:
        """The table's number for the current report's test; None if the table has none."""
        row = self._run.table.get(sizes)
        if row is None:
            return None
        if row.columns not in self._places:
            self._places[row.columns] = index_of(row.columns, self._column)
        index = self._places[row.columns]
        if index is None:
            return None
        words = self._words.get(sizes)
        if words is None:
            words = self._words[sizes] = row.words()
        return words[index]

    def _throughput_line(self, text: str, number: int) -> bool:
        parts = text.strip().strip('"').partition('"') if '"' in text else re.split(r"[\t,;]", text, maxsplit=1)
        test = THROUGHPUT_LABELS.get(parts[0].strip(_EDGES).lower())
        cells = _NUMBER.findall(parts[-1]) if test and _CELLS.fullmatch(parts[-1] + " ") else []
        return bool(test and cells and self.throughput_row(test, cells, number, text))

    def throughput_row(self, test: str, cells: Sequence[str], number: int, text: str) -> bool:
        """Read the sums over the processes, one column per number of processes.

        They check the blocks' numbers, or are the source if there are no blocks.
        """
        run = self._run
        printed = run.sums.get((test, self._cpu), [])
        if printed:
            if [float(item) for item in printed[-len(cells) :]] != [float(cell) for cell in cells]:
                run.notes.warn(f"the throughput report of {test} has other numbers than its blocks", number)
            return True
        unit = None if self._cpu else self._unit or run.unit or run.known_unit(number, text)
        file_size = run.facts.get("file_size")
        for (count, params), cell in zip(self._columns(len(cells)), cells):
            metric = unit.metric if unit else "cpu_of_one_core"
            key = ResultKey(test, metric, int(file_size) if file_size else None, self._record_size, count, params)
            if cell.strip("0.") and (unit or self._cpu):
                run.store.cells.value(key, unit.to_base(float(cell)) if unit else share(cell), number)
        return True

    def _columns(self, number: int) -> list[tuple[int | None, tuple[tuple[str, Param], ...]]]:
        """The number of processes in each column of a throughput report, from the command line or the blocks above.

        If neither has it, the columns stay separate from each other and from numbers of known processes.
        """
        for counts in (processes(self._run.options), self._run.counts):
            if len(counts) == number:
                return [(count, ()) for count in counts]
        if number == 1:
            return [(None, (("processes", "unknown"),))]
        return [(None, (("column", column), ("processes", "unknown"))) for column in range(1, number + 1)]


def _split(text: str) -> list[str]:
    """The cells of a line, separated by blanks, or by the commas, semicolons or tabs of a spreadsheet program."""
    for separator in ",;\t":
        if separator in text:
            cells = [cell.strip(' "') for cell in text.split(separator)]
            if all(not cell or _NUMBER.fullmatch(cell) for cell in cells):
                return cells
    return _NUMBER.findall(text)

"""iozone's Excel reports (-R): the table's numbers once more, one matrix a test, and with -+u the CPU's.

Where the table has the number, the report is a check of how we cut the table; where it has not (a text that keeps only
the reports, or a row whose columns run together), the report is the source. A zero stands for a cell that was not run.
"""

from __future__ import annotations

import re

from benchagent.formats.collect import Key
from benchagent.formats.iozone_banner import Run

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

_TITLE = re.compile(r'\s*"(?P<label>[^"]*?)(?P<cpu> CPU utilization)? report(?: \([^"]*\))?"\s*$', re.IGNORECASE)
_SIZES = re.compile(r'\s*"[0-9]{1,12}"(?:\s+"[0-9]{1,12}")*\s*$')
_ROW = re.compile(r'\s*"([0-9]{1,12})"((?:\s+[0-9]{1,15}(?:\.[0-9]{1,6})?)+)\s*$')
_THROUGHPUT_TITLE = re.compile(r'\s*"Throughput report Y-axis|\s*"Record size = [0-9]+ kBytes|\s*"Output is in ')
_THROUGHPUT_ROW = re.compile(r'\s*"([^"]*)"((?:\s+[0-9]{1,15}\.[0-9]{1,6})+)\s*$')


class Report:
    """Reads the reports one after the other."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._test: str | None = None
        self._cpu = False
        self._record_sizes: list[int] = []

    def take(self, line: str, number: int) -> bool:
        """Read one line; False where it belongs to no report."""
        if '"' not in line:
            return False
        if _THROUGHPUT_TITLE.match(line):
            return True
        if match := _TITLE.match(line):
            self._test, self._cpu = LABELS.get(match["label"].lower()), bool(match["cpu"])
            self._record_sizes = []
            return self._test is not None
        if (match := _THROUGHPUT_ROW.match(line)) and match[1].strip().lower() in THROUGHPUT_LABELS:
            return self._throughput_row(match, number)
        if self._test is None:
            return False
        if not self._record_sizes and _SIZES.match(line):
            self._record_sizes = [int(size) * 1024 for size in re.findall(r"[0-9]+", line)]
            return True
        match = _ROW.match(line)
        if not match or len(match[2].split()) > len(self._record_sizes):
            return False
        for record_size, cell in zip(self._record_sizes, match[2].split()):
            self._cell(int(match[1]) * 1024, record_size, cell, number)
        return True

    def _cell(self, file_size: int, record_size: int, cell: str, number: int) -> None:
        if float(cell) == 0:
            return
        test = self._test or ""
        if self._cpu:
            self._run.collector.value(Key(test, "cpu_of_one_core", file_size, record_size), float(cell) / 100, number)
            return
        unit = self._run.stated_unit(number)
        key = Key(test, unit.metric, file_size, record_size)
        value = unit.to_base(cell)
        known = self._run.collector.values_at(key)
        if known is None:
            self._run.collector.value(key, value, number)
        elif known[-1] != value:
            self._run.collector.warn(f"the report of {test} has {cell} where the table has another number", number)

    def _throughput_row(self, match: re.Match[str], number: int) -> bool:
        """The sums over the processes once more, one column a number of processes: only a check."""
        test, unit = THROUGHPUT_LABELS[match[1].strip().lower()], self._run.stated_unit(number)
        printed = [unit.to_base(cell) for cell in match[2].split()]
        measured = self._run.sums.get(test, [])
        if measured[-len(printed) :] != printed:
            self._run.collector.warn(f"the throughput report of {test} has other numbers than its blocks", number)
        return True

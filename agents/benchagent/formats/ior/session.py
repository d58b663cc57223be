"""Collects the tables of one start of IOR, repetitions and summary, until its end, which has the exact sizes."""

from __future__ import annotations

from dataclasses import dataclass, field

from benchagent.formats.model import FAILED, Param
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.runs import RunValue, ToolRun, is_number, printed_value, scaled

from .settings import IorSettings

_MIB = 1024**2
# A column of a repetition: its metric, the unit as a multiple of the base unit, its params.
_COLUMNS: dict[str, tuple[str, int, dict[str, Param]]] = {
    "bw(MiB/s)": ("throughput", _MIB, {}),
    "IOPS": ("rate", 1, {}),
    "Latency(s)": ("latency_mean", 1, {}),
    "open(s)": ("elapsed", 1, {"phase": "open"}),
    "wr/rd(s)": ("elapsed", 1, {"phase": "transfer"}),
    "close(s)": ("elapsed", 1, {"phase": "close"}),
    "total(s)": ("elapsed", 1, {}),
}
_VIEWS = ("max", "min", "mean", "sd")
_GREP = ("EXCEL", "XXCEL")  # version 2 ends rows with a word to find them by


def is_row_header(line: str) -> bool:
    return line.startswith("access ") and "bw(MiB/s)" in line


def is_summary_header(line: str) -> bool:
    return line.startswith("Operation ") and _tokens(line)[1:4] == ["Max(MiB)", "Min(MiB)", "Mean(MiB)"]


def _tokens(header: str) -> list[str]:
    """Column names; version 2 writes ``Max (MiB)`` and ``Std Dev``, and ``Op grep`` above no column at all."""
    return header.replace(" (", "(").replace("Std Dev", "StdDev").replace(" Op grep ", " ").split()


@dataclass
class _IorTest:
    """One test: its settings, its repetitions and its lines of the summary, each a (line, {column: printed})."""

    number: int | None = None
    repetitions: int = 0
    settings: IorSettings = field(default_factory=IorSettings)
    rows: list[tuple[str, int, dict[str, str]]] = field(default_factory=list)
    summary: list[tuple[str, int, list[str]]] = field(default_factory=list)
    maxima: list[tuple[str, int, str]] = field(default_factory=list)


class IorSession:
    """One start of IOR. ``line`` is where it begins."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.began = False
        self.ended = False
        self.command = ""
        self._columns: list[str] = []
        self._in_summary = False
        self._tests = [_IorTest()]
        self._by_number: dict[str, _IorTest] = {}
        self._faults: list[str] = []
        self._fsync_refused = False
        self.has_numbers = False

    def begin_test(self, number: int) -> None:
        if self._tests[-1].number is None:
            self._tests[-1].number = number
        else:
            self._tests.append(_IorTest(number))
        self._by_number[str(number)] = self._tests[-1]

    def option(self, name: str, value: str) -> bool:
        if name == "repetitions" and is_number(value):
            self._tests[-1].repetitions = int(float(value))
        return self._tests[-1].settings.take(name, value)

    def header(self, line: str) -> None:
        self._columns, self._in_summary = _tokens(line), line.startswith("Operation")

    def fault(self, words: str) -> None:
        if "fsync() not supported" in words:
            self._fsync_refused = True
        elif "ERROR" in words:
            self._faults.append(words)

    def maximum(self, operation: str, printed: str, line: int) -> None:
        if is_number(printed):
            self.has_numbers = True
            self._tests[-1].maxima.append((operation, line, printed))

    def row(self, line: str, number: int) -> bool:
        """Read a row of the current table; False if the line is none."""
        words = line.split()
        if not self._columns or not words[0].isalpha() or not words[0].islower():
            return False
        if words[-1] in _GREP:
            words.pop()
        if self._in_summary:
            return self._summary(words, number)
        row = dict(zip(self._columns[1:], words[1:]))
        if len(words) != len(self._columns) or not all(text == "-" or is_number(text) for text in row.values()):
            return False
        self.has_numbers = True
        self._tests[-1].rows.append((words[0], number, row))
        self._tests[-1].settings.take_columns(row)
        return True

    def _summary(self, words: list[str], number: int) -> bool:
        count = 9 if "Max(OPs)" in self._columns else 5  # version 3.0 has no column of operations
        if len(words) <= count or not all(map(is_number, words[1 : count + 1])):
            return False
        row = dict(zip(self._columns, words)) if len(words) >= len(self._columns) else {}
        test = self._by_number.get(row.get("Test#", ""), self._tests[-1])
        test.settings.take_summary(row)
        self.has_numbers = True
        test.summary.append((words[0], number, words[1 : count + 1]))
        self.ended = self.ended or not self.began
        return True

    def runs(self, collector: Collector) -> list[ToolRun]:
        """All tests of this start, as runs."""
        runs, words = [], self.command.split()
        for test in self._tests:
            run = ToolRun(self.line, test.settings.facts(words, fsync_refused=self._fsync_refused))
            _keep_rows(run, test)
            for operation, line, printed in test.summary:
                _keep_summary(run, operation, line, printed, bool(test.rows))
            if not test.summary:
                for operation, line, text in test.maxima:
                    run.cells.append(RunValue(operation, "throughput", scaled(text, _MIB), line, {"view": "max"}))
            if test is self._tests[-1] and self._faults and self.began and not self.ended:
                run.cells.append(self._failed(test))
            for cell in run.cells:
                test.settings.size(cell)
            if run.cells:
                runs.append(run)
        self.ended = self.ended or self._has_all_rows()
        if self.began and not self.ended:
            collector.warn("IOR did not come to its end", self.line)
        return runs

    def _has_all_rows(self) -> bool:
        """Whether every repetition of what the command line asks for is there: IO500 prints no more of IOR's output."""
        words, test = self.command.split(), self._tests[-1]
        done = [operation for operation, _, _ in test.rows]
        requested = [operation for flag, operation in (("-w", "write"), ("-r", "read")) if flag in words]
        counts = [done.count(operation) for operation in requested]
        return bool(counts) and test.repetitions > 0 and min(counts) >= test.repetitions and not self._faults

    def _failed(self, test: _IorTest) -> RunValue:
        """The next operation as failed, with IOR's words."""
        done = [operation for operation, _, _ in test.rows]
        requested = [test for flag, test in (("-w", "write"), ("-r", "read")) if flag in self.command.split()]
        operation = min(requested or ["write", "read"], key=done.count)
        line = test.rows[-1][1] if test.rows else self.line
        return RunValue(operation, "throughput", None, line, error="; ".join(self._faults)[:500], status=FAILED)


def _keep_rows(run: ToolRun, test: _IorTest) -> None:
    for operation, line, row in test.rows:
        for column, (metric, times, params) in _COLUMNS.items():
            printed = row.get(column, "-")
            if printed == "-":
                continue
            run.cells.append(_measured(operation, metric, printed, line, params, times))


def _keep_summary(run: ToolRun, operation: str, line: int, printed: list[str], has_rows: bool) -> None:
    """Keep four numbers of throughput, four of rate (not in version 3.0) and the time; of equal numbers the mean."""
    for metric, times, four in (("throughput", _MIB, printed[:4]), ("rate", 1, printed[4:-1])):
        if not four:
            continue
        equal = len(set(four[:3])) == 1
        for view, text in zip(_VIEWS, four):
            if not equal or view == "mean":
                params: dict[str, Param] = {} if view == "mean" and not has_rows else {"view": view}
                if view == "sd":
                    run.cells.append(RunValue(operation, metric, scaled(text, times), line, params))
                else:
                    run.cells.append(_measured(operation, metric, text, line, params, times))
    run.cells.append(_measured(operation, "elapsed", printed[-1], line, {"view": "mean"} if has_rows else {}))


def _measured(
    operation: str, metric: str, printed: str, line: int, params: dict[str, Param], times: int = 1
) -> RunValue:
    return printed_value(operation, metric, printed, line, params, times=times, error=f"IOR printed {printed}")

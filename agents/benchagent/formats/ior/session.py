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
    """One test: its settings, its numbers, and the operation of each repetition that is ``done``.

    ``rows`` are (operation, line, {column: printed}), also several for one repetition, with other columns. ``summary``
    are an operation and its (printed, line).
    """

    number: int | None = None
    repetitions: int = 0
    settings: IorSettings = field(default_factory=IorSettings)
    rows: list[tuple[str, int, dict[str, str]]] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    summary: list[tuple[str, list[tuple[str, int]]]] = field(default_factory=list)
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
        self._tests[-1].settings.take_columns(row)
        self.repetition(words[0])
        self.number(words[0], row, number)
        return True

    def repetition(self, operation: str) -> None:
        """Count a repetition of the current test."""
        self._tests[-1].done.append(operation)

    def number(self, operation: str, row: dict[str, str], line: int) -> None:
        """Keep what is printed in columns of a repetition."""
        self.has_numbers = True
        self._tests[-1].rows.append((operation, line, row))

    def parameter(self, name: str, value: str) -> None:
        """Keep one of the exact settings that only JSON has."""
        self._tests[-1].settings.take_parameter(name, value)

    def _summary(self, words: list[str], number: int) -> bool:
        count = 9 if "Max(OPs)" in self._columns else 5  # version 3.0 has no column of operations
        if len(words) <= count or not all(map(is_number, words[1 : count + 1])):
            return False
        row = dict(zip(self._columns, words)) if len(words) >= len(self._columns) else {}
        test = self._by_number.get(row.get("Test#", ""), self._tests[-1])
        test.settings.take_summary(row)
        self.summary(words[0], row.get("Test#", ""), [(word, number) for word in words[1 : count + 1]])
        self.ended = self.ended or not self.began
        return True

    def summary(self, operation: str, test: str, printed: list[tuple[str, int]]) -> None:
        """Keep one operation of the summary: four numbers of throughput, four of rate, the time, each with its line."""
        self.has_numbers = True
        self._by_number.get(test, self._tests[-1]).summary.append((operation, printed))

    def runs(self, collector: Collector) -> list[ToolRun]:
        """All tests of this start, as runs."""
        runs, words = [], self.command.split()
        for test in self._tests:
            run = ToolRun(self.line, test.settings.facts(words, fsync_refused=self._fsync_refused))
            run.place = test.settings.file
            _keep_rows(run, test)
            for operation, summary in test.summary:
                _keep_summary(run, operation, summary, bool(test.rows))
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
        requested = [operation for flag, operation in (("-w", "write"), ("-r", "read")) if flag in words]
        counts = [test.done.count(operation) for operation in requested]
        return bool(counts) and test.repetitions > 0 and min(counts) >= test.repetitions and not self._faults

    def _failed(self, test: _IorTest) -> RunValue:
        """The next operation as failed, with IOR's words."""
        requested = [test for flag, test in (("-w", "write"), ("-r", "read")) if flag in self.command.split()]
        operation = min(requested or ["write", "read"], key=test.done.count)
        line = test.rows[-1][1] if test.rows else self.line
        return RunValue(operation, "throughput", None, line, error="; ".join(self._faults)[:500], status=FAILED)


def _keep_rows(run: ToolRun, test: _IorTest) -> None:
    for operation, line, row in test.rows:
        for column, (metric, times, params) in _COLUMNS.items():
            printed = row.get(column, "-")
            if printed == "-":
                continue
            run.cells.append(_measured(operation, metric, printed, line, params, times))


def _keep_summary(run: ToolRun, operation: str, printed: list[tuple[str, int]], has_rows: bool) -> None:
    """Keep four numbers of throughput, four of rate (not in version 3.0) and the time; of equal numbers the mean."""
    for metric, times, four in (("throughput", _MIB, printed[:4]), ("rate", 1, printed[4:-1])):
        if not four:
            continue
        equal = len({text for text, _ in four[:3]}) == 1
        for view, (text, line) in zip(_VIEWS, four):
            if not equal or view == "mean":
                params: dict[str, Param] = {} if view == "mean" and not has_rows else {"view": view}
                if view == "sd" and is_number(text):
                    run.cells.append(RunValue(operation, metric, scaled(text, times), line, params))
                else:
                    run.cells.append(_measured(operation, metric, text, line, params, times))
    time, line = printed[-1]
    run.cells.append(_measured(operation, "elapsed", time, line, {"view": "mean"} if has_rows else {}))


def _measured(
    operation: str, metric: str, printed: str, line: int, params: dict[str, Param], times: int = 1
) -> RunValue:
    error = f"IOR printed {printed}"
    if not is_number(printed):  # JSON has infinite throughput of a time of zero
        return RunValue(operation, metric, None, line, dict(params), error=error)
    return printed_value(operation, metric, printed, line, params, times=times, error=error)

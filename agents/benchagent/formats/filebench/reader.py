"""Reads Filebench's output, 1.0 to 1.5: every per-operation breakdown and IO summary, of one run or of many.

A run may report several times (`psrun`, `stats snap`). Each report then gives results of its own with the params
`{"report": 3}`, because reports of one run are no repetitions. The text does not state whether a report counts from the
beginning of the run or from the previous report; the counts of operations show it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from benchagent.formats.model import FAILED, FormatError, Param, Parsed
from benchagent.formats.reading.blocks import keep_blocks
from benchagent.formats.reading.collector import Collector, params_key
from benchagent.formats.reading.runs import RunValue, ToolRun, common, printed_value
from benchagent.formats.reading.text import lines_of, lines_with

from . import lines
from .lines import FlowopFigures

TOOL = "filebench"
SUMMARY, WHOLE = "flowops", "run"  # Filebench's own word is IO Summary
_MARKS = ("ilebench Version ", "ileBench Version ", lines.BREAKDOWN, "IO Summary:")
_IN_LINES = ("ilebench Version ", "ileBench Version ", "ops/s", "IO Summary:")


@dataclass
class _Report:
    """One breakdown and its summary: (line, numbers), the summary last; or ``failed`` is (line, error)."""

    figures: list[tuple[int, FlowopFigures]] = field(default_factory=list)
    failed: tuple[int, str] | None = None
    closed: bool = False


@dataclass
class _FilebenchRun(ToolRun):
    version: str | None = None
    command: str | None = None
    reports: list[_Report] = field(default_factory=list)
    took: list[tuple[int, str]] = field(default_factory=list)
    threads: int = 0
    clock: tuple[str | None, float] | None = None  # process and time of the last report
    failure: str = "the run ended before it reported anything"

    def open_report(self, *, new: bool) -> _Report:
        if not self.reports or self.reports[-1].closed or (new and self.reports[-1].figures):
            self.reports.append(_Report())
        return self.reports[-1]


def recognises(text: str) -> bool:
    if not any(mark in text for mark in _MARKS):
        return False
    marked = lines_with(text, *_IN_LINES)
    return any(lines.BANNER.match(line) or lines.row(line) or lines.summary(_message(line)) for line in marked)


def parse(text: str, parser_version: str) -> Parsed:
    """Read every run of a text. Raises FormatError if there is not even the beginning of a run."""
    collector = Collector()
    commands: list[tuple[int, str]] = []
    runs = _read(text, collector, commands)
    if not runs:
        raise FormatError("neither Filebench's version nor a report of it is there")
    shared = keep_blocks(collector, runs, commands)
    for run in runs:
        if not run.ended:
            collector.warn(f"the run is not complete: its end line ({lines.SHUTDOWN}) is missing", run.line)
    return Parsed(
        tool=TOOL,
        tool_version=common(run.version for run in runs),
        command=common(run.command for run in runs),
        results=collector.results(),
        warnings=collector.warnings(),
        parser_version=parser_version,
        complete=all(run.ended for run in runs),
        parameters=shared,
        unread=collector.unread_lines(),
    )


def _read(text: str, collector: Collector, commands: list[tuple[int, str]]) -> list[_FilebenchRun]:
    """The runs of a text in order; unknown lines are unread, and those with a command are added to ``commands``."""
    runs: list[_FilebenchRun] = []
    command_and_definition: tuple[str, str] | None = None
    for number, line in enumerate(lines_of(text), start=1):
        if not line.strip():
            continue
        logged = lines.LOG.match(line)
        message = (logged[3] or "").rstrip() if logged else line.rstrip()
        if runs and logged and lines.is_idle(message):
            continue
        if "ench Version" in line and (banner := lines.BANNER.match(line)):
            _begin(_FilebenchRun(number, version=banner[1]), runs)
            if command_and_definition:
                runs[-1].command, runs[-1].facts["definition"] = command_and_definition
            command_and_definition = None
        elif (numbers := lines.row(line) or lines.summary(message)) or message.startswith(lines.BREAKDOWN):
            report = _run_of(logged, number, runs).open_report(new=numbers is None)
            if numbers:
                report.figures.append((number, numbers))
                report.closed = numbers.name is None
        elif command := lines.command(line):
            command_and_definition = command
            commands.append((number, line))
        elif not (_logged(number, message, runs) if logged else lines.is_remark(line)):
            collector.unread(number, line)
    if runs:
        _gather(runs[-1])
    return runs


def _begin(run: _FilebenchRun, runs: list[_FilebenchRun]) -> _FilebenchRun:
    """Add a run; the one before has ended, and only its values are kept."""
    if runs:
        _gather(runs[-1])
    runs.append(run)
    return run


def _message(line: str) -> str:
    """The message of a logged line, without process and time; other lines unchanged."""
    logged = lines.LOG.match(line)
    return (logged[3] or "").rstrip() if logged else line.rstrip()


def _run_of(logged: re.Match[str] | None, number: int, runs: list[_FilebenchRun]) -> _FilebenchRun:
    """The run of a report: a new one after the end of another, and if process or time show it."""
    clock = (logged[1], float(logged[2])) if logged else None
    run = runs[-1] if runs else None
    if run and clock and run.clock and (clock[0] != run.clock[0] or clock[1] < run.clock[1]):
        run = None
    if run is None or (run.ended and run.reports):
        run = _begin(_FilebenchRun(number), runs)
    run.clock = clock or run.clock
    return run


def _logged(number: int, message: str, runs: list[_FilebenchRun]) -> bool:
    """Read a logged line; returns whether it is of a known kind."""
    if not runs:
        runs.append(_FilebenchRun(number))
    run = runs[-1]
    if message.startswith(lines.SHUTDOWN):
        run.ended = True
    elif took := lines.TOOK.match(message):
        run.took.append((number, took[1]))
    elif message.startswith(lines.NO_RESULTS):
        run.reports.append(_Report(failed=(number, message.strip()), closed=True))
    elif (facts := lines.facts(message)) is not None:
        run.facts.update(facts)
    elif not lines.is_chatter(message):
        run.failure = message.strip() or run.failure
        return False
    run.threads += lines.started_threads(message)
    return True


def _gather(run: _FilebenchRun) -> None:
    """Convert a run's reports to values. The personality is in every result, because it defines the operations."""
    always: dict[str, Param] = {name: run.facts[name] for name in ("personality",) if name in run.facts}
    if run.version:
        run.facts["version"] = run.version
    if not run.reports:
        run.reports.append(_Report(failed=(run.line, run.failure), closed=True))
    for number, report in enumerate(run.reports, start=1):
        params = {**always, **({"report": number} if len(run.reports) > 1 else {})}
        seen: Counter[str] = Counter()
        for line, figures in report.figures:
            seen[figures.name or SUMMARY] += 1
            row = seen[figures.name] if figures.name else 1
            run.cells += _cells(figures, line, *_named(figures.name, row, params_key(params)))
        if report.failed:
            line, words = report.failed
            run.cells.append(RunValue(SUMMARY, "rate", None, line, params, error=words, status=FAILED))
        if len(run.took) == len(run.reports) and report.figures:
            line, seconds = run.took[number - 1]
            run.cells.append(_cell(WHOLE, "elapsed", seconds, "seconds", line, params))
    if len(run.took) != len(run.reports):
        run.cells += [_cell(WHOLE, "elapsed", seconds, "seconds", line, always) for line, seconds in run.took]
    for cell in run.cells:
        cell.threads = run.threads or None
    run.reports = []


def _cells(figures: FlowopFigures, line: int, test: str, params: Mapping[str, Param]) -> list[RunValue]:
    """The values of one row. An operation that did not happen has errors instead: its times mean nothing."""
    timed = {**params, "per": "read or write"} if _counts_transfers_only(figures) else params
    cells = [
        _cell(test, "rate", figures.rate, "ops/s", line, params),
        _cell(test, "throughput", figures.throughput, "mb/s", line, params, times=1024 * 1024),
        _cell(test, "latency_mean", figures.mean, "ms/op", line, timed, over=1000),
    ]
    if figures.cpu is not None:
        cells.append(_cell(test, "cpu_per_operation", figures.cpu, "us", line, timed, over=1_000_000))
    if figures.fastest is not None and figures.slowest is not None:
        cells.append(_cell(test, "latency_min", figures.fastest, "ms", line, params, over=1000))
        cells.append(_cell(test, "latency_max", figures.slowest, "ms", line, params, over=1000))
    if figures.reads is not None and figures.writes is not None:
        cells.append(_cell(f"{test}_read", "rate", figures.reads, " reads a second", line, params))
        cells.append(_cell(f"{test}_write", "rate", figures.writes, " writes a second", line, params))
    if figures.ops is not None and int(figures.ops) == 0:
        for cell in cells:
            cell.value, cell.error = None, "not once in this time"
    return cells


def _counts_transfers_only(figures: FlowopFigures) -> bool:
    """Whether a summary's times are those of all operations divided by the number of reads and writes.

    Builds that print three decimals divide by the number of operations (stats.c); they have the same version number.
    """
    return figures.name is None and len(figures.mean.partition(".")[2]) < 3


@lru_cache(maxsize=4096)
def _named(name: str | None, row: int, shared: tuple[tuple[str, Param], ...]) -> tuple[str, Mapping[str, Param]]:
    """The test of the row-th report of an operation, and the params, with a name that cannot be a test's."""
    params = dict(shared)
    if row > 1:
        params["row"] = row
    if name is None:
        return SUMMARY, params
    test = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:60]
    test = test if test[:1].isalpha() else f"operation_{test}"
    return test, params if test == name else {**params, "operation": name[:60]}


def _cell(
    test: str,
    metric: str,
    printed: str,
    unit: str,
    line: int,
    params: Mapping[str, Param],
    times: int = 1,
    over: int = 1,
) -> RunValue:
    """A value of printed digits. Zero means less than the last digit, or nothing: no number to compare."""
    error = f"Filebench printed {printed}{unit}"
    return printed_value(test, metric, printed, line, params, times=times, over=over, error=error)

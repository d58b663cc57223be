"""Reads bonnie++'s output: CSV lines of 1.00 to 2.00, its text tables, and both together with the lines around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from benchagent.formats import bonnie_original
from benchagent.formats.bonnie_original.progress import BonnieProgress
from benchagent.formats.model import FAILED, FormatError, Param, Parsed, ResultKey
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.runs import common
from benchagent.formats.reading.sections import params_apart
from benchagent.formats.reading.text import lines_of, lines_with, split_lines

from .cells import RunIdentity, keep_csv_lines, keep_number, kib, metric_of, percent, seconds, with_chunk
from .csv_line import FEWEST_COMMAS, CsvLine, read_csv_line
from .layouts import CREATE_TESTS, BonnieSettings
from .pairing import is_number_of_files, paired
from .scan import FailedTest, TextScan
from .table import TableRun
from .workload import common_parameters, with_parameters

TOOL = "bonnie++"
_HEADERS = ("%CP", "-Create-- --Read---", "-Per Chr- --Block--")


class _CsvRun(NamedTuple):
    """A run with a CSV line. The settings may have the chunk size from the run's table."""

    csv: CsvLine
    settings: BonnieSettings
    section: int


class _RunsOfText(NamedTuple):
    """All runs of a text, each once."""

    from_csv: Sequence[_CsvRun]
    from_tables: Sequence[TableRun]
    failures: Sequence[FailedTest]

    def distinct_settings(self) -> list[BonnieSettings]:
        """The settings of the CSV lines. Compared by identity, which is fast: equal lines share one object."""
        return list({id(run.settings): run.settings for run in self.from_csv}.values())

    @property
    def sections(self) -> list[int]:
        return [
            *(run.section for run in self.from_csv),
            *(run.section for run in self.from_tables),
            *(failure.section for failure in self.failures),
        ]

    @property
    def complete(self) -> bool:
        cut = any(run.cut for run in self.from_tables) or any(run.csv.missing for run in self.from_csv)
        return not self.failures and not cut


def recognises(text: str) -> bool:
    if any(map(_is_header, lines_with(text, *_HEADERS))):
        return True
    if any(line.count(",") >= FEWEST_COMMAS for line in lines_of(text)):  # one by one: a list of them is the text again
        lines = split_lines(text)
        if any("," in line and _is_csv_line(lines, at) for at, line in enumerate(lines)):
            return True
    has_progress = any(BonnieProgress().take(line, 1) for line in lines_with(text, "..."))
    return has_progress and not bonnie_original.recognises(text)  # Bonnie prints the same progress


def _is_header(line: str) -> bool:
    if "," in line:
        return False
    if "%CP" in line:
        return "/sec %CP" in line and "%CPU" not in line
    return any(header in line for header in _HEADERS[1:])


def _is_csv_line(lines: list[str], at: int) -> bool:
    try:
        return read_csv_line(lines, at) is not None
    except FormatError:
        return True


def parse(text: str, parser_version: str) -> Parsed:
    """Read every run of a text. A run's table and CSV line count once; equal runs are the values of one result.

    Raises FormatError if a CSV line cannot be read, or if the text has no number of any run.
    """
    scan = TextScan(split_lines(text))
    scan.read()
    runs = _runs_of(scan)
    if not any(runs):
        raise FormatError("no number of bonnie++ can be read here", scan.first_table or 1)
    _keep_results(scan.collector, runs, scan.sections.names(runs.sections))
    settings = [*runs.distinct_settings(), *(run.settings for run in runs.from_tables)]
    parameters = common_parameters(settings, scan.sections.commands)
    return Parsed(
        tool=TOOL,
        tool_version=_last_version(scan.tables.runs, runs),
        command=common(scan.sections.commands),
        results=scan.collector.results().changed(partial(with_parameters, parameters=parameters)),
        warnings=scan.collector.warnings(),
        parser_version=parser_version,
        complete=runs.complete,
        parameters=parameters,
        unread=scan.collector.unread_lines(),
    )


def _runs_of(scan: TextScan) -> _RunsOfText:
    """Take each run from its CSV line, or from its table if it has no CSV line, or only a cut one."""
    tables = scan.tables.runs
    csv_of_table = paired(tables, [csv for csv, _ in scan.csv_lines], scan.collector)
    cut = {
        table: csv for table, csv in csv_of_table.items() if scan.csv_lines[csv][0].missing and not tables[table].cut
    }
    chunks = {csv: tables[table].chunk_size for table, csv in csv_of_table.items()}
    cut_lines = set(cut.values())
    return _RunsOfText(
        [
            _CsvRun(csv, with_chunk(csv.settings, chunks.get(index)), section)
            for index, (csv, section) in enumerate(scan.csv_lines)
            if index not in cut_lines
        ],
        [run for index, run in enumerate(tables) if index not in csv_of_table or index in cut],
        scan.failures,
    )


def _keep_results(collector: Collector, runs: _RunsOfText, sections: Mapping[int, str]) -> None:
    """Hand all numbers to the collector. Names and sections go into the params if the runs differ in them."""
    names = {settings.name for settings in runs.distinct_settings()} | {run.name for run in runs.from_tables}
    several_names = len(names) > 1
    groups: dict[tuple[int, int], list[_CsvRun]] = {}
    for csv_run in runs.from_csv:
        groups.setdefault((id(csv_run.settings), csv_run.section), []).append(csv_run)
    for group in groups.values():
        _, settings, section = group[0]
        apart = params_apart(settings.name if several_names else "", sections.get(section, ""))
        keep_csv_lines(collector, RunIdentity(settings, apart), [run.csv for run in group])
    for run in runs.from_tables:
        keep_table(collector, run, params_apart(run.name if several_names else "", sections.get(run.section, "")))
    for failure in runs.failures:
        apart = params_apart("", sections.get(failure.section, ""))
        key = ResultKey(failure.test, metric_of(failure.test), params=apart)
        collector.no_value(key, failure.line, failure.words, FAILED)


def _last_version(tables: Sequence[TableRun], runs: _RunsOfText) -> str | None:
    versions = [
        *(table.version for table in tables),
        *(settings.tool_version for settings in runs.distinct_settings()),
    ]
    return next((version for version in reversed(versions) if version), None)


_KIB_IN = {"k": 1, "m": 1024, "g": 1024**2}
_NO_RATE = "bonnie++ {} printed {}, the number of files, where its table should have the rate"


def keep_table(collector: Collector, run: TableRun, apart: tuple[tuple[str, Param], ...]) -> None:
    """Hand all cells of a run's table to the collector."""
    identity = RunIdentity(run.settings, apart)
    for name, (text, line) in run.cells.items():
        test = name[: -len("_cpu")] if name.endswith("_cpu") else name
        key = identity.key(test, metric_of(test) if test == name else "cpu_of_one_core")
        if test != name:
            keep_number(collector, key, text, line, percent)
        elif test in CREATE_TESTS and is_number_of_files(run, text):
            collector.extend(key, [None], [line], _NO_RATE.format(run.version or "", text))
        elif key.metric == "throughput":
            _keep_speed(collector, key, run, text, line)
        elif text[-1].isalpha():
            collector.warn(f"of {test}, {text!r} is no rate: it is left out", line)
        else:
            keep_number(collector, key, text, line, float)
    for test, (latency, line) in run.times.items():
        keep_number(collector, identity.key(test, "latency_max"), latency, line, seconds)


def _keep_speed(collector: Collector, key: ResultKey, run: TableRun, value: str, line: int) -> None:
    """Keep a speed. bonnie++ 1.98 and later append k, m or g; before, the header gives K/sec for all."""
    unit = value[-1] if value[-1].isalpha() else ""
    if bool(unit) != run.suffixed and value[0] != "+":
        collector.warn(f"the unit of {key.test}, {value!r}, is not stated: it is left out", line)
        return
    factor = _KIB_IN.get(unit, 1)
    keep_number(collector, key, value[: len(value) - len(unit)], line, lambda text: kib(text) * factor)

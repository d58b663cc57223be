"""sysbench's fileio test, versions 0.4 to 1.1: rates, throughput and latencies of each run, and of the preparation.

From 1.0 on reads, writes and fsyncs have their own rates, and the latencies are of all three. Before, there is one rate
of reads and writes together, and so are the latencies.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from benchagent.formats.model import FAILED, NOTHING, Param, Parsed
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.latency_figures import PERCENTILES, with_enough_beyond
from benchagent.formats.reading.parsed_runs import parsed_runs
from benchagent.formats.reading.runs import NUMBER, RunValue, ToolRun, common, printed_value
from benchagent.formats.reading.text import lines_with, split_lines

from .settings import TESTS, UNITS, FileSettings, command_in, settings_of

TOOL = "sysbench"

_BANNER = re.compile(r"sysbench ([0-9]\S{0,30}?):?(?: +multi-threaded system evaluation benchmark| \(using .{1,80}\))?")
_PREPARED = re.compile(rf"([0-9]{{1,18}}) bytes written in {NUMBER} seconds \(({NUMBER}) (MB|MiB)/sec\)\.?")
_OPERATIONS = re.compile(r"File operations:|Operations performed: .{1,200}")
_SUM = re.compile(
    rf"Read {NUMBER}\w{{1,3}}  Written {NUMBER}\w{{1,3}}  Total transferred .{{1,60}}\(({NUMBER})(\w{{1,3}})/sec\)"
)
_REQUESTS = re.compile(rf"({NUMBER}) Requests/sec executed")
_RATE = re.compile(rf"(reads|writes|fsyncs)/s: +({NUMBER})")
_SPEED = re.compile(rf"(read|written), (MiB)/s: +({NUMBER})")
_BOTH = re.compile(rf"(read|write|fsync): +IOPS=({NUMBER})(?: ({NUMBER}) MiB/s \({NUMBER} MB/s\))?")
_LATENCY = re.compile(
    rf"(?:(min|avg|max)|(?:approx\. +)?([0-9]{{1,2}}(?:\.[0-9]{{1,4}})?)(?:th)? percentile): +({NUMBER})(?:ms)?"
)
_FAULT = re.compile(r"(?:FATAL|ALERT): .{1,500}")
_KNOWN = re.compile(
    r"Running the test with following options:|Initializing worker threads\.\.\."
    r"|Initializing random number generator from .{1,40}"
    r"|Random number generator seed is .{1,60}|Threads started!|Done\.|Time limit exceeded, exiting\.\.\.|Throughput:"
    r"|(?:General statistics|Test execution summary|Threads fairness|response time|per-request statistics):"
    rf"|Latency(?: \(ms\)| histogram \(values are in milliseconds\)):?|{NUMBER}[KMGT]?(?:iB|b|B) total file size"
    r"|total (?:time|time taken by event execution): .{1,40}|sum: +[0-9.]{1,30}"
    r"|(?:events|execution time) \(avg/stddev\): .{1,60}|\[ {0,4}[0-9]{1,9}s ?\] .{1,200}"
    r"|value  -+ distribution -+ count"
    r"|[0-9.]{1,15} \|[* ]{1,60}[0-9]{1,15}|(?:Creating file|Creating files for the test|Removing test files)\b.{0,200}"
    r"|Report intermediate results every .{1,40}"
    r"|Extra file open flags:.{0,3}|Validation checks: .{1,20}"
)
_EVENTS = re.compile(r"total number of events: +([0-9]{1,15})")
_WAYS = {"reads": "read", "writes": "write", "fsyncs": "fsync", "read": "read", "written": "write", "write": "write"}
_BOUNDS = {"min": "latency_min", "avg": "latency_mean", "max": "latency_max"}
_FILE_SIZES = ("files", "open_flags")  # the settings that count for the preparation too


def recognises(text: str) -> bool:
    marks = ("Requests/sec executed", "Doing ", "ritten, MiB/s", " bytes written in ", "read:  IOPS=")
    forms = (_REQUESTS, _SPEED, _PREPARED, _BOTH)
    lines = (line.strip() for line in lines_with(text, *marks))
    return any(any(form.fullmatch(line) for form in forms) or FileSettings().take(line) for line in lines)


def parse(text: str, parser_version: str) -> Parsed:
    """Read every run of a text. Raises FormatError if no run came to its numbers."""
    collector = Collector()
    reader = _SysbenchReader(collector)
    collector.read(enumerate(split_lines(text), start=1), reader.take)
    reader.close()
    return parsed_runs(
        TOOL,
        collector,
        reader.runs,
        lacking="no result of a fileio test is there: sysbench prints rates and latencies at the end of a run",
        parser_version=parser_version,
        version=reader.version,
        command=common(reader.commands),
    )


class _SysbenchReader:
    """Reads line by line. A run begins with its command, its banner, or its list of operations."""

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self._settings = FileSettings()
        self._of_command: FileSettings | None = None  # those of a command whose banner may follow
        self._cells: list[RunValue] = []  # of the run that is read; their tests are set at its end
        self._begun = 0
        self._counted = False
        self._events: float | None = None  # that the latencies count
        self._apart = False  # whether fsyncs have their own rate, so that the latencies count them
        self._faults: list[str] = []
        self.runs: list[ToolRun] = []
        self.version: str | None = None
        self.commands: set[str] = set()

    def take(self, line: str, number: int) -> bool:
        """Read one line; False if sysbench does not print such lines."""
        if match := _BANNER.fullmatch(line):
            settings = self._of_command
            self.close()
            self.version, self._begun = match[1], number
            self._settings = settings or self._settings
        elif command := command_in(line):
            self.close()
            self.commands.add(command)
            self._settings = self._of_command = settings_of(command)
        elif match := _PREPARED.fullmatch(line):
            self._prepared(match, number)
        elif _OPERATIONS.fullmatch(line):
            if self._counted:
                self.close()
            self._counted = True
            self._begun = self._begun or number
        elif _FAULT.fullmatch(line):
            self._faults.append(line[:200])
            self._begun = self._begun or number
        else:
            return self._number(line, number) or self._settings.take(line) or bool(_KNOWN.fullmatch(line))
        return True

    def _number(self, line: str, number: int) -> bool:
        if match := _SUM.fullmatch(line):
            if match[2] not in UNITS:
                return False
            self._add("", "throughput", match[1], number, times=UNITS[match[2]])
        elif match := _REQUESTS.fullmatch(line):
            self._add("", "rate", match[1], number)
        elif match := _RATE.fullmatch(line):
            self._apart = True
            self._add(_WAYS[match[1]], "rate", match[2], number)
        elif match := _SPEED.fullmatch(line):
            self._add(_WAYS[match[1]], "throughput", match[3], number, times=1024**2)
        elif match := _BOTH.fullmatch(line):
            self._apart = self._counted = True
            self._add(match[1], "rate", match[2], number)
            if match[3]:
                self._add(match[1], "throughput", match[3], number, times=1024**2)
        elif match := _EVENTS.fullmatch(line):
            self._events = float(match[1])
        elif match := _LATENCY.fullmatch(line):
            if not self._cells:
                return False
            params: dict[str, Param] = {}
            percentile = PERCENTILES.get(float(match[2] or 0), "latency_percentile")
            metric = _BOUNDS.get(match[1] or "") or percentile
            if metric == "latency_percentile":
                params["percentile"] = float(match[2])
            self._add("all", metric, match[3], number, over=1000, params=params)
        else:
            return False
        return True

    def _add(
        self,
        way: str,
        metric: str,
        printed: str,
        line: int,
        *,
        times: int = 1,
        over: int = 1,
        params: Mapping[str, Param] = NOTHING,
    ) -> None:
        """Keep a number of reads, writes or fsyncs, of all operations, or (empty) of reads and writes together."""
        error = f"sysbench printed {printed}"
        self._begun = self._begun or line
        self._cells.append(printed_value(way, metric, printed, line, params, times=times, over=over, error=error))

    def _prepared(self, match: re.Match[str], number: int) -> None:
        """Keep the preparation, which writes the files, as a run of its own."""
        facts = {name: value for name, value in self._settings.facts.items() if name in _FILE_SIZES}
        cell = printed_value("create", "throughput", match[2], number, times=UNITS[match[3]], error="0 was printed")
        cell.file_size, cell.evidence = self._settings.file_size, {"logical_bytes": int(match[1])}
        self.runs.append(ToolRun(number, {**facts, "bytes_written": int(match[1])}, [cell], ended=True))

    def close(self) -> None:
        """End the run that is read."""
        if self._cells or self._faults:
            run = ToolRun(self._begun, self._settings.facts, ended=not self._faults)
            if self._settings.mode != "rndrw":
                run.facts.pop("read_write_ratio", None)
            cells = with_enough_beyond(self._cells, self._events)
            run.cells = [cell for cell in cells if not self._faults and self._place(cell)]
            if self._faults:
                words = "; ".join(self._faults)[:500]
                run.cells.append(RunValue("", "rate", None, self._begun, error=words, status=FAILED))
                self._place(run.cells[0])
            self.runs.append(run)
        self._settings, self._cells, self._faults, self._of_command = FileSettings(), [], [], None
        self._begun, self._counted, self._apart, self._events = 0, False, False, None

    def _place(self, cell: RunValue) -> bool:
        """Set test and sizes of a number; False if the mode has no such operations, whose number is 0."""
        settings, way = self._settings, cell.test
        mode = settings.mode
        tests = TESTS.get(mode, {"read": "read", "write": "write"})
        if way == "fsync":
            cell.test = "sync"
        elif way in ("read", "write"):
            if way not in tests or (not mode and cell.value is None):
                return False
            cell.test = tests[way]
        else:
            alone = len(tests) == 1 and (way == "" or not self._apart or "read" in tests)
            cell.test = next(iter(tests.values())) if alone else "mix"
        if way == "fsync" and cell.value is None:
            return False
        if cell.test == "mix" or not mode or mode == "rndrw":
            cell.params = {**cell.params, "mode": mode or "unknown"}
        cell.threads = settings.threads
        cell.file_size, cell.record_size = settings.file_size, settings.record_size if way != "fsync" else None
        return True

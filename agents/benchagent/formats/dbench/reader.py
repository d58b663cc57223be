"""dbench's output, versions 1.x to 4.00 and later: the closing line of throughput and the table of operations.

dbench's MB is 10⁶ bytes, its latencies are milliseconds (both by its source; the table of operations names no unit).
Version 1.x divides a nominal 132 MB per client by the time; its NB and MBit figures are that number times 1.25 and 10.
Counts of operations are no results: dbench does not print the time they took. The time of each pass of the load, which
mmtests' dbench prints, is none either: a run has as many passes as fit into it, and all of them are one round.
"""

from __future__ import annotations

import re

from benchagent.formats.model import FAILED, FormatError, Param, Parsed
from benchagent.formats.reading.blocks import keep_blocks
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.places import directory, name_places
from benchagent.formats.reading.runs import NUMBER, RunValue, ToolRun, printed_value, scaled
from benchagent.formats.reading.text import lines_with, split_lines

TOOL = "dbench"
WHOLE = "dbench"  # the test of the load as a whole

# All patterns match whole lines without the blanks at their ends.
_BANNER = re.compile(r"dbench version (\S{1,20}) - Copyright.{0,80}")
_COMMAND = re.compile(r"(?:[-0-9]{10} [0-9:]{8} )?((?:\S{0,100}/)?dbench [^:]{1,300})")
_LOAD = re.compile(
    r"Running for ([0-9]{1,9}) seconds with load '([^']{0,200})'(?: and minimum warmup ([0-9]{1,9}) secs)?"
)
_G = r"[0-9]{1,15}(?:\.[0-9]{1,9})?(?:e[+-]?[0-9]{1,2})?"  # C's %g
_CLOSING = re.compile(
    rf"[.+*\s]*Throughput ({_G}) MB/sec(?P<nb> \(NB={_G} MB/sec  ?{_G} MBit/sec\))?"
    r"(?P<sync>(?: \(sync (?:open|dirs|mode)\))*)"
    rf"(?:  ?([0-9]{{1,7}}) clients)?(?:  ?([0-9]{{1,7}}) procs)?(?:  ?max_latency=({NUMBER}) ms)?(.{{0,200}})"
)
_RUNNING = re.compile(
    rf"([0-9]{{1,7}}) +[0-9]{{1,15}} +({NUMBER}) MB/sec  (warmup|execute) +([0-9]{{1,9}}) sec"
    rf"(?:  latency {NUMBER} ms)?"
)
_HEADER = re.compile(r"Operation +Count +AvgLat +MaxLat")
_OPERATION = re.compile(rf"([A-Za-z][A-Za-z0-9_]{{0,40}}) +([0-9]{{1,12}}) +(-?nan|{NUMBER}) +(-?nan|{NUMBER})")
_CLIENT = re.compile(r"Client ([0-9]{1,7}) did [0-9]{1,15} lines and [0-9]{1,18} bytes")
_FAULT = re.compile(r"Child failed with status|FAILED TO START |\(?\[?[0-9]{1,9}[\])] |dbench: error|ERROR|failed to ")
_KNOWN = re.compile(
    r"[0-9]{1,7} of [0-9]{1,7} processes prepared for launch +[0-9]{1,7} sec|releasing clients|-{20,80}"
    r"|[0-9]{1,7} +cleanup +[0-9]{1,9} sec|Per client results:|[0-9]{1,7} clients started|[.+*]{1,1000000}"
    r"|failed to create barrier semaphore|[0-9]{1,7} completed in [0-9]{1,12} ms at time [0-9]{1,12} ms"
)
_DIRECTORY = re.compile(r" (?:-D ?|--directory[= ])(\S+)")
_SYNC = {"(sync open)": "sync_open", "(sync dirs)": "sync_dirs", "(sync mode)": "sync_open"}


def recognises(text: str) -> bool:
    lines = (line.strip() for line in lines_with(text, "dbench version ", "Throughput ", " MB/sec  "))
    return any(pattern.fullmatch(line) for line in lines for pattern in (_BANNER, _CLOSING, _RUNNING))


def parse(text: str, parser_version: str) -> Parsed:
    """Read every run of a text; runs with the same settings are values of the same results.

    Raises FormatError if there is no number.
    """
    collector = Collector()
    reader = _DbenchReader(collector)
    for number, line in enumerate(split_lines(text), start=1):
        if not reader.take(line.strip(), number) and line.strip():
            collector.unread(number, line)
    reader.close()
    if reader.nominal:
        collector.warn("dbench 1.x divides a nominal 132 MB for each client by the time")
    name_places(reader.runs)
    if not any(run.cells for run in reader.runs):
        raise FormatError("no result is there: dbench prints its throughput at the end", reader.line)
    return Parsed(
        tool=TOOL,
        tool_version=reader.version,
        command=reader.command,
        parameters=keep_blocks(collector, reader.runs),
        results=collector.results(),
        warnings=collector.warnings(),
        unread=collector.unread_lines(),
        parser_version=parser_version,
        complete=all(run.ended for run in reader.runs),
    )


class _DbenchReader:
    """Reads line by line. A run's operations precede its closing line, which has the number of clients."""

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self._run: ToolRun | None = None
        self._client: int | None = None
        self._in_table = False
        self._threads: int | None = None
        self._running: tuple[str, str, int] | None = None  # MB/s, seconds, line of the last line of progress
        self._faults: list[str] = []
        self.runs: list[ToolRun] = []
        self.version: str | None = None
        self.command: str | None = None
        self.line = 1
        self.nominal = False

    def take(self, line: str, number: int) -> bool:
        """Read one line; False if dbench does not print such lines."""
        if match := _CLOSING.fullmatch(line):
            self._closing(match, number)
        elif match := _BANNER.fullmatch(line):
            self.close()
            self.version, self.line = match[1], number
        elif match := _LOAD.fullmatch(line):
            facts = self._current_run(number).facts
            facts.update(runtime=int(match[1]), load=match[2].rpartition("/")[2])
            if match[3]:
                facts["warmup"] = int(match[3])
        elif match := _RUNNING.fullmatch(line):
            self._progress(match, number)
        elif _HEADER.fullmatch(line):
            self._current_run(number)
            self._in_table = True
        elif self._in_table and (match := _OPERATION.fullmatch(line)):
            self._operation(match, number)
        elif match := _CLIENT.fullmatch(line):
            self._client = int(match[1])
        elif _KNOWN.fullmatch(line):
            pass
        elif _FAULT.match(line):
            self._faults.append(line[:200])
        elif match := _COMMAND.fullmatch(line):
            self.command = match[1]
        else:
            return False
        return True

    def close(self) -> None:
        """End a run whose closing line is missing: the text ends, or another run begins."""
        run = self._run
        if run is None:
            return
        words = "; ".join(self._faults) or "the output ends before dbench's closing line"
        run.cells.append(RunValue(WHOLE, "throughput", None, run.line, error=words, status=FAILED))
        if self._running:
            rate, seconds, line = self._running
            words = f"dbench did not end: the throughput of its first {seconds} s is kept apart"
            run.cells.append(RunValue(WHOLE, "throughput", scaled(rate, 10**6), line, {"view": "running"}))
            self._collector.warn(words, line)
        self._end()

    def _current_run(self, number: int) -> ToolRun:
        if self._run is None:
            directories = _DIRECTORY.findall(self.command or "")
            self._run = ToolRun(number, place=directory("".join(directories[-1:])))
            self.runs.append(self._run)
        return self._run

    def _end(self) -> None:
        for cell in self._run.cells if self._run else ():
            cell.threads = self._threads
        self._run, self._client, self._threads, self._running, self._in_table = None, None, None, None, False
        self._faults.clear()

    def _progress(self, match: re.Match[str], number: int) -> None:
        self._current_run(number)
        if match[3] == "execute":
            self._threads, self._running = int(match[1]), (match[2], match[4], number)

    def _closing(self, match: re.Match[str], number: int) -> None:
        run = self._current_run(number)
        run.ended = True
        clients, processes = match[4] or match[5], match[5]
        self._threads = int(clients) if clients else self._threads
        for word, name in _SYNC.items():
            if word in match["sync"]:
                run.facts[name] = True
        if match[4] and processes:
            run.facts["processes"] = int(processes)
        error = f"dbench printed {match[1]}"
        run.cells.append(printed_value(WHOLE, "throughput", match[1], number, times=10**6, error=error))
        if match[6]:
            run.cells.append(_milliseconds("latency_max", match[6], number, WHOLE, {}))
        if match["nb"]:
            self.nominal = True
        if match[7].strip():
            self._collector.warn(f"the end of the line was not read: {match[7].strip()}", number)
        self._end()

    def _operation(self, match: re.Match[str], number: int) -> None:
        """Keep the mean and longest latency. The test is the table's operation in lower case."""
        params: dict[str, Param] = {} if self._client is None else {"client": self._client}
        for metric, printed in (("latency_mean", match[3]), ("latency_max", match[4])):
            self._current_run(number).cells.append(_milliseconds(metric, printed, number, match[1].lower(), params))


def _milliseconds(metric: str, printed: str, line: int, test: str, params: dict[str, Param]) -> RunValue:
    """A latency, printed in milliseconds."""
    error = f"dbench printed {printed}"
    if printed.endswith("nan"):
        return RunValue(test, metric, None, line, dict(params), error=error)
    return printed_value(test, metric, printed, line, params, over=1000, error=error)

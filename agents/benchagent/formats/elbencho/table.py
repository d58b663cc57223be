"""elbencho's table of phases, with the command lines above it.

"Last done" is the plain value, since it is the whole phase; "first done", until the first thread had finished, has the
view `first_done`. Where a phase has operations and files, the rate of files has `of: entries`.
"""

from __future__ import annotations

import re

from benchagent.formats.model import Param
from benchagent.formats.reading.runs import NUMBER, ToolRun, printed_value
from benchagent.formats.reading.text import lines_with

from .phases import ElbenchoSettings, command_in, mix_of, moves_data, test_of

_HEADER = re.compile(r"OPERATION +RESULT TYPE +FIRST DONE +LAST DONE")
_TIME = r"(?:[0-9]{1,4}h)?(?:[0-9]{1,4}m)?[0-9]{1,9}(?:\.[0-9]{1,3})?m?s"
_ROW = re.compile(
    r"(?:(?P<operation>[A-Z][A-Z0-9-]{1,20}) +)?"
    r"(?P<type>[A-Z][A-Za-z]{1,12}(?:/s)?(?: [A-Za-z%/]{1,12}){0,2}) *: +"
    rf"(?P<first>{NUMBER}|{_TIME}|-) +(?P<last>{NUMBER}|{_TIME}|-)"
)
_LATENCY = re.compile(
    r"(?P<what>[A-Z][A-Za-z]{1,10})(?P<part> wr| rd)? latency *: +"
    rf"\[ min=(?P<min>{NUMBER}[mu]?s) avg=(?P<avg>{NUMBER}[mu]?s)"
    rf" max=(?P<max>{NUMBER}[mu]?s) \]"
)
_PARTS = re.compile(rf"(?:([0-9]+)h)?(?:([0-9]+)m(?!s))?({NUMBER})(ms|us|s)")
_UNITS = {"s": 1, "ms": 1000, "us": 10**6}
_KNOWN = re.compile(
    r"=[= ]{5,100}|-{3,80}|NOTE: .{1,300}|.{1,12} (?:lat %|lat hist|latency hist).{0,2000}"
    r"|Time ms each *: \[[ 0-9]{1,5000}\]|ISO DATE: [-+0-9T:.]{10,40}"
)
_RATES = {"Files/s", "Dirs/s", "Objects/s", "Entries/s"}
_BOUNDS = {"min": "latency_min", "avg": "latency_mean", "max": "latency_max"}
_PARTS_OF_MIX = {" write": "mix_write", " read": "mix_read", " total": "mix", " wr": "mix_write", " rd": "mix_read"}
_PART = re.compile(r" (?:write|read|total)$")
_COUNTS = re.compile(r"Total .*|CPU util.*|(?:MiB|MB|Files|Dirs|Entries|Objects) (?:total|read|write)")
_STOPPED = re.compile(r"Terminating due to interrupt signal\.|[0-9:.]{8,20} ERROR: .{1,2000}")


def has_table(text: str) -> bool:
    """Whether the header of a table is in a text."""
    return any(_HEADER.fullmatch(line.strip()) for line in lines_with(text, "OPERATION"))


class PhaseTable:
    """The phases of a text, read line by line; each is a run."""

    def __init__(self) -> None:
        self._settings = ElbenchoSettings()
        self._operation = ""
        self.runs: list[ToolRun] = []
        self.commands: set[str] = set()

    def take(self, line: str, number: int) -> bool:
        """Read one line; False if elbencho does not print such lines."""
        if _HEADER.fullmatch(line):
            self._operation = ""
        elif match := _ROW.fullmatch(line):
            return self._row(match, number)
        elif self._operation and (match := _LATENCY.fullmatch(line)):
            self._latencies(match, number)
        elif command := command_in(line):
            self.commands.add(command)
            self._settings = ElbenchoSettings(command)
        elif _STOPPED.fullmatch(line):
            if self.runs:
                self.runs[-1].ended = False
            return "ERROR" not in line
        else:
            return bool(_KNOWN.fullmatch(line))
        return True

    def _row(self, match: re.Match[str], number: int) -> bool:
        """Keep both numbers of a row; the row that names the operation begins its phase."""
        if match["operation"]:
            self._operation = match["operation"]
            facts = {**self._settings.facts, **self._mix()}
            self.runs.append(ToolRun(number, facts, ended=True, place=self._settings.place))
        elif not self._operation:
            return False
        kind = match["type"]
        if _COUNTS.fullmatch(kind):
            return True
        part = _PART.search(kind)
        metric, times, over, params = _metric(kind[: part.start()] if part else kind)
        if not metric:
            return False
        if kind == "Dirs/s" and any(cell.metric == "rate" for cell in self.runs[-1].cells):  # of --dirstats
            params = {"of": "directories"}
        test = _PARTS_OF_MIX[part[0]] if part else self._test()
        for view, printed in (({}, match["last"]), ({"view": "first_done"}, match["first"])):
            self._add(test, metric, printed, number, {**params, **view}, times, over)
        return True

    def _test(self) -> str:
        return test_of(self._operation, random=self._settings.random)

    def _mix(self) -> dict[str, Param]:
        """The facts of a phase that reads and writes at once; nothing for other phases."""
        mix = mix_of(self._operation)
        return {**mix, "random": True} if mix and self._settings.random else mix

    def _latencies(self, match: re.Match[str], number: int) -> None:
        params: dict[str, Param] = {} if match["what"] == "IO" else {"of": "entries"}
        test = _PARTS_OF_MIX[match["part"]] if match["part"] else self._test()
        for name, metric in _BOUNDS.items():
            self._add(test, metric, match[name], number, params)

    def _add(
        self, test: str, metric: str, printed: str, number: int, params: dict[str, Param], times: int = 1, over: int = 1
    ) -> None:
        if parts := _PARTS.fullmatch(printed):
            over = _UNITS[parts[4]]
            whole, _, decimals = parts[3].partition(".")
            seconds = int(parts[1] or 0) * 3600 + int(parts[2] or 0) * 60
            digits = f"{seconds * over + int(whole)}.{decimals}".rstrip(".")
        elif printed == "-":
            return
        else:
            digits = printed
        run, settings = self.runs[-1], self._settings
        error = f"elbencho printed {printed}"
        cell = printed_value(test, metric, digits, number, params, times=times, over=over, error=error)
        cell.threads = settings.threads
        if moves_data(test):
            cell.file_size, cell.record_size = settings.file_size, settings.record_size
        elif cell.params.get("of") == "entries":
            cell.params = {name: value for name, value in cell.params.items() if name != "of"}
        run.cells.append(cell)


def _metric(kind: str) -> tuple[str, int, int, dict[str, Param]]:
    """Metric, unit as times and over, and params of a row; an empty metric for an unknown one."""
    if kind == "Elapsed ms":
        return "elapsed", 1, 1000, {}
    if kind == "Elapsed time":
        return "elapsed", 1, 1, {}
    if kind in ("Throughput MiB/s", "Throughput MB/s", "MiB/s", "MB/s"):
        return "throughput", 1024**2 if kind.endswith("MiB/s") else 10**6, 1, {}
    if kind == "IOPS":
        return "rate", 1, 1, {}
    return ("rate", 1, 1, {"of": "entries"}) if kind in _RATES else ("", 1, 1, {})

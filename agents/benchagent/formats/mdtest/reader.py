"""mdtest's summaries, versions 1.8 to 4.x: operations per second, their time where printed, each iteration with -v.

One iteration is one value. Of several, the mean is the test's plain value and max, min and sd have a ``view``; if the
iterations themselves are printed (``-v``), these are the values and the mean is a view too. A row of zeros is an
operation that was not requested. ``threads`` is the number of tasks.
"""

from __future__ import annotations

import re

from benchagent.formats.model import FormatError, Param, Parsed
from benchagent.formats.reading.blocks import keep_blocks
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.places import name_places
from benchagent.formats.reading.runs import NUMBER, RunValue, ToolRun, common, scaled
from benchagent.formats.reading.text import lines_with, split_lines

from . import command as mdtest_command

TOOL = "mdtest"

# All of them match whole lines without the blanks at their ends.
_BANNER = re.compile(
    r"mdtest-(\S{1,40}) was launched with ([0-9]{1,9}) total task\(?s?\)? on ([0-9]{1,9}) node.{0,200}"
)
_COMMAND = re.compile(r"Command line used: (.{1,5000})")
_ITEMS = re.compile(r"([0-9]{1,9}) tasks, ([0-9]{1,15}) (?:files/directories|files|directories)(?: .{0,80})?")
_SUMMARY = re.compile(r"SUMMARY(?: (rate|time))?(?: \(in (ops/sec|ms/op)\))?: \(of ([0-9]{1,9}) iterations\)")
_HEADER = re.compile(r"Operation +(per Rank: Max +Min +Mean +per Iteration: *)?Max +Min +Mean +Std Dev")
_EACH_HEADER = re.compile(r"Operation +Duration +Rate")
_OPERATION = r"([A-Z][a-z]{1,20}(?: [a-z]{1,20}){0,3})"
_ROW = re.compile(rf"{_OPERATION} {{0,40}}:?((?: {{1,40}}(?:-?nan|-?inf|{NUMBER})){{4,7}})")
# The rate when the first task hit the stonewall: only a mean.
_STONEWALL = re.compile(rf"([A-Z][a-z]{{1,20}}) create \(stonewall\) *: +NA +NA +({NUMBER}) +NA")
_EACH = re.compile(rf"(?:V-1: +)?(?:main: +)?{_OPERATION} *: +({NUMBER}) sec, +({NUMBER}) ops/sec")
_PATH = re.compile(r"Path *: (.{1,500})")
_STARTED = re.compile(r"[-–—]{1,2} ?started at .{1,60}")
_FINISHED = re.compile(r"[-–—]{1,2} ?finished at .{1,60}")
_FAULT = re.compile(r".{0,60}(?:ERROR|WARNING)\b.{0,500}")
_KNOWN = re.compile(
    r"V-[0-9]: .{0,5000}|FS *: .{0,200}|Nodemap: [01]{1,1000000}|-- hit stonewall|stonewall rank [0-9]{1,9}: .{1,80}"
    r"|[Cc]ontinue stonewall hit .{1,200}|[-–—]{1,20}(?: {1,40}[-–—]{1,20}){1,8}|random seed: [0-9]{1,12}"
    r"|rank [0-9]{1,9}: .{1,100}|\* iteration [0-9]{1,9} \*.{0,60}|Path *:"
    r"|\S{1,40} couldn't call statvfs: .{1,200}|dirpath\(s\):|/\S{1,500}|" + mdtest_command.LISTED.pattern
)
_VIEWS = ("max", "min", "mean", "sd")
_RANK_VIEWS = ("rank_max", "rank_min", "rank_mean")


def recognises(text: str) -> bool:
    lines = (line.strip() for line in lines_with(text, "mdtest-", "SUMMARY"))
    return any(_BANNER.fullmatch(line) or _SUMMARY.fullmatch(line) for line in lines)


def parse(text: str, parser_version: str) -> Parsed:
    """Read every run of a text; runs with the same command line and number of tasks are values of the same results."""
    collector = Collector()
    reader = _MdtestReader(collector)
    collector.read(enumerate(split_lines(text), start=1), reader.take)
    for run in reader.runs:
        if not run.ended:
            collector.warn("mdtest did not come to its end", run.line)
    if not any(run.cells for run in reader.runs):
        raise FormatError("no result is there: mdtest prints its summary at the end", reader.line)
    name_places(reader.runs)
    return Parsed(
        tool=TOOL,
        tool_version=reader.version,
        command=common(reader.commands),
        parameters=keep_blocks(collector, reader.runs),
        results=collector.results(),
        warnings=collector.warnings(),
        unread=collector.unread_lines(),
        parser_version=parser_version,
        complete=all(run.ended for run in reader.runs),
    )


class _MdtestReader:
    """Reads line by line. A run begins with a banner, or with a summary of rates after a finished run."""

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self._iterations = 0
        self._metric = ""  # of the summary that is being read
        self._over = 1
        self._tasks: int | None = None
        self._says_when = False
        self._each = False
        self._start: tuple[str, int | None] | None = None  # a command line of MPI, and its tasks
        self.runs: list[ToolRun] = []
        self.version: str | None = None
        self.commands: set[str] = set()
        self.line = 1

    def take(self, line: str, number: int) -> bool:
        """Read one line; False if mdtest does not print such lines."""
        if match := _BANNER.fullmatch(line):
            self._begin(number)
            self.version, self._tasks = match[1], int(match[2])
            self.runs[-1].facts["nodes"] = int(match[3])
        elif match := _SUMMARY.fullmatch(line):
            self._summary(match, number)
        elif self._metric and (match := _ROW.fullmatch(line)):
            self._row(match[1], match[2].split(), number)
        elif self._metric and (match := _STONEWALL.fullmatch(line)):
            self._cell(f"{match[1]} creation", self._metric, scaled(match[2], 1, self._over), number, "stonewall")
        elif match := _EACH.fullmatch(line):
            self._iteration(match, number)
        elif _STARTED.fullmatch(line):
            self._says_when = True
        elif _FINISHED.fullmatch(line):
            self._says_when = False
            if self.runs:
                self.runs[-1].ended = bool(self.runs[-1].cells)
        else:
            return self._setting(line, number) or bool(_KNOWN.fullmatch(line))
        return True

    def _setting(self, line: str, number: int) -> bool:
        if match := _COMMAND.fullmatch(line):
            self.commands.add(match[1])
            self._current_run(number).facts.update(mdtest_command.facts(match[1]))
        elif start := mdtest_command.started(line):
            self._start = start
        elif match := _ITEMS.fullmatch(line):
            self._tasks = int(match[1])
            self._current_run(number).facts["files"] = int(match[2])
        elif match := _PATH.fullmatch(line):
            self._current_run(number).facts["directory"] = match[1]
        elif _FAULT.fullmatch(line):
            self._collector.warn(line[:200], number)
        else:
            return bool(_HEADER.fullmatch(line) or _EACH_HEADER.fullmatch(line))
        return True

    def _begin(self, number: int) -> None:
        command, tasks = self._start or ("", None)
        self.runs.append(ToolRun(number, mdtest_command.facts(command)))
        self.line = number
        self._metric, self._tasks, self._each, self._start = "", tasks, False, None

    def _current_run(self, number: int) -> ToolRun:
        if not self.runs:
            self._begin(number)
        return self.runs[-1]

    def _summary(self, match: re.Match[str], number: int) -> None:
        """Begin a summary. A time in ms/op is the mean of one operation; without a unit it is the seconds of all."""
        run, time = self._current_run(number), match[1] == "time"
        if run.ended and not time and any(cell.metric == "rate" for cell in run.cells):
            self._begin(number)
        self._iterations = int(match[3])
        self._metric, self._over = ("latency_mean", 1000) if match[2] == "ms/op" else ("elapsed" if time else "rate", 1)
        self.runs[-1].facts["iterations"] = self._iterations
        self.runs[-1].ended = not self._says_when

    def _row(self, operation: str, printed: list[str], number: int) -> None:
        """Keep an operation's max, min, mean and sd over the iterations, and its max, min and mean over the tasks."""
        values = [None if text.endswith(("nan", "inf")) else scaled(text, 1, self._over) for text in printed]
        if not any(values) or len(values) in (5, 6):
            if any(values):
                self._collector.warn(f"{operation} has {len(values)} numbers, not 4 or 7: left out", number)
            return
        for view, value in zip(_RANK_VIEWS, values[:-4]):
            self._cell(operation, self._metric, value, number, view)
        most, least, mean, deviation = values[-4:]
        if most == least == mean and not deviation and not self._each:
            self._cell(operation, self._metric, mean, number)
            return
        for view, value in zip(_VIEWS, values[-4:]):
            plain = view == "mean" and not self._each
            self._cell(operation, self._metric, value, number, None if plain else view)

    def _iteration(self, match: re.Match[str], number: int) -> None:
        """Keep the time and rate of one iteration, which -v prints before the summary."""
        self._current_run(number)
        self._each = True
        rate = scaled(match[3])
        if rate:
            self._cell(match[1], "elapsed", scaled(match[2]), number)
            self._cell(match[1], "rate", rate, number)

    def _cell(self, operation: str, metric: str, value: float | None, number: int, view: str | None = None) -> None:
        params: dict[str, Param] = {"view": view} if view else {}
        test = operation.lower().replace(" ", "_")
        cell = RunValue(test, metric, value, number, params, threads=self._tasks, error="mdtest printed nan")
        if not value and view != "sd":
            cell.value, cell.error = None, "mdtest printed 0.000: too fast for its clock"
        size = self.runs[-1].facts.get("write_bytes")
        if test.startswith("file_") and isinstance(size, int) and size:
            cell.file_size = size
        self.runs[-1].cells.append(cell)

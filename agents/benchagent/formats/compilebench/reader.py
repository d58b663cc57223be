"""compilebench's summary: the mean throughput or time of each operation on trees of source files.

Its MB is MiB, by its source. The lines of single trees are known and not read: the trees of one operation differ, and
the summary has their mean.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from benchagent.formats.model import FAILED, Param, Parsed
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.command_options import command_options
from benchagent.formats.reading.parsed_runs import parsed_runs
from benchagent.formats.reading.runs import NUMBER, RunValue, ToolRun, common, printed_value
from benchagent.formats.reading.text import lines_with, split_lines

TOOL = "compilebench"
CLOCK = 0.01  # seconds; a tick of times()
FIRST = "intial create"  # as compilebench spells it
_TESTS = {
    FIRST: "initial_create",
    "create": "create",
    "patch": "patch",
    "compile": "compile",
    "clean": "clean",
    "read tree": "read_tree",
    "read compiled tree": "read_compiled_tree",
    "delete tree": "delete_tree",
    "delete compiled tree": "delete_compiled_tree",
    "stat tree": "stat_tree",
    "stat compiled tree": "stat_compiled_tree",
}
_MAKEJ = {"compile", "read compiled tree", "delete compiled tree"}  # and the first
_METRICS = {"MB/s": ("throughput", 1024**2), "seconds": ("elapsed", 1)}

# All patterns match whole lines without the blanks at their ends.
_NAMES = "|".join(_TESTS)
_ROW = re.compile(
    rf"({_NAMES}) total runs ([0-9]{{1,9}}) avg ({NUMBER}) (MB/s|seconds)(?: \(user ({NUMBER})s sys ({NUMBER})s\))?"
)
_NO_ROW = re.compile(rf"no runs for ({_NAMES})")
_BEGIN = re.compile(r"using working directory (.{1,900}), ([0-9]{1,9}) intial dirs ([0-9]{1,9}) runs")
_SIGNAL = re.compile(r"caught signal [0-9]{1,3}")
_TREE = re.compile(
    rf"(?:(?:native|create dir|patch dir|compile dir|clean) .{{1,200}} [0-9]{{1,9}}MB in {NUMBER} seconds"
    rf" \({NUMBER} MB/s\)|read dir .{{1,200}} in {NUMBER} {NUMBER} MB/s"
    rf"|(?:stat dir|delete) .{{1,200}} in {NUMBER} seconds)"
)
_KNOWN = re.compile(r"run complete:|={5,80}|creating /.{1,900}|error on drop caches, .{1,60}")
_PLACE = re.compile(r'File ".{1,300}", line [0-9]{1,6}, in .{1,100}')  # in a traceback; the next line is Python
_ERROR = re.compile(r"[A-Z][A-Za-z]{1,40}(?:Error|Exception|Interrupt)(?::.{0,500})?")


def recognises(text: str) -> bool:
    lines = (line.strip() for line in lines_with(text, " total runs ", " intial dirs "))
    return any(_ROW.fullmatch(line) or _BEGIN.fullmatch(line) for line in lines)


def parse(text: str, parser_version: str) -> Parsed:
    """Read every run of a text. Raises FormatError if there is none."""
    collector = Collector()
    reader = _CompilebenchReader(collector)
    collector.read(enumerate(split_lines(text), start=1), reader.take)
    return parsed_runs(
        TOOL,
        collector,
        [run.finished() for run in reader.runs],
        lacking="no result is there: compilebench prints its summary at the end",
        parser_version=parser_version,
        command=common(reader.commands),
        clock_resolution=CLOCK,
    )


@dataclass
class _CompilebenchRun(ToolRun):
    rows: dict[str, int] = field(default_factory=dict)  # the trees of each row of the summary
    fault: str = "the output ends before compilebench's summary"
    signal: bool = False

    def finished(self) -> _CompilebenchRun:
        """The run with what its summary shows; a run without a figure has failed."""
        if not self.cells:
            self.cells = [RunValue(_TESTS[FIRST], "throughput", None, self.line, error=self.fault, status=FAILED)]
        self.ended = len(self.rows) == len(_TESTS) and not self.signal
        if self.rows and not self.signal:
            self._set_facts()
        if self.facts.get("makej"):
            self.facts.pop("operations", None)  # compilebench prints their number, but does none of them
        return self

    def _set_facts(self) -> None:
        """Set the facts that the summary shows too, because it counts the trees of every test."""
        trees = {name: count for name, count in self.rows.items() if count}
        first = trees.pop(FIRST, 0)
        if set(trees) == _MAKEJ and first == trees["compile"] == trees["delete compiled tree"]:
            self.facts["makej"] = True
        if first:
            self.facts.setdefault("trees", first)
        if self.ended:
            self.facts.setdefault("operations", sum(trees.values()))


class _CompilebenchReader:
    """Reads line by line. A run begins with its directory, or with a row that the run before it has already."""

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self._command = ""
        self._before = ""  # the line before this one, if both are of a traceback
        self.runs: list[_CompilebenchRun] = []
        self.commands: set[str] = set()

    def take(self, line: str, number: int) -> bool:
        """Read one line; False if compilebench does not print such lines."""
        if self._traceback(line, number):
            return True
        if match := _BEGIN.fullmatch(line):
            run = self._begin(number)
            run.facts.update(directory=match[1], trees=int(match[2]), operations=int(match[3]))
        elif match := _ROW.fullmatch(line):
            self._row(match, number)
        elif match := _NO_ROW.fullmatch(line):
            self._run_without(match[1], number).rows[match[1]] = 0
        elif self.runs and _SIGNAL.fullmatch(line):
            self.runs[-1].signal = True
            self._collector.warn(line, number)
        elif command := command_in(line):
            self._command = command
            self.commands.add(command)
        else:
            return bool(_TREE.fullmatch(line) or _KNOWN.fullmatch(line))
        return True

    def _traceback(self, line: str, number: int) -> bool:
        """Read a line of Python's traceback, whose last line is the fault of the run."""
        before, self._before = self._before, ""
        if not self.runs:
            return False
        if before and _ERROR.fullmatch(line):
            self.runs[-1].fault = line
            self._collector.warn(line, number)
            return True
        if line.startswith("Traceback (") or (before and (_PLACE.fullmatch(line) or _PLACE.fullmatch(before))):
            self._before = line
        return bool(self._before)

    def _begin(self, number: int) -> _CompilebenchRun:
        self.runs.append(_CompilebenchRun(number, command_facts(self._command)))
        self._command = ""
        return self.runs[-1]

    def _run_without(self, name: str, number: int) -> _CompilebenchRun:
        """The run that a row of the summary belongs to."""
        return self._begin(number) if not self.runs or name in self.runs[-1].rows else self.runs[-1]

    def _row(self, match: re.Match[str], number: int) -> None:
        name, trees, printed, unit, user, system = match.groups()
        run = self._run_without(name, number)
        run.rows[name] = int(trees)
        metric, times = _METRICS[unit]
        for of, text, factor in ((metric, printed, times), ("user_time", user, 1), ("system_time", system, 1)):
            if text is not None:
                error = f"compilebench printed {text}"
                run.cells.append(printed_value(_TESTS[name], of, text, number, times=factor, error=error))


_COMMAND = re.compile(
    r"(?:.{0,200}[$#%>] {0,3})?(?:(?:sudo|time|python[0-9.]{0,5}) {1,3}){0,3}"
    r"((?:\S{0,200}/)?compilebench(?: +\S{1,500}){1,50})"
)
_LONG = {
    "buffer-size": "b", "initial-dirs": "i", "runs": "r", "directory": "D", "makej": "m", "no-sync": "n",
}  # fmt: skip
_COUNTS = {"i": "trees", "r": "operations", "b": "buffer_size"}
_FLAGS = {"m": "makej", "n": "no_sync"}


def command_in(line: str) -> str | None:
    """The command that starts compilebench in a line; None if there is none."""
    match = _COMMAND.fullmatch(line) if "compilebench " in line else None
    return match[1] if match and " -" in match[1] else None


def command_facts(command: str) -> dict[str, Param]:
    """The facts that a command line states; the size of the buffer is in bytes."""
    words: list[str] = []
    for word in command.split()[1:]:
        name, _, value = word[2:].partition("=")
        words += [f"-{_LONG[name]}", *([value] if value else [])] if word[:2] == "--" and name in _LONG else [word]
    options = command_options(words, takes="birDstd")
    facts: dict[str, Param] = {name: True for flag, name in _FLAGS.items() if flag in options}
    for option, name in _COUNTS.items():
        printed = options.get(option, [""])[-1]
        if re.fullmatch("[0-9]{1,9}", printed):
            facts[name] = int(printed)
    if options.get("D"):
        facts["directory"] = options["D"][-1]
    return facts

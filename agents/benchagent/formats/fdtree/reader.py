"""fdtree's output: creating and removing a tree of directories and files, each timed in whole seconds.

fdtree divides in whole numbers (bash), so a rate is rounded down, and a step shorter than a second has the rate 0.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from benchagent.formats.model import FAILED, FormatError, Parsed
from benchagent.formats.reading.blocks import keep_blocks
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.places import directory, name_places
from benchagent.formats.reading.printed_times import read_times
from benchagent.formats.reading.runs import RunValue, ToolRun, common, printed_value
from benchagent.formats.reading.text import lines_with, split_lines

TOOL = "fdtree"
TESTS = ("directory_create", "file_create", "file_remove", "directory_remove")
_UNITS = {"directory levels": "levels", "directories at each level": "directories", "files of size": "files"}

_I = r"[0-9]{1,15}"
_BEGIN = re.compile(r"\s{0,9}fdtree(?:-(\S{1,40}))?: starting at (\S.{0,900})")
_COMMAND = re.compile(r".{0,200}?[$#>%] {0,3}((?:time )?\S{0,200}fdtree(?:\.bash)?(?: .{0,300})?)")
_SHAPE = re.compile(
    rf"\s{{1,20}}(?:creat|delet|remov)[a-z/]{{1,20}} ({_I}) directory levels with ({_I}) directories at each"
)
_FILES = re.compile(rf"\s{{1,20}}with ({_I}) files of size ({_I})KiB per directory")
_TOTAL = re.compile(rf"\s{{1,20}}for a total of (?:{_I}) (?:directories|files and ({_I})KiB)")
_TIME = re.compile(
    rf"\s{{0,9}}(DIRECTORY|FILE) (CREATE|REMOVE) TIME IN, OUT, TOTAL\s{{1,9}}= {_I}, {_I}, ({_I})\s{{0,9}}"
)
_RATE = re.compile(rf"\s{{0,20}}(Directory|File) (create|removal)s per second\s{{0,9}}= \s{{0,9}}({_I})\s{{0,9}}")
_KIB = re.compile(rf"\s{{0,20}}KiB per second\s{{0,30}}= \s{{0,9}}({_I})\s{{0,9}}")
# The output of `date` depends on the locale: a time of day and a year, in any order.
_DATE = re.compile(r"(?=.{0,40}[0-9]{1,2}[:.][0-9]{2}[:.][0-9]{2})(?=.{0,60}[0-9]{4})\S.{10,70}")
_DEBUGGING = re.compile(
    r"\s{0,9}(?:NDTOT =|entering |creating (?:dir|file)\(|recursing |rmdir |rm -f |(?:create|remove)_(?:dirs|files)\()"
)


@dataclass
class _FdtreeRun(ToolRun):
    version: str | None = None
    file_size: int | None = None
    bytes_asked: int | None = None
    test: str | None = None  # whose numbers are being read
    zero: str = ""  # the reason for a zero rate
    done: set[str] = field(default_factory=set)


def recognises(text: str) -> bool:
    if "fdtree" not in text and " TIME IN, OUT, TOTAL" not in text:
        return False
    lines = lines_with(text, ": starting at ", " TIME IN, OUT, TOTAL")
    return any(_BEGIN.match(line) or _TIME.fullmatch(line) for line in lines)


def parse(text: str, parser_version: str) -> Parsed:
    """Read every run of a text, and the lines of `time` around it. Raises FormatError if there is none."""
    collector = Collector()
    runs, commands = _read(text, collector)
    if not runs:
        raise FormatError("no line of fdtree is there: `fdtree-1.0.2: starting at …`, or a time")
    for run in runs:
        _complete(run, collector)
    name_places(runs)
    shared = keep_blocks(collector, runs)
    return Parsed(
        tool=TOOL,
        tool_version=common(run.version for run in runs),
        command=common(commands),
        results=collector.results(),
        warnings=collector.warnings(),
        parser_version=parser_version,
        clock_resolution=1.0,
        complete=all(run.ended for run in runs),
        parameters=shared,
        unread=collector.unread_lines(),
    )


def _read(text: str, collector: Collector) -> tuple[list[_FdtreeRun], list[str]]:
    runs: list[_FdtreeRun] = []
    commands: list[str] = []
    for number, line in enumerate(map(str.rstrip, split_lines(text)), start=1):
        if not line.strip():
            continue
        if begin := _BEGIN.match(line):
            within = directory(begin[2].rstrip("/").rpartition("/")[0])  # the last part has the host and the process
            runs.append(_FdtreeRun(number, version=begin[1], place=within))
        elif command := _COMMAND.fullmatch(line):
            commands.append(command[1])
        elif _TIME.fullmatch(line) and (not runs or _test_of(line) in runs[-1].done):
            runs.append(_FdtreeRun(number))
            _numbers(runs[-1], line, number)
        elif runs and (_shape(runs[-1], line) or _numbers(runs[-1], line, number)):
            continue
        elif not _DATE.fullmatch(line) and not _DEBUGGING.match(line):
            collector.unread(number, line)
    return runs, commands


def _shape(run: _FdtreeRun, line: str) -> bool:
    """Read the shape of the tree. Its facts have the names of fsload's own `tree` workload."""
    if shape := _SHAPE.match(line):
        run.facts.update(levels=int(shape[1]), directories=int(shape[2]))
    elif files := _FILES.match(line):
        run.file_size = int(files[2]) * 1024
        run.facts.update(files=int(files[1]), file_size=run.file_size)
    elif total := _TOTAL.match(line):
        run.bytes_asked = int(total[1]) * 1024 if total[1] else run.bytes_asked
    else:
        return False
    return True


def _numbers(run: _FdtreeRun, line: str, number: int) -> bool:
    """Read a time or a rate."""
    if match := _TIME.fullmatch(line):
        run.test = _test_of(line)
        run.done.add(run.test)
        run.zero = "it took less than a second" if int(match[3]) == 0 else "less than one in a second"
        _add(run, run.test, "elapsed", match[3], number)
    elif (match := _RATE.fullmatch(line)) and run.test:
        _add(run, run.test, "rate", match[3], number)
    elif (match := _KIB.fullmatch(line)) and run.test:
        _add(run, run.test, "throughput", match[1], number, times=1024)
    elif timed := read_times(line):
        run.cells += [
            RunValue("run", metric, value or None, number, error="0") for metric, value in timed.values.items()
        ]
    else:
        return False
    return True


def _test_of(line: str) -> str:
    match = _TIME.fullmatch(line)
    return f"{match[1]}_{match[2]}".lower() if match else ""


def _add(run: _FdtreeRun, test: str, metric: str, printed: str, line: int, times: int = 1) -> None:
    cell = printed_value(test, metric, printed, line, times=times, error=f"fdtree printed {printed}: {run.zero}")
    if test.startswith("file"):
        cell.file_size = run.file_size or None
    if test == "file_create" and run.bytes_asked:
        cell.evidence = {"logical_bytes": run.bytes_asked}
    run.cells.append(cell)


def _complete(run: _FdtreeRun, collector: Collector) -> None:
    """Set whether the run ended, and its version. It creates (-C), removes (-R) or both; the last step ends it."""
    run.ended = bool(run.done) and run.test in ("file_create", "directory_remove")
    if run.version:
        run.facts["version"] = run.version
    if not run.done:
        run.cells.append(RunValue(TESTS[0], "rate", None, run.line, error="fdtree printed no time", status=FAILED))
    if not run.ended:
        collector.warn("the run is not complete: fdtree printed no time of its last step", run.line)

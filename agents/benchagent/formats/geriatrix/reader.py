"""Reads the summary of Geriatrix: the duration of the aging of a file system, and the amount of written data.

Its MB are 1024 × 1024 bytes, rounded down (its dumpStats). It reads the clock after every 10,000 operations, so fewer
operations take 0 minutes. Whether the distributions converged, and the files with them, are facts of the aged file
system and no measurements of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from benchagent.formats.model import FAILED, FormatError, Param, Parsed
from benchagent.formats.reading.blocks import keep_blocks
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.places import directory, name_places
from benchagent.formats.reading.runs import RunValue, ToolRun, common, printed_value, scaled
from benchagent.formats.reading.text import lines_with, split_lines

TOOL = "geriatrix"
TEST = "aging"

_BEGIN = re.compile(r"\s{0,9}={3,40} OVERALL STATISTICS ={3,40}\s{0,9}")
_END = re.compile(r"\s{0,9}={20,90}\s{0,9}")
_RUNTIME = re.compile(r"\s{0,9}Total runtime = ([0-9]{1,15}(?:\.[0-9]{1,9})?(?:e[+-][0-9]{2})?) mins\.\s{0,9}")
_WORKLOAD = re.compile(r"\s{0,9}Total aging workload created = ([0-9]{1,13}) MB\s{0,9}")
_OVERWRITES = re.compile(r"\s{0,9}Number of disk overwrites = ([0-9]{1,9})\s{0,9}")  # the requested number: -i
_PROGRESS = re.compile(r"\s{0,9}Workload = [0-9]{1,13} MB, Runtime = ")
_KNOWN = re.compile(
    r"\s{0,9}(?:Aging stopped (?:because|due to) .{1,200}|Total number of operations = [0-9]{1,19}"
    r"|Perfect convergence achieved|Confidence achieved .{1,80}"
    r"|(?:Size|Dir depth|Age) distribution dumped in .{1,900})"
)
_DISTRIBUTION = re.compile(r"(?:SIZE|DEPTH|BUCKET) FRACTION TYPE\s{0,9}")
_SHARE = re.compile(r"[0-9]{1,19} [0-9.e-]{1,20} (?:IDEAL|ACTUAL)\s{0,9}")
_COMMAND = re.compile(
    r"\s{0,9}(?:\S{0,99}[$#>%] {0,3})?(?:sudo )?((?:\S{0,400}/)?geriatrix((?: -[a-z] \S{1,400}){3,40}))\s{0,9}"
)
_MOUNT_POINT = re.compile(r" -m (\S+)")
# Options that set the workload (README), under the names of fsload's `age`; the others are paths and stop conditions.
_OPTIONS = {
    "n": "capacity",
    "u": "fullness",
    "r": "seed",
    "t": "threads",
    "i": "overwrites",
    "w": "minutes",
    "b": "backend",
}


def recognises(text: str) -> bool:
    if "Aging stopped" not in text and "aging workload" not in text and "Convergence ops" not in text:
        return False
    lines = lines_with(text, " OVERALL STATISTICS ", " MB, Runtime = ")
    return any(_BEGIN.fullmatch(line) or _PROGRESS.match(line) for line in lines)


def parse(text: str, parser_version: str) -> Parsed:
    """Read every summary of a text. Raises FormatError if there is none."""
    collector = Collector()
    runs, commands = _read(text, collector)
    if not runs:
        raise FormatError("the overall statistics of Geriatrix are not there")
    for run in runs:
        if not run.ended:
            collector.warn("the output is not complete: the line of = under the statistics is missing", run.line)
    name_places(runs)
    shared = keep_blocks(collector, runs)
    return Parsed(
        tool=TOOL,
        tool_version=None,
        command=common(commands),
        results=collector.results(),
        warnings=collector.warnings(),
        parser_version=parser_version,
        complete=all(run.ended for run in runs),
        parameters=shared,
        unread=collector.unread_lines(),
    )


def _read(text: str, collector: Collector) -> tuple[list[ToolRun], list[str]]:
    runs: list[ToolRun] = []
    commands: list[str] = []
    options: Mapping[str, Param] = {}
    place = ""
    for number, line in enumerate(map(str.rstrip, split_lines(text)), start=1):
        run = runs[-1] if runs and not runs[-1].ended else None
        if _BEGIN.fullmatch(line) or _PROGRESS.match(line):
            if run is None:
                missing = RunValue(TEST, "elapsed", None, number, error="Geriatrix printed no runtime", status=FAILED)
                runs.append(ToolRun(number, dict(options), [missing], place=place))
                options, place = {}, ""
        elif run and (runtime := _RUNTIME.fullmatch(line)):
            error = f"Geriatrix printed {runtime[1]} mins.: it looks at the clock after every 10,000 operations"
            run.cells[0] = printed_value(TEST, "elapsed", runtime[1], number, times=60, error=error)
        elif run and (workload := _WORKLOAD.fullmatch(line)):
            run.cells[0].evidence = {"logical_bytes": int(workload[1]) * 1024 * 1024}
        elif run and (overwrites := _OVERWRITES.fullmatch(line)):
            run.facts["overwrites"] = int(overwrites[1])
        elif run and _END.fullmatch(line):
            run.ended = True
        elif command := _COMMAND.fullmatch(line):
            commands.append(command[1])
            options, place = _options(command[2]), directory("".join(_MOUNT_POINT.findall(command[2])[-1:]))
        elif line.strip() and not any(kind.match(line) for kind in (_KNOWN, _DISTRIBUTION, _SHARE)):
            collector.unread(number, line)
    for run in runs:
        run.cells[0].threads = _threads(run.facts.pop("threads", None))
    return runs, commands


def _options(words: str) -> dict[str, Param]:
    """The options of a command line: `-n 21474836480 -u 0.8` → {"capacity": 21474836480, "fullness": 0.8}."""
    pairs = words.split()
    return {_OPTIONS[name[1]]: _typed(value) for name, value in zip(pairs[::2], pairs[1::2]) if name[1] in _OPTIONS}


def _typed(word: str) -> Param:
    if re.fullmatch(r"[0-9]{1,18}", word):
        return int(word)
    return scaled(word) if re.fullmatch(r"[0-9]{1,9}\.[0-9]{1,9}", word) else word[:100]


def _threads(number: Param | None) -> int | None:
    return number if isinstance(number, int) and number > 0 else None

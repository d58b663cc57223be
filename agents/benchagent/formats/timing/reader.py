"""Reads the output of `time`: bash, ksh, zsh, csh, POSIX `time -p`, GNU time with and without -v; and its session.

A timing belongs to the command before it in the session, which names the test; without it the test is `command`. Any
program may have been timed, so this format comes last.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from benchagent.formats.model import FAILED, FormatError, Param, Parsed
from benchagent.formats.reading.blocks import Line, keep_blocks
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.printed_times import REAL, PrintedTimes, read_copy_rate, read_times
from benchagent.formats.reading.runs import RunValue, ToolRun, common
from benchagent.formats.reading.text import lines_with, split_lines

from .commands import TimedCommand, read_command, test_of
from .messages import files_of, is_chatter, is_failure, is_remark, timed_command

TOOL = "time"
_REPAIRED = (" 1", " 2", " 3")  # e2fsck(8): errors were corrected
_HINT = re.compile(r"real|[0-9]elapsed |Elapsed|total|[0-9]u [0-9]")  # a word of each line with the elapsed time


@dataclass
class _Timing:
    """One run of one command. `values`: (base units, line) by metric. `printed`: known words of the command."""

    command: str | None = None
    printed: list[str] = field(default_factory=list)
    failure: str | None = None
    values: dict[str, tuple[float, int]] = field(default_factory=dict)
    tick: float | None = None

    @property
    def test(self) -> str:
        return test_of(self.command, "\n".join(self.printed))

    @property
    def repaired(self) -> bool:
        """Whether this is a file system check that ended with 1 to 3, its status after repairs, which is a success."""
        return self.failure is not None and self.test.startswith("fsck") and self.failure.endswith(_REPAIRED)

    @property
    def files(self) -> int | None:
        return files_of(self.printed)

    def takes(self, figures: PrintedTimes) -> bool:
        return not self.values.keys() & figures.values.keys()

    def add(self, figures: PrintedTimes, line: int) -> None:
        self.values.update({metric: (value, line) for metric, value in figures.values.items()})
        self.command = figures.command or self.command
        self.tick = figures.tick or self.tick


def recognises(text: str) -> bool:
    return any(
        (figures := read_times(line)) is not None and REAL in figures.values
        for line in lines_with(text.replace("\xa0", " "), "real", "elapsed ", "Elapsed", "total", "u ")
        if _HINT.search(line)
    )


def times(text: str) -> dict[str, float]:
    """The times of one timing (`real …`, `user …`, `sys …`) by metric: elapsed, user_time, system_time, in seconds.

    Raises FormatError if the text has several timings or none, or another line.
    """
    session = _read(text)
    timings, collector = session.timings, session.collector
    if len(timings) != 1 or collector.unread_lines():
        raise FormatError(
            f"{len(timings)} timings and {len(collector.unread_lines())} other lines, not one timing alone"
        )
    return {metric: value for metric, (value, _) in timings[0].values.items()}


def parse(text: str, parser_version: str) -> Parsed:
    """Read every timing of a text. The same command again is another value of the same result."""
    session = _read(text)
    all_timings, collector = session.timings, session.collector
    if not any(REAL in timing.values for timing in all_timings):
        raise FormatError("no line of `time` is there: real, elapsed or total, with a time")
    by_test: dict[str, list[_Timing]] = {}
    for timing in all_timings:
        if timing.values:
            by_test.setdefault(timing.test, []).append(timing)
        if timing.repaired:
            collector.warn(f"{timing.command}: {timing.failure}, so it found something to repair")
    for timings in by_test.values():
        runs = [_run(timing, number) for number, timing in enumerate(timings, start=1)]
        keep_blocks(collector, runs, headings=session.headings)
    files = common(timing.files for timing in all_timings if timing.files is not None)
    return Parsed(
        tool=TOOL,
        tool_version=None,
        command=common(timing.command for timing in all_timings),
        results=collector.results(),
        warnings=collector.warnings(),
        parser_version=parser_version,
        clock_resolution=common(timing.tick for timing in all_timings),
        parameters={} if files is None else {"files": files},
        unread=collector.unread_lines(),
    )


def _lines(text: str) -> list[str]:
    """Lines of a text, in which no-break spaces of web pages are replaced."""
    return split_lines(text.replace("\xa0", " "))


def _read(text: str) -> _TimedSession:
    """A session with its timings, in order. Lines that are neither part of a timing nor known messages are unread."""
    session = _TimedSession()
    for number, line in enumerate(_lines(text), start=1):
        if line.strip():
            session.read(number, line)
    session.forget()
    return session


@dataclass
class _TimedSession:
    """The session so far. `printed` and `strange` are known and other lines since the last `command` or timing.

    `headings` are lines that may distinguish timings: remarks, other lines above a command, prompts, and commands that
    make or mount a file system.
    """

    collector: Collector = field(default_factory=Collector)
    timings: list[_Timing] = field(default_factory=list)
    headings: list[Line] = field(default_factory=list)
    current: _Timing | None = None  # the one whose lines are being read
    command: TimedCommand | None = None
    printed: list[str] = field(default_factory=list)
    strange: list[Line] = field(default_factory=list)
    failure: str | None = None
    copied: list[tuple[float, int]] = field(default_factory=list)  # dd's rates since then, with their lines

    def read(self, number: int, line: str) -> None:
        figures, named = read_times(line), timed_command(line)
        if named is not None or (figures and not (self.current and self.current.takes(figures))):
            self.current = _Timing(named or self._named(), self.printed, self.failure)
            if len(self.copied) == 1:
                self.current.values["throughput"] = self.copied[0]
                self.strange = [line for line in self.strange if line[0] != self.copied[0][1]]
            self.timings.append(self.current)
            if not self.command and not named:
                self.headings += self.strange
            again = self.command if named is None and self.command and self.command.again else None
            self.command = replace(again, timed=False) if again else None  # until another command is seen
            self.printed, self.failure = [], None
            self.forget()
        if figures and self.current:
            self.current.add(figures, number)
        elif named is None:
            self._other(number, line)

    def forget(self) -> None:
        """Mark a command's other lines as unread, unless they gave its error or its rate."""
        for number, line in self.strange:
            self.collector.unread(number, line)
        self.strange, self.copied = [], []

    def _named(self) -> str | None:
        """The command that the next times belong to; None if another one may have run since."""
        command = self.command
        if command is None or not command.is_known:
            return None
        rates = {line for _, line in self.copied}
        foreign = [line for number, line in self.strange if number not in rates and not command.prints(line)]
        return command.text if command.timed or command.again or self.failure or not foreign else None

    def _other(self, number: int, line: str) -> None:
        is_message = is_chatter(line)
        if not is_message:  # GNU time's other lines come between its times
            self.current = None
        if is_failure(line):
            self.failure = "; ".join([*(words.strip()[:200] for _, words in self.strange[-3:]), line.strip()])
            self.strange = self.strange[:-3]
        elif (command := read_command(line, number)) is not None:
            self._take(command)
        elif is_message:
            self.printed.append(line)
            if is_remark(line):
                self.headings.append((number, line))
        else:
            self.strange.append((number, line))
            if (rate := read_copy_rate(line)) is not None:
                self.copied.append((rate, number))

    def _take(self, command: TimedCommand) -> None:
        self.headings += self.strange
        self.forget()
        if command.prompt:
            self.headings.append((command.line, command.prompt))
        if command.prepares:
            self.headings.append((command.line, command.text))
        if not (self.command and self.command.timed and not command.timed):
            self.command, self.printed = command, []


def _run(timing: _Timing, number: int) -> ToolRun:
    """A timing as a run. Timings of one test differ in their command and number of checked files, or in their number.

    The times of a failed command are no measurements of its work.
    """
    facts: dict[str, Param] = {} if timing.command is None else {"command": timing.command}
    if timing.command is None:
        facts["timing"] = number
    if timing.files is not None:
        facts["files"] = timing.files
    failure, test = None if timing.repaired else timing.failure, timing.test
    run = ToolRun(
        min(line for _, line in timing.values.values()), facts, failure=failure or "time printed no such figure"
    )
    for metric, (value, line) in timing.values.items():
        if failure:
            run.cells.append(RunValue(test, metric, None, line, error=failure, status=FAILED))
        elif metric in (REAL, "throughput") and not value:
            run.cells.append(RunValue(test, metric, None, line, error="0 was printed: too little for its digits"))
        else:
            run.cells.append(RunValue(test, metric, value, line))
    return run

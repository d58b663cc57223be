"""dd's reports, of coreutils in every language, BusyBox, BSD and macOS, in the session around them.

Each copy has `elapsed` and `throughput`. The command above it names the test: `create`, `write` or `read` of a file,
`raw_read` or `raw_write` of a device, else `copy`.
"""

from __future__ import annotations

from benchagent.formats.model import Parsed
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.parsed_runs import parsed_runs
from benchagent.formats.reading.printed_times import REAL, read_times
from benchagent.formats.reading.runs import ToolRun, common, printed_value
from benchagent.formats.reading.text import lines_with, split_lines

from .command import CopyCommand, commands_in
from .line import MARKS, CopyLine, is_records, read_copy

TOOL = "dd"


def recognises(text: str) -> bool:
    """Whether dd reports a copy. Copies that were timed belong to the format of `time`."""
    copies = any(read_copy(part) for line in lines_with(text, *MARKS) for part in line.split("\r"))
    return copies and not any(
        REAL in times.values for line in lines_with(text, "real", "elapsed ", "total") if (times := read_times(line))
    )


def parse(text: str, parser_version: str) -> Parsed:
    """Read every copy of a text. The same command again is another value. Raises FormatError if there is no copy."""
    collector = Collector()
    reader = _DdReader(collector)
    for number, line in enumerate(split_lines(text), start=1):
        if line.strip():
            reader.read(line, number)
    return parsed_runs(
        TOOL,
        collector,
        reader.runs,
        lacking="no copy is there: dd prints its bytes, seconds and rate at the end",
        parser_version=parser_version,
        command=common(reader.commands),
    )


class _DdReader:
    """Reads line by line. `_progress` is whether the last run may be a report of progress (status=progress)."""

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self._queue: list[CopyCommand] = []  # of one line; the last one also reports further copies
        self._counted = False
        self._progress = False
        self.runs: list[ToolRun] = []
        self.commands: set[str] = set()

    def read(self, line: str, number: int) -> None:
        parts = [part for part in line.split("\r") if part.strip()]
        copies = [read_copy(part) for part in parts]
        if copies and copies[-1] is not None:
            for part, copy in zip(parts, copies):
                if copy is None:
                    self._collector.unread(number, part)
            self._copy(copies[-1], number, len(parts))
        elif is_records(line):
            if self._progress and not self._counted:
                self.runs.pop()
            self._counted, self._progress = True, False
        elif commands := commands_in(line):
            self._queue = commands
            self.commands.update(command.text for command in commands)
            self._counted = self._progress = False
        else:
            self._progress = False
            self._collector.unread(number, line)

    def _copy(self, copy: CopyLine, number: int, parts: int) -> None:
        if self._progress:  # only the last report of a copy is of the whole
            self.runs.pop()
        self._progress = not self._counted and (parts > 1 or self._shows_progress())
        command = self._queue[0] if self._queue else None
        if len(self._queue) > 1 and not self._progress:
            self._queue.pop(0)
        self.runs.append(self._run(copy, command, number))
        self._counted = False

    def _shows_progress(self) -> bool:
        return bool(self._queue) and "status=progress" in self._queue[0].text

    def _run(self, copy: CopyLine, command: CopyCommand | None, number: int) -> ToolRun:
        run = ToolRun(number, dict(command.facts) if command else {}, ended=True)
        run.place = command.place if command else ""
        test = command.test if command else "copy"
        elapsed = printed_value(test, "elapsed", copy.time, number, error="0 seconds were printed")
        run.cells.append(elapsed)
        if copy.fits:
            run.cells.append(
                printed_value(test, "throughput", copy.rate, number, times=copy.unit, error="a rate of 0 was printed")
            )
        else:
            words = "the rate differs from bytes divided by seconds: it was left out"
            self._collector.warn(words, number)
        if not command or not command.of_file:
            run.facts["bytes_copied"] = copy.bytes
        for cell in run.cells:
            cell.record_size = command.record_size if command else None
            cell.file_size = copy.bytes if command and command.of_file else None
            cell.threads = 1
        run.cells[-1].evidence = {"logical_bytes": copy.bytes}
        return run

"""dd's reports, of coreutils in every language, BusyBox, BSD and macOS, in the session around them.

Each copy has `elapsed` and `throughput`. The command above it names the test: `create`, `write` or `read` of a file,
`raw_read` or `raw_write` of a device, else `copy`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from benchagent.formats.model import Parsed
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.parsed_runs import parsed_runs
from benchagent.formats.reading.printed_times import REAL, read_times
from benchagent.formats.reading.runs import ToolRun, common, printed_value
from benchagent.formats.reading.text import lines_with, split_lines

from .command import CopyCommand, commands_in

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


_WORD = r"[^\W\d_][^\d\s,，、;:()（）]{0,20}"  # of any language
_TIME = r"[0-9]{1,9}(?:[.,][0-9]{1,12})?(?:e-[0-9]{1,2})?"
_COMMA = r"[,，、;] ?"
_GNU = re.compile(
    rf"(?:{_WORD} )?(?P<bytes>[0-9]{{1,18}}) ?{_WORD}(?: ?[(（][^()（）]{{1,60}}[)）])?(?: ?{_WORD}){{0,3}}{_COMMA}"
    rf"(?P<time>{_TIME}) ?{_WORD}{_COMMA}"
    rf"(?P<rate>[0-9]{{1,15}}(?:[.,][0-9]{{1,6}})?)(?P<blank> ?)(?P<power>[kKMGTP]?)B/{_WORD}"
)
_BSD = re.compile(
    rf"(?P<bytes>[0-9]{{1,18}}) bytes transferred in (?P<time>{_TIME}) secs \((?P<rate>[0-9]{{1,15}}) bytes/sec\)"
)
_RECORDS = re.compile(rf"(?:{_WORD} ?)?[0-9]{{1,15}}\+[0-9]{{1,15}} {_WORD}(?: {_WORD}){{0,3}}")
MARKS = ("B/", " bytes/sec)")


@dataclass(frozen=True)
class CopyLine:
    """A copy of `bytes`. `time` is seconds as printed, `rate` times `unit` bytes a second.

    `fits` is whether bytes, time and rate agree, within the digits that are printed.
    """

    bytes: int
    time: str
    rate: str
    unit: int

    @property
    def fits(self) -> bool:
        seconds, rate = float(self.time), float(self.rate) * self.unit
        half_time, half_rate = _half_digit(self.time), _half_digit(self.rate) * self.unit
        least = self.bytes / (seconds + half_time) if seconds + half_time else 0
        most = self.bytes / (seconds - half_time) if seconds > half_time else float("inf")
        return least * 0.999 - half_rate <= rate <= most * 1.001 + half_rate


def read_copy(text: str) -> CopyLine | None:
    """The copy that a line, or a part of it between carriage returns, reports; None if it reports none."""
    text = text.strip()
    if len(text) > 300:
        return None
    if match := _BSD.fullmatch(text):
        return CopyLine(int(match["bytes"]), match["time"].replace(",", "."), match["rate"], 1)
    match = _GNU.fullmatch(text)
    if match is None:
        return None
    power = " kMGTP".index(match["power"].replace("K", "k") or " ")
    base = 1000 if match["blank"] or match["power"] == "" else 1024
    time, rate = match["time"].replace(",", "."), match["rate"].replace(",", ".")
    return CopyLine(int(match["bytes"]), time, rate, base**power)


def is_records(line: str) -> bool:
    """Whether a line counts the records read or written, which dd prints before it reports the copy."""
    return bool(_RECORDS.fullmatch(line.strip()[:200]))


def _half_digit(printed: str) -> float:
    """Half a unit of the last printed digit."""
    mantissa, _, exponent = printed.partition("e")
    return 0.5 * 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))

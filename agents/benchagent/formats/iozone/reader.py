"""iozone's text output, versions 3.2xx to 3.5xx: tables, throughput mode, Excel reports, interrupted runs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchagent.formats.model import FormatError, Parsed
from benchagent.formats.reading.blocks import lines_above, section_names
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.text import split_lines

from . import banner as iozone_banner
from . import table as iozone_table
from .banner import IozoneRun
from .parts import TextParts
from .report import Report
from .result_store import ResultStores, shared
from .throughput import FIRST_WORDS, ThroughputMode
from .units import STATED

TOOL = "iozone"
STATED_UNITS = tuple(STATED)

_SIGNS = re.compile(
    r"Iozone: Performance Test|Command line used: \S*iozone|kB[ \t]{1,40}reclen[ \t]{1,40}write"
    r"|(?:Children|Parent) sees? throughput for|CPU utilization: Wall time"
    r"|\b(?:Re-)?(?:Writer|Reader) report\b|Throughput report Y-axis|Version \$Revision: [0-9.]{1,20} \$"
    r"|iozone test complete|Throughput test with [0-9]{1,6} (?:process|thread)",
    re.IGNORECASE,
)
# Every sign contains one of these words, in lower case: texts without them are skipped quickly.
_HINTS = (
    "iozone",
    "reclen",
    " throughput for",
    "utilization: wall",
    "er report",
    "put report y",
    "$revision",
    "put test with",
)


def recognises(text: str) -> bool:
    lower = text.lower()
    return any(hint in lower for hint in _HINTS) and _SIGNS.search(text) is not None


def parse(text: str, parser_version: str, unit: str | None = None) -> Parsed:
    """Read a text with one iozone run or several; ``unit`` is that of numbers without one.

    Raises FormatError if reading on would need guessing.
    """
    if not recognises(text):
        raise FormatError("this is no output of iozone: neither its banner nor its table is there")
    reader = IozoneReader(unit=unit)
    reader.read(text)
    sections = reader.sections()
    if any(sections):  # known only when all lines are read, and needed when the numbers are
        reader = IozoneReader(sections, unit)
        reader.read(text)
    return reader.parsed(parser_version)


class IozoneReader:
    """Passes every line to the reader of its kind; other lines are unread. A new banner begins a new run.

    ``sections`` are the sections of the text's parts, if an earlier reader found several; ``unit`` is a unit that a
    person states, one of STATED_UNITS.
    """

    def __init__(self, sections: Sequence[str] = (), unit: str | None = None) -> None:
        self._stated_unit = unit
        self._notes, self._stores, self._parts = Collector(), ResultStores(), TextParts(sections)
        self._quoted: list[tuple[int, str]] = []  # lines with a command that was read
        self._runs: list[IozoneRun] = []
        # Lines of banners without information, with the stage that they precede: most lines of many short runs.
        self._idle: dict[str, int] = {}
        self._begin(1)

    def read(self, text: str) -> None:
        for number, line in enumerate(split_lines(text), start=1):
            if self._table is not None and self._table.take(line, number):
                self._parts.current.last = number
            else:
                self._take(line, number)

    def sections(self) -> list[str]:
        """The section of each part, from all lines above it; empty texts if nothing distinguishes the parts."""
        parts, unread = self._parts.all, self._notes.unread_lines()
        above = lines_above([*unread, *self._quoted], [(part.first, [part.last]) for part in parts])
        for lines, part in zip(above, parts):
            if part.command:
                lines.append((part.first, part.command))
        read = {number for number, text in unread if iozone_banner.quoted_command(text)}
        read |= {number for number, _ in self._quoted} | {part.first for part in parts}
        return section_names(above, read, self._parts.together(self._stores.results()))

    def _begin(self, number: int) -> None:
        self.run = IozoneRun(self._notes, self._stores, number, parts=self._parts)
        self.run.stated_unit = STATED[self._stated_unit] if self._stated_unit else None
        self._runs.append(self.run)
        self._throughput, self.report = ThroughputMode(self.run), Report(self.run)
        # The table whose rows follow, and the previous one, which may end in the middle of a row.
        self._table: iozone_table.IozoneTable | None = None
        self._last: iozone_table.IozoneTable | None = None
        self._title = ""  # of the table whose header follows

    def _take(self, line: str, number: int) -> None:
        text = line.strip()
        if not text or (self.run.stage < self._idle.get(text, 0) and not self.report.begun):
            return
        if text.startswith(FIRST_WORDS) and self._throughput.take(text, number):
            self._parts.current.last = number
            return
        if self.report.take(text, number):
            self._parts.current.last = number
            self._table = None
            return
        self._look_for_run(text, number)
        if table := iozone_table.header(self.run, line, self._title):
            self.run.begin_part(number)
            self._table, self._last, self._title = table, table, ""
        elif title := iozone_table.title(text):
            self._title = title
        elif iozone_banner.take(self.run, text, number):
            if stage := iozone_banner.idle_before(text):
                self._idle[text] = stage
        elif not self._take_quoted_command(text, number):
            begun = self.run.stage or self._last or self._throughput.started
            has_words = any(map(str.isalnum, text[:200]))  # rules have none
            if has_words and not (begun and iozone_banner.take_error(self.run, text, number)):
                self._notes.unread(number, line)

    def _look_for_run(self, text: str, number: int) -> None:
        stage = iozone_banner.stage(text)
        if stage and (stage <= self.run.stage or self.run.has_quoted_command):
            self._close()
            self._begin(number)
        if stage and not self.run.stage:
            self.run.begin_part(number)
        self.run.stage = stage or self.run.stage

    def _take_quoted_command(self, text: str, number: int) -> bool:
        """Read a command line in other text, without iozone's own banner; its run follows."""
        command = None if self.run.stage else iozone_banner.quoted_command(text)
        if command is None:
            return False
        if self.run.command is not None:
            self._close()
            self._begin(number)
        self.run.take_command(command, quoted=True)
        self._quoted.append((number, text))
        return True

    def _close(self) -> None:
        """End the run; a test that was running has failed, with iozone's message as the reason."""
        run = self.run
        run.table.clear()  # a later run's report repeats its own table
        line = run.errors[0][0] if run.errors else run.line
        words = None if run.failed and not run.errors else run.take_words()
        if not run.complete and run.stage:
            which = "" if len(self._runs) == 1 else f" of the run that begins in line {run.line}"
            self._notes.warn(f"the output{which} is not complete: “iozone test complete.” is missing")
            if self._last and self._last.close(words):
                return
            if self._throughput.started and words:
                self._throughput.close(words, line)
                return
        elif not run.complete and self._last and self._last.close(words):
            return
        if words:
            self._notes.warn(f"iozone said: {words}", line)

    def parsed(self, parser_version: str) -> Parsed:
        """The parsed text. Raises FormatError if all numbers lack their unit."""
        self._close()
        results = self._stores.results()
        runs = [run for run in self._runs if run.stage or run.measured] or self._runs
        if self._stated_unit and any(run.uses_stated_unit for run in runs):
            self._notes.warn(f"the unit was stated by a person: {self._stated_unit}")
        elif self._stated_unit:
            self._notes.warn(f"the unit {self._stated_unit}, which was stated, is not used: the text has its own")
        unitless = [run.unit_missing for run in self._runs if run.unit_missing]
        if unitless:
            if not len(results):
                raise FormatError(MISSING_UNIT, unitless[0])
            self._notes.warn(f"not read: {MISSING_UNIT}", unitless[0])
        return Parsed(
            tool=TOOL,
            tool_version=_same([run.version for run in runs]),
            command=self._command(runs),
            results=results,
            warnings=self._notes.warnings(),
            parser_version=parser_version,
            clock_resolution=max((run.clock_resolution for run in runs if run.clock_resolution), default=None),
            complete=all(run.complete for run in runs),
            parameters=shared(run.facts for run in runs),
            unread=self._notes.unread_lines(),
        )

    def _command(self, runs: list[IozoneRun]) -> str | None:
        commands = {run.command for run in runs}
        if len(commands) > 1:
            self._notes.warn(f"the text holds {len(runs)} runs with {len(commands)} different command lines")
        return _same([run.command for run in runs])


MISSING_UNIT = (
    "the unit is not stated: a line like “Output is in kBytes/sec” is missing. "
    "State it, or write the line above these numbers, if you know it"
)


def _same(texts: list[str | None]) -> str | None:
    """The common value; None if the values differ."""
    return texts[0] if len(set(texts)) == 1 else None

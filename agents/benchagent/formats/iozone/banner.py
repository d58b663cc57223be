"""Collects the state of one iozone run from the lines before and after its numbers, and its errors."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from benchagent.formats.model import Param
from benchagent.formats.reading.collector import Collector
from benchagent.formats.reading.command_options import CommandOptions
from benchagent.formats.reading.grid import GridRow

from . import workload_facts as iozone_facts
from .parts import TextParts
from .result_store import ResultStore, ResultStores
from .units import (
    KIB_PER_SECOND,
    MICROSECONDS,
    OPERATIONS_PER_SECOND,
    PrintedUnit,
    directory_of,
    options,
    sizes_of,
    unit_of,
)

MOST_WORDS = 20  # kept lines of iozone's error messages


@dataclass
class IozoneRun:
    """One run. ``notes`` collects warnings and unread lines, ``stores`` numbers; all runs of a text share both."""

    notes: Collector
    stores: ResultStores
    line: int = 1
    stage: int = 0
    version: str | None = None
    command: str | None = None
    options: CommandOptions = field(default_factory=dict)
    # Whether the command line comes from other text, without iozone's own banner; it then determines the unit.
    has_quoted_command: bool = False
    clock_resolution: float | None = None
    unit: PrintedUnit | None = None
    unit_missing: int | None = None  # the first line whose number has no unit
    retests: bool = True
    complete: bool = False
    failed: bool = False  # whether the failed tests are already marked
    facts: dict[str, Param] = field(default_factory=dict)
    several: set[str] = field(default_factory=set)  # facts that the banner states more than once
    errors: list[tuple[int, str]] = field(default_factory=list)
    table: dict[tuple[int, int], GridRow] = field(default_factory=dict)
    # Throughput mode's sums over the processes, and the use of the CPU, as printed, in the order of the text.
    sums: dict[tuple[str, bool], list[str]] = field(default_factory=dict)
    counts: dict[int, None] = field(default_factory=dict)  # the blocks' numbers of processes
    parts: TextParts = field(default_factory=TextParts)  # of the text
    measured: bool = False  # whether the run has printed a number
    stated_unit: PrintedUnit | None = None  # by a person, for a text without one
    uses_stated_unit: bool = False
    _store: ResultStore | None = None

    @property
    def store(self) -> ResultStore:
        """The store of this run's numbers; all settings are printed before the first number."""
        if self._store is None:
            settings = {name: value for name, value in self.facts.items() if name not in iozone_facts.NOT_APART}
            if self.version:
                settings["tool_version"] = self.version
            if directory := directory_of(self.options):  # another directory may be another file system
                settings["directory"] = directory
            if self.parts.section:
                settings["section"] = self.parts.section
            self._store, self.measured = self.stores.at(settings), True
            self.parts.current.command = self.command
        return self._store

    def begin_part(self, line: int) -> None:
        """Begin a part of the text, an output that may have another heading."""
        self.parts.begin(line)
        self._store = None

    def learn(self, facts: iozone_facts.WorkloadFacts) -> None:
        for name, value in facts:
            if name in self.several or self.facts.get(name, value) != value:
                self.several.add(name)
                self.facts.pop(name, None)
            else:
                self.facts[name] = value

    def take_command(self, command: str, *, quoted: bool) -> None:
        """Store a command line: iozone's own, or one that is quoted before a table."""
        self.command, self.options, self.has_quoted_command = command, options(command), quoted
        for name, value in (*iozone_facts.facts_of(self.options), *(sizes_of(self.options) if quoted else ())):
            self.facts.setdefault(name, value)

    def known_unit(self, line: int, text: str) -> PrintedUnit | None:
        """The unit of a line's numbers; None if the text does not contain it. A unit is never guessed."""
        if self.unit is None and self.has_quoted_command:
            self.unit = unit_of(self.options)
            self.notes.warn(f"the unit follows from the command line before the numbers: {self.command}", line)
        if self.unit is None and self.stated_unit:
            self.unit, self.uses_stated_unit = self.stated_unit, True
        if self.unit is None:
            self.unit_missing = self.unit_missing or line
            self.notes.unread(line, text)
        return self.unit

    def take_words(self) -> str | None:
        """Return and remove iozone's error messages; its last line only if there is no other message."""
        words = [text for _, text in self.errors]
        self.errors.clear()
        return "; ".join([text for text in words if not _FAREWELL.match(text)] or words) or None


_FAREWELL = re.compile(r"iozone: interrupted|exiting iozone", re.IGNORECASE)
_ERROR = re.compile(
    r"\b(?:iozone: interrupted|exiting iozone|error|errno|can ?not|can't|unable|failed|no such|no space|denied"
    r"|not supported|not available|mismatch|mis-compare|bad file descriptor|segmentation fault|killed|core dumped"
    r"|input/output error|read-only file system|quota exceeded|out of memory|bus error|broken pipe)\b",
    re.IGNORECASE,
)
_VERSION = re.compile(r"Version \$Revision: ([0-9.]{1,20}) \$")
_COMMAND = re.compile(r"Command line used: (.*\S)")
_CLOCK = re.compile(r"Time Resolution = ([0-9]{1,9}\.[0-9]{1,12}) seconds")
_UNITS = (
    (re.compile(r"\bOutput is in k(?:ilo)?bytes/sec", re.IGNORECASE), KIB_PER_SECOND),
    (re.compile(r"\bOutput is in operations per second"), OPERATIONS_PER_SECOND),
    (re.compile(r"\bOutput is in microseconds per operation"), MICROSECONDS),
)
_CAUTIONS = re.compile(
    r"Timer resolution is poor|reported inaccurate results|(?:Published hack )?Performance measurements (?:are|may be)"
    r" invalid|>>> I/O Diagnostic mode enabled|Selected test not available|Microsecond mode not supported"
    r"|Verify Mode\. Pattern|Short circuit mode|filesystem development testing ONLY|Using old data sets"
    r"|mode due to published hack|Manual control of test 8|Early end of telemetry|Command line too long"
    r"|The test completed too quickly|You will get a more precise|performance by re-running iozone",
    re.IGNORECASE,
)
# The order of the lines in the banner: a line that cannot follow the previous one belongs to the next run.
_STAGES = (
    ("Iozone: Performance Test", 1),
    ("Version $Revision", 2),
    ("Run began:", 3),
    ("Command line used:", 4),
    ("Time Resolution =", 5),
)
_STARTS = tuple(start for start, _ in _STAGES)
STAGES = len(_STAGES)
NAMES_END = 3  # the names of iozone's authors end before this stage
_NO_RETEST = "No retest option"
# A command quoted in prose: `iozone -a -s 100M`; it ends with the quotation or with its line.
_QUOTED_COMMAND = re.compile(r"(?:^|[\s`'\"(>$#:/])(iozone[ \t]{1,8}-[^`'\"()|;&>]{1,4000})")


def stage(text: str) -> int:
    """The position of a line in the banner, from 1; 0 for other lines."""
    return 0 if not text.startswith(_STARTS) else next(number for start, number in _STAGES if text.startswith(start))


def quoted_command(text: str) -> str | None:
    """A command line of iozone inside other text; None if there is none that measures."""
    match = _QUOTED_COMMAND.search(text) if "iozone" in text else None
    if not match:
        return None
    return match[1].strip() if options(match[1]).keys() & set("aAsrit") else None


def take(run: IozoneRun, text: str, number: int) -> bool:
    """Read one line of the banner or of iozone's remarks; False for other lines."""
    if text.startswith(_STARTS) and _take_own(run, text):
        pass
    elif "utput is in" in text and (unit := next((u for pattern, u in _UNITS if pattern.search(text)), None)):
        run.unit = unit
    elif text.startswith("iozone test complete"):
        run.complete = True
    elif _CAUTIONS.match(text):
        run.notes.warn(text, number)
    else:
        return _take_fact(run, text, number)
    return True


def _take_own(run: IozoneRun, text: str) -> bool:
    """Read the version, the command line or the clock."""
    if match := _COMMAND.match(text):
        run.take_command(match[1], quoted=False)
    elif match := _VERSION.match(text):
        run.version = match[1]
    elif match := _CLOCK.match(text):
        run.clock_resolution = float(match[1]) or None
    return match is not None


def idle_before(text: str) -> int:
    """The stage before which a line has no information about its run; 0 if it has some."""
    if (
        text.startswith((*_STARTS, _NO_RETEST, "iozone test complete"))
        or "utput is in" in text
        or _CAUTIONS.match(text)
    ):
        return 0
    facts = iozone_facts.facts_in_line(text)
    return 0 if facts else STAGES + 1 if facts == () else NAMES_END


def _take_fact(run: IozoneRun, text: str, number: int) -> bool:
    facts = iozone_facts.facts_in_line(text)
    if facts is None:
        return run.stage < NAMES_END and iozone_facts.is_name(text)
    run.learn(facts)
    if text.startswith(_NO_RETEST):
        run.retests = False
        run.notes.warn("rewrite, reread, frewrite and freread were not run; iozone prints 0 for them", number)
    return True


def take_error(run: IozoneRun, text: str, number: int) -> bool:
    """Keep one line of an error message; False if the line does not look like one."""
    if not _ERROR.search(text[:1000]):
        return False
    if len(run.errors) < MOST_WORDS:
        run.errors.append((number, text[:1000]))
    else:
        run.notes.unread(number, text)
    return True

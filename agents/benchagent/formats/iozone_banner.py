"""What iozone says before, between and after its numbers, and what it says when something went wrong."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from benchagent.formats.collect import Collector
from benchagent.formats.model import FormatError
from benchagent.formats.vocabulary import IOZONE_TESTS


@dataclass(frozen=True)
class Unit:
    """The unit of a run's numbers: which metric they are and what turns them into its base unit."""

    metric: str
    multiplier: float = 1.0
    divisor: float = 1.0

    def to_base(self, number: str) -> float:
        return float(number) * self.multiplier / self.divisor


# iozone's kBytes are 1024 bytes, its kB/sec KiB/s.
KIB_PER_SECOND = Unit("throughput", multiplier=1024.0)
OPERATIONS_PER_SECOND = Unit("rate")
MICROSECONDS = Unit("latency_mean", divisor=1e6)

# iozone's -i numbers: the tests each of them runs.
SELECTABLE: dict[int, tuple[str, ...]] = {
    0: ("write", "rewrite"),
    1: ("read", "reread"),
    2: ("random_read", "random_write"),
    3: ("backward_read",),
    4: ("record_rewrite",),
    5: ("strided_read",),
    6: ("fwrite", "frewrite"),
    7: ("fread", "freread"),
    8: ("mixed_workload",),
    9: ("pwrite",),
    10: ("pread",),
}
RETESTS = frozenset({"rewrite", "reread", "frewrite", "freread"})


@dataclass
class Run:
    """One iozone run, as far as its text has been read."""

    collector: Collector
    version: str | None = None
    command: str | None = None
    clock_resolution: float | None = None
    unit: Unit | None = None
    began: bool = False
    retests: bool = True
    complete: bool = False
    errors: list[tuple[int, str]] = field(default_factory=list)
    # Throughput mode's sums over the processes as printed, in base units, in the order of the text.
    sums: dict[str, list[float]] = field(default_factory=dict)

    def selects(self, test: str) -> bool:
        """Whether the command line asked for a test. Without a command line, or without -i, iozone runs all."""
        numbers = {int(number) for number in re.findall(r"(?:^|\s)-i\s?([0-9]{1,2})(?!\S)", self.command or "")}
        if not numbers:
            return test in IOZONE_TESTS
        return any(test in SELECTABLE.get(number, ()) for number in numbers)

    def stated_unit(self, line: int) -> Unit:
        """The unit of the number in a line. Raises FormatError where the text does not say it: we do not guess."""
        if self.unit is None:
            raise FormatError("the unit is not stated: a line like “Output is in kBytes/sec” is missing", line)
        return self.unit

    def take_words(self) -> str | None:
        """iozone's words about a failure, once; its farewell only where it says nothing else."""
        said = [text for _, text in self.errors]
        self.errors.clear()
        return "; ".join([text for text in said if not _FAREWELL.match(text)] or said) or None


_FAREWELL = re.compile(r"iozone: interrupted|exiting iozone", re.IGNORECASE)
_ERROR = re.compile(
    r"iozone: interrupted|exiting iozone|.*\b(?:error|errno|can ?not|can't|unable|failed|no such|no space|denied"
    r"|not supported|not available|mismatch)\b",
    re.IGNORECASE,
)

# Lines that say nothing a result needs: who wrote iozone, when it ran, what the command line says anyway.
_KNOWN = re.compile(
    r"""Iozone:\ Performance\ Test | Compiled\ for\ \d+\ bit | Build:\  | Contributors: | Run\ began: | Auto\ Mode
    | Using\ (?:maximum|minimum)\ (?:file|record)\ size | Processor\ cache | File\ stride\ size | File\ size\ set\ to
    | Record\ Size\  | Excel\ chart\ generation | CPU\ utilization\ (?:Resolution|Excel\ chart)
    | Include\ (?:fsync|close) | SYNC\ Mode | O_DIRECT\ feature | Purge\ Mode | Setting\ no_unlink | Cross\ over
    | (?:Min|Max)\ (?:process|thread)\ =\ \d | Throughput\ test\ with\ \d+ | Excel\ output\ is\ below
    | No\ retest\ option | random\s+random\s+bkwd\s+record\s+stride | random\s+random$ """,
    re.VERBOSE | re.IGNORECASE,
)
# The banner's further lines of authors; they end before "Run began:".
_NAMES = re.compile(r"[A-Z][\w. -]*(?:(?:, ?[A-Z][\w. -]*)+[,.]?|\.)$")

_VERSION = re.compile(r"Version \$Revision: ([\d.]+) \$")
_COMMAND = re.compile(r"Command line used: (.*\S)")
_CLOCK = re.compile(r"Time Resolution = ([0-9]{1,9}\.[0-9]{1,12}) seconds")
_UNITS = (
    (re.compile(r"(?:.*\s)?Output is in k(?:ilo)?bytes/sec", re.IGNORECASE), KIB_PER_SECOND),
    (re.compile(r"OPS Mode\. Output is in operations per second"), OPERATIONS_PER_SECOND),
    (re.compile(r"Microseconds/op Mode\. Output is in microseconds per operation"), MICROSECONDS),
)
_CAUTIONS = re.compile(
    r"Timer resolution is poor|reported inaccurate results|.*Performance measurements are invalid in this mode"
    r"|.*Diagnostic mode enabled|Selected test not available|Microsecond mode not supported",
    re.IGNORECASE,
)


def take(run: Run, line: str, number: int) -> bool:
    """Read one line of the banner or of iozone's remarks; False where it is none."""
    text = line.strip()
    if match := _VERSION.match(text):
        run.version = match[1]
    elif match := _COMMAND.match(text):
        run.command = match[1]
    elif match := _CLOCK.match(text):
        run.clock_resolution = float(match[1]) or None
    elif unit := next((unit for pattern, unit in _UNITS if pattern.match(text)), None):
        run.unit = unit
    elif text.startswith("iozone test complete"):
        run.complete = True
    elif _CAUTIONS.match(text):
        run.collector.warn(text, number)
    elif not _KNOWN.match(text) and (run.began or not _NAMES.match(text)):
        return False
    run.began = run.began or text.startswith("Run began:")
    if text.startswith("No retest option"):
        run.retests = False
        run.collector.warn("rewrite, reread, frewrite and freread were not run; iozone prints 0 for them", number)
    return True


def take_error(run: Run, line: str, number: int) -> bool:
    """Keep one line of iozone's words about a failure; False where it does not sound like one."""
    text = line.strip()
    if not _ERROR.match(text):
        return False
    run.errors.append((number, text))
    return True

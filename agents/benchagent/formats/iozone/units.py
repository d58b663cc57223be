"""iozone's units, tests and the options of its command line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from benchagent.formats.reading.command_options import CommandOptions, command_options
from benchagent.formats.vocabulary import IOZONE_TESTS


@dataclass(frozen=True)
class PrintedUnit:
    """The unit of a run's numbers: their metric and the conversion to its base unit."""

    metric: str
    multiplier: int = 1
    divisor: int = 1

    def to_base(self, number: float) -> float:
        """A printed number in the base unit, rounded once."""
        return number * self.multiplier / self.divisor


# iozone's kByte is 1024 bytes, its kB/sec is KiB/s.
KIB_PER_SECOND = PrintedUnit("throughput", multiplier=1024)
OPERATIONS_PER_SECOND = PrintedUnit("rate")
MICROSECONDS = PrintedUnit("latency_mean", divisor=1_000_000)
# The units that a person may state for an output without one.
STATED = {"KiB/s": KIB_PER_SECOND, "ops/s": OPERATIONS_PER_SECOND, "us": MICROSECONDS}
UNITS = {"kb": KIB_PER_SECOND, "ops": OPERATIONS_PER_SECOND}

TOO_FAST = "iozone printed 0: too fast for its clock"

# In the order of the table; -E adds the last four.
COLUMNS = (*IOZONE_TESTS, "pwrite", "repwrite", "pread", "repread")
RETESTS = frozenset({"rewrite", "reread", "frewrite", "freread", "repwrite", "repread"})
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
    9: ("pwrite", "repwrite"),
    10: ("pread", "repread"),
}

# iozone's own declaration for getopt, and the options after -+ whose argument is the next word.
_WITH_ARGUMENT = frozenset("JjkVrtsfFdluUSLHPibXYgnyq") | {f"+{letter}" for letter in "aAbcChHimKOpPqQRSwWxy"}
LONGEST_COMMAND = 4096  # characters

_SIZE = re.compile(r"([0-9]{1,12})([kmgt]?)", re.IGNORECASE)
_BYTES = {"": 1024, "k": 1024, "m": 1024**2, "g": 1024**3, "t": 1024**4}


def options(command: str) -> CommandOptions:
    """The options of a command line as text, with the program's name as its first word."""
    return options_of(command[:LONGEST_COMMAND].split()[1:])


def options_of(words: Sequence[str]) -> CommandOptions:
    """The options among the words of a command line."""
    return command_options(words, _WITH_ARGUMENT)


def sizes_of(command: CommandOptions) -> tuple[tuple[str, int], ...]:
    """The file size and record size that a command line fixes, in bytes; a plain number is kB."""
    fixed = []
    for option, name in (("s", "file_size"), ("r", "record_size")):
        sizes = [_SIZE.fullmatch(argument) for argument in command.get(option, ())]
        if len(sizes) == 1 and sizes[0]:
            fixed.append((name, int(sizes[0][1]) * _BYTES[sizes[0][2].lower()]))
    return tuple(fixed)


def directory_of(command: CommandOptions) -> str:
    """The directory of the measured file (-f); empty if it is not given."""
    files = {path.rpartition("/")[0][:100] for path in command.get("f", ())}
    directory = files.pop() if len(files) == 1 else ""
    return directory if directory.isprintable() else ""


def unit_of(command: CommandOptions) -> PrintedUnit:
    """The unit of a command line's output: kB/s unless -O or -N select another one."""
    return OPERATIONS_PER_SECOND if "O" in command else MICROSECONDS if "N" in command else KIB_PER_SECOND


def selects(command: CommandOptions, test: str) -> bool:
    """Whether a command line selects a test. Without -i, iozone runs all."""
    numbers = [int(argument) for argument in command.get("i", ()) if argument.isdecimal() and len(argument) < 4]
    if "A" in command:
        numbers += [0, 1]
    return not numbers or any(test in SELECTABLE.get(number, ()) for number in numbers)


def processes(command: CommandOptions) -> list[int]:
    """The number of processes of each column of a throughput report: -t 2 -t 4, or -l 1 -u 4."""
    stated = [int(text) for text in command.get("t", ()) if text.isdecimal() and 0 < len(text) < 5]
    ends = [int(text) for name in "lu" for text in command.get(name, ())[-1:] if text.isdecimal() and len(text) < 5]
    return stated or (list(range(ends[0], ends[1] + 1)) if len(ends) == 2 and ends[0] > 0 else [])


def share(percent: str) -> float:
    """A printed percentage as a ratio, rounded once."""
    whole, _, fraction = percent.partition(".")
    return int(whole + fraction) / int(10 ** (len(fraction) + 2))

"""ioping's command line as facts of a run, and the printed numbers with their units."""

from __future__ import annotations

import re
import shlex

from benchagent.formats.model import Param
from benchagent.formats.reading.command_options import CommandOptions, command_options
from benchagent.formats.reading.places import directory
from benchagent.formats.reading.runs import scaled

_COMMAND = re.compile(r"(?:.{0,200}[\s/;&|(])?ioping(?:\s.{0,1000})?")
_TAKES = "abceilopPrsStTwI"
# ioping(1): options may have a long name after one dash or two.
_LONG = {
    "async": "A", "cached": "C", "direct": "D", "read-write": "G", "linear": "L", "write": "W", "sync": "Y",
    "dsync": "y", "size": "s", "work-size": "S", "count": "c", "interval": "i", "rapid": "R", "quiet": "q",
    "batch": "B", "json": "J", "work-time": "w", "warmup": "a", "keep": "k", "burst": "b", "print-count": "p",
    "print-interval": "P", "rate-limit": "r", "speed-limit": "l", "min-time": "t", "max-time": "T",
    "work-offset": "o", "nowait": "N", "hipri": "H", "entropy": "e",
}  # fmt: skip
_FLAGS = {"A": "async", "C": "cached", "D": "direct", "Y": "sync", "y": "dsync", "N": "nowait", "H": "hipri"}
_KIB, _MIB, _GIB, _TIB = 1024, 1024**2, 1024**3, 1024**4
# Its source: "kb" and "mb" of a size are binary, k of a count is not.
SIZES = {
    "": 1, "b": 1, "bytes": 1, "k": _KIB, "kb": _KIB, "kib": _KIB, "m": _MIB, "mb": _MIB, "mib": _MIB, "g": _GIB,
    "gb": _GIB, "gib": _GIB, "t": _TIB, "tb": _TIB, "tib": _TIB, "pib": 1024**5, "sector": 512, "page": 4096,
}  # fmt: skip
COUNTS = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
# A unit of time as (times, over) seconds.
TIMES = {"ns": (1, 10**9), "us": (1, 10**6), "ms": (1, 1000), "s": (1, 1), "min": (60, 1), "hour": (3600, 1)}
_SIZE = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,6})?) ?([A-Za-z]{0,6})")


def command_in(line: str) -> str | None:
    """The command line that starts ioping in a line of a session; None for other lines."""
    line = line.strip()
    if "ioping" not in line or len(line) > 1200 or not _COMMAND.fullmatch(line) or "ioping:" in line:
        return None
    return line[line.index("ioping") :]


def options_of(command: str) -> CommandOptions:
    """The options of a command line, by their letters."""
    try:
        words = shlex.split(command)[1:]
    except ValueError:  # a quote without its end
        return {}
    letters = [f"-{_LONG[word.lstrip('-')]}" if word.lstrip("-") in _LONG else word for word in words]
    return command_options(letters, _TAKES)


def place_in(command: str) -> str:
    """The directory, file or device that a command line names, which is its last word."""
    word = command.split()[-1]
    return "" if word.startswith("-") else word if word.startswith("/dev/") else directory(word)


def facts_of(options: CommandOptions) -> dict[str, Param]:
    """The options that change what is measured; the size of a request and the direction are in each result's key."""
    facts: dict[str, Param] = {name: True for letter, name in _FLAGS.items() if letter in options}
    if working_set := size_of(options.get("S", [""])[-1]):
        facts["working_set_size"] = working_set
    return facts


def size_of(printed: str) -> int | None:
    """A size in bytes if it is exact: `4 KiB`, `64k`, `4096 bytes`; None for a rounded one (`4.50 KiB` is exact)."""
    match = _SIZE.fullmatch(printed.strip())
    if match is None or match[2].lower() not in SIZES:
        return None
    size = scaled(match[1], SIZES[match[2].lower()])
    return int(size) if size == int(size) else None

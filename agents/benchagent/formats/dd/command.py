"""dd's command lines, and what they measure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import prod

from benchagent.formats.model import Param
from benchagent.formats.reading.places import joined

_COMMAND = re.compile(r"(?:^|[\s;&|(`'\"/$])dd((?: {1,4}(?:[a-z]{2,6}=[^\s;|&'\"`)]{1,300}|<[^\s;|&]{1,300}))+)")
_OPERAND = re.compile(r"([a-z]{2,6})=(\S+)")
_NO_PLACE = re.compile(r"/dev/(?:null|zero|u?random|full|std(?:in|out|err)|fd/.*)")
_FACTOR = re.compile(r"([0-9]{1,12})([A-Za-z]{0,3})")
_DISK = re.compile(r"/dev/(?!shm/|null$|zero$|u?random$|full$|stdin$|stdout$)\S+")
# The suffixes of dd(1); BSD also has lower case.
_SUFFIXES = {"": 1, "c": 1, "w": 2, "b": 512, "k": 1024, "K": 1024, "m": 1024**2, "g": 1024**3} | {
    letter + suffix: base**power
    for power, letter in enumerate("kMGTP", start=1)
    for suffix, base in (("", 1024), ("B", 1000), ("iB", 1024))
} | {"KB": 1000, "KiB": 1024}  # fmt: skip
_FLAGS = ("direct", "dsync", "sync", "nocache")
_CONVERSIONS = ("fdatasync", "fsync")
_LARGEST = 2**53


@dataclass(frozen=True)
class CopyCommand:
    """A command line of dd: its words, the test, the size of a record in bytes, whether it copies a file, its facts,
    and the place of the file or device.
    """

    text: str
    test: str
    record_size: int | None
    of_file: bool
    facts: dict[str, Param]
    place: str


def commands_in(line: str) -> list[CopyCommand]:
    """The command lines of dd in a line; empty if there is none with an operand."""
    return [] if "dd " not in line or len(line) > 3000 else [_command(match[1]) for match in _COMMAND.finditer(line)]


def _command(words: str) -> CopyCommand:
    operands = dict(_OPERAND.findall(words))
    source, target = operands.get("if", ""), operands.get("of", "")
    test = _test(source, target, operands.get("conv", ""))
    facts: dict[str, Param] = {}
    flags = {*operands.get("iflag", "").split(","), *operands.get("oflag", "").split(",")}
    facts.update({name: True for name in _FLAGS if name in flags})
    facts.update({name: True for name in _CONVERSIONS if name in operands.get("conv", "").split(",")})
    if source in ("/dev/zero", "/dev/urandom", "/dev/random"):
        facts["data"] = "zeros" if source == "/dev/zero" else "random"
    records = operands.get("bs") or operands.get("ibs" if test in ("read", "raw_read") else "obs")
    size = size_of(records) if records else None
    place = joined(path for path in (source, target) if not _NO_PLACE.fullmatch(path))
    return CopyCommand(f"dd{words}", test, size, test in ("create", "write", "read"), facts, place)


def _test(source: str, target: str, conversions: str) -> str:
    """`create` writes a file anew and `write` into one; `raw_read` and `raw_write` are of a device; else `copy`."""
    if target in ("/dev/null", "/dev/zero"):
        return (
            "raw_read" if _DISK.fullmatch(source) else "read" if source and not source.startswith("/dev/") else "copy"
        )
    if _DISK.fullmatch(target):
        return "raw_write"
    if not target or target.startswith("/dev/std"):
        return "copy"
    return "write" if "notrunc" in conversions.split(",") else "create"


def size_of(text: str) -> int | None:
    """`1M`, `64k`, `1MB`, `2x512` in bytes; None for anything else."""
    factors = [_FACTOR.fullmatch(factor) for factor in text.split("x")]
    sizes = [int(match[1]) * _SUFFIXES[match[2]] for match in factors if match and match[2] in _SUFFIXES]
    size = prod(sizes)
    return size if len(sizes) == len(factors) and 0 < size < _LARGEST else None

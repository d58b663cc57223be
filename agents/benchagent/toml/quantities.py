"""Parses sizes and durations in plans and formats them for messages. Numbers are bytes and seconds."""

from __future__ import annotations

import re
from collections.abc import Mapping

_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*(?:(B)|([KMGTP])(?:iB)?)?", re.IGNORECASE)
_DURATION = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*(s|m|min|h)?", re.IGNORECASE)
_PERCENT = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*%")
_OF_RAM = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*\*\s*ram\s*")
_PREFIXES = "KMGTP"
_MIB, _GIB = 2**20, 2**30
_LARGEST = 2**63  # the contract's integers are signed and have 64 bits
_SECONDS = {"s": 1, "m": 60, "min": 60, "h": 3600}


class RamSize(str):
    """A text such as `2 * ram` with its number of bytes. Only converters of sizes use the number."""

    bytes: int


def with_ram(table: Mapping[str, object], ram: int) -> dict[str, object]:
    """The table read from TOML, with a RamSize in place of every multiple of `ram` (bytes).

    Sizes are rounded down to whole MiB, and from 1 GiB on to 64 MiB, so that large records fill a file of this size.
    """
    return {key: _with_ram(value, ram) for key, value in table.items()}


def _with_ram(value: object, ram: int) -> object:
    if isinstance(value, dict):
        return with_ram(value, ram)
    if isinstance(value, list):
        return [_with_ram(inner, ram) for inner in value]
    match = _OF_RAM.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return value
    size = min(float(match.group(1)) * ram, _LARGEST - 1)
    sized, unit = RamSize(value), 64 * _MIB if size >= _GIB else _MIB
    sized.bytes = int(size) // unit * unit
    return sized


def parse_size(value: object) -> int:
    """Bytes of `4096`, `"64 KiB"`, `"64K"` or `"1.5 GiB"`; units are binary. Raises ValueError for anything else."""
    if isinstance(value, RamSize):
        if value.bytes >= _MIB:
            return value.bytes
        raise ValueError("at least 1 MiB, where a size is a multiple of the memory")
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value < _LARGEST:
        return value
    match = _SIZE.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        raise ValueError('a size such as "64 KiB" or "1 GiB", or a number of bytes')
    number, _, prefix = match.groups()
    size = float(number) * 1024 ** (_PREFIXES.index(prefix.upper()) + 1 if prefix else 0)
    if not 1 <= size < _LARGEST or size != int(size):
        raise ValueError("a whole number of bytes, from 1 to 8 EiB")
    return int(size)


def parse_duration(value: object) -> float:
    """Seconds of `90`, `"110 s"`, `"2 min"` or `"1 h"`. Raises ValueError for anything else."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < _LARGEST:
        return float(value)
    match = _DURATION.fullmatch(value.strip()) if isinstance(value, str) else None
    seconds = float(match.group(1)) * _SECONDS[(match.group(2) or "s").lower()] if match else 0.0
    if not 0 < seconds < float("inf"):
        raise ValueError('a time such as "110 s", "2 min" or "1 h", or a number of seconds')
    return seconds


def parse_ratio(value: object) -> float:
    """The ratio between 0 and 1 of `0.02` or `"2 %"`. Raises ValueError for anything else."""
    match = _PERCENT.fullmatch(value.strip()) if isinstance(value, str) else None
    ratio = float(match.group(1)) / 100 if match else value
    if isinstance(ratio, float) and 0 < ratio < 1:
        return ratio
    raise ValueError('a ratio between 0 and 1, such as 0.02 or "2 %"')


def format_size(size: int) -> str:
    """The shortest exact form: 65536 is `64 KiB`, 65537 is `65537 B`."""
    for power in range(len(_PREFIXES), 0, -1):
        if size and size % 1024**power == 0:
            return f"{size // 1024**power} {_PREFIXES[power - 1]}iB"
    return f"{size} B"


def format_rough_size(size: int) -> str:
    """The size with one decimal, `12.3 GiB`; below 1 KiB in bytes."""
    for power in range(len(_PREFIXES), 0, -1):
        if size >= 1024**power:
            return f"{size / 1024**power:.1f} {_PREFIXES[power - 1]}iB"
    return f"{size} B"


def format_duration(seconds: float) -> str:
    """`42 s`, `4 m 42 s`, `2 h 5 m`; below ten seconds with one decimal."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} m {whole % 60} s" if whole < 3600 else f"{whole // 3600} h {whole % 3600 // 60} m"

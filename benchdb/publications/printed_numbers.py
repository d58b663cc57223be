"""Read printed figures exactly, from digits and unit to decimal numbers in base units."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

# The base units in one printed unit. KB/s of iozone and K/sec of bonnie++ are 1024 bytes a second.
UNITS: dict[str, tuple[str, Decimal]] = {
    "KiB/s": ("B/s", Decimal(1024)),
    "MiB/s": ("B/s", Decimal(1024**2)),
    "MB/s": ("B/s", Decimal(10**6)),
    "B/s": ("B/s", Decimal(1)),
    "s": ("s", Decimal(1)),
    "min": ("s", Decimal(60)),
    "op/s": ("op/s", Decimal(1)),
    "%": ("ratio", Decimal("0.01")),
}
_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_TIME = re.compile(r"(\d+)m(\d+(?:\.\d+)?)s")
_SIZE = re.compile(r"(\d+(?:\.\d+)?) ?([KMGT]?)(i?)B?")


class UnreadableNumber(ValueError):
    """The text is not a figure; the message quotes it."""


@dataclass(frozen=True)
class PrintedNumber:
    """A figure in base units, the unit of its last printed digit, and both as printed."""

    text: str
    mean: Decimal
    sd: Decimal | None
    step: Decimal


def read_printed(text: str, unit: str) -> PrintedNumber:
    """`100,476.50 ± 167.31` in KiB/s, or `4m42.252s` in s. Raises UnreadableNumber."""
    mean, sign, sd = (part.strip() for part in text.partition("±"))
    value, step = _number(mean)
    per = UNITS[unit][1]
    return PrintedNumber(text, value * per, _number(sd)[0] * per if sign else None, step * per)


def _number(text: str) -> tuple[Decimal, Decimal]:
    """The number and the step of its last digit."""
    if match := _TIME.fullmatch(text):
        seconds, step = _number(match[2])
        return int(match[1]) * 60 + seconds, step
    if not _NUMBER.fullmatch(text):
        raise UnreadableNumber(f"{text!r} is no number that an article prints")
    number = Decimal(text.replace(",", ""))
    return number, Decimal(1).scaleb(int(number.as_tuple().exponent))


def read_size(text: str) -> int:
    """Bytes of `16G`, `64 KiB` (1024) and, with a B and no i, of `10GB` (1000). Raises UnreadableNumber."""
    match = _SIZE.fullmatch(text)
    if not match:
        raise UnreadableNumber(f"{text!r} is no size")
    base = 1000 if text.endswith("B") and not match[3] else 1024
    return int(Decimal(match[1]) * base ** " KMGT".index(match[2] or " "))

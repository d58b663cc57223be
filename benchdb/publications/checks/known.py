"""Values that an article states, prints in a table, or implies, as ranges in base units."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from .finding import say

# Articles write KB for 1000 and for 1024 bytes. A contradiction counts only if it holds for every reading. Memory is
# made in powers of two.
KILOS = (1000, 1024)
BINARY = {"memory"}
BELOW = " / "  # "disk / ext3" is a part of "disk": what is known of the disk holds for it
INFINITE = Decimal("Infinity")

# Counted or chosen, so exact unless an entry is `rounded`; all other quantities are rounded to their last digit.
EXACT = {"count", "each", "size", "memory", "space", "multiple", "steps", "index", "reference", "inodes", "tests"}
EXACT |= {"rounds", "groups", "members", "bytes an inode", "threads", "time limit"}
_VALUE = re.compile(r"(>=|<=|>|<)? ?(-?[\d.,]+(?:E\d+)?) ?(.*)")
_BYTES = re.compile(r"([kKMGT]?)(i?)(B|bit)(/s)?")
_OTHER_UNITS = {"%": Decimal("0.01"), "min": Decimal(60), "MHz": Decimal(10**6), "GHz": Decimal(10**9)}
_OTHER_UNITS |= dict.fromkeys(("", "s", "op/s"), Decimal(1))


@dataclass(frozen=True)
class Range:
    """From `low` to `high`, both included."""

    low: Decimal
    high: Decimal

    def meets(self, other: Range) -> bool:
        """Whether a value lies in both."""
        return self.low <= other.high and other.low <= self.high

    def widened(self, share: Decimal) -> Range:
        """The range with this share of its limits at both sides."""
        return Range(self.low - abs(self.low) * share, self.high + abs(self.high) * share)

    def plus(self, other: Range) -> Range:
        """All sums."""
        return Range(self.low + other.low, self.high + other.high)

    def times(self, other: Range) -> Range:
        """All products; both ranges are positive."""
        return Range(self.low * other.low, self.high * other.high)

    def over(self, other: Range) -> Range:
        """All quotients; both ranges are positive."""
        return Range(self.low / other.high, self.high / other.low)

    @property
    def middle(self) -> Decimal:
        """The value to show: the middle, or the only limit."""
        if self.low == 0:
            return self.high
        return self.low if self.high == INFINITE else (self.low + self.high) / 2


@dataclass(frozen=True)
class Known:
    """What is known of a `quantity` of an `object`: one of some `ranges`, if its unit has several readings.

    `text` is the printed value or the arithmetic behind it, `used` are the statements and figures that it rests on, and
    `check` is the check that implied it, empty if the article states it. `unit` is the printed unit.
    """

    object: str
    quantity: str
    ranges: tuple[Range, ...]
    text: str
    used: tuple[str, ...]
    check: str = ""
    unit: str = ""

    @property
    def subject(self) -> str:
        """`rate of sdc1 / 4 threads`."""
        return f"{self.quantity} of {self.object}"

    @property
    def value(self) -> Decimal:
        """The value to show, in the first reading."""
        return self.ranges[0].middle

    @property
    def is_limit(self) -> bool:
        """Whether the value is only known to be at most something, or at least."""
        return self.ranges[0].low == 0 or self.ranges[0].high == INFINITE

    def meets(self, other: Known) -> bool:
        """Whether one value is possible for both, in any reading; the same printed unit is read in the same way."""
        if self.unit == other.unit and len(self.ranges) == len(other.ranges) and not (self.check or other.check):
            return any(one.meets(another) for one, another in zip(self.ranges, other.ranges, strict=True))
        return any(one.meets(another) for one in self.ranges for another in other.ranges)


def read_value(text: str, quantity: str, about: float = 0, rounded: bool = False) -> tuple[tuple[Range, ...], str]:
    """The ranges of all readings, and the unit, of `16 GB`, `> 64 GB`, `6.4 %` or `1,000`. Raises ValueError."""
    match = _VALUE.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no value")
    relation, digits, unit = match.groups()
    number = Decimal(digits.replace(",", ""))
    half = Decimal(0)
    if relation is None and not about and (rounded or quantity not in EXACT):
        half = Decimal(1).scaleb(int(number.as_tuple().exponent)) / 2
    sizes = [unit_size(unit, kilo) for kilo in (KILOS[1:] if quantity in BINARY else KILOS)]
    near = [Range((number - half) * per, (number + half) * per) for per in dict.fromkeys(sizes)]
    return tuple(_limited(relation, each.widened(Decimal(str(about)))) for each in near), unit


def _limited(relation: str | None, near: Range) -> Range:
    """The values that are in this relation to a value in the range `near`."""
    return {
        None: near,
        ">=": Range(near.low, INFINITE),
        ">": Range(near.low.next_plus(), INFINITE),
        "<=": Range(Decimal(0), near.high),
        "<": Range(Decimal(0), near.high.next_minus()),
    }[relation]


def unit_size(unit: str, kilo: int) -> Decimal:
    """The base units in one unit; `kilo` is 1000 or 1024, unless the unit has an i. Raises ValueError."""
    if unit in _OTHER_UNITS:
        return _OTHER_UNITS[unit]
    match = _BYTES.fullmatch(unit)
    if match is None:
        raise ValueError(f"{unit!r} is no unit")
    prefix, binary, bits, _ = match.groups()
    per = Decimal(1024 if binary else kilo) ** " KMGT".index(prefix.upper() or " ")
    return per / 8 if bits == "bit" else per


_SHOWN = {"rate": "B/s", "size": "B", "time": "s", "share": "%", "change": "%", "count": ""}


def show_readings(quantity: str, ranges: Sequence[Range]) -> str:
    """`80 to 85.9 MB/s`: the least and the greatest value of all readings."""
    least, greatest = (show(quantity, limit(each.middle for each in ranges)) for limit in (min, max))
    (number, _, unit), (_, _, last_unit) = least.partition(" "), greatest.partition(" ")
    if least == greatest:
        return least
    return f"{number if unit == last_unit else least} to {greatest}"


def show(quantity: str, value: Decimal) -> str:
    """A value in base units for a sentence: `25.77 GB` (of 1000³ bytes), `6.4 %`."""
    unit = _SHOWN[quantity]
    if unit.startswith("B"):
        prefix = next((prefix for prefix in "TGMk" if value >= unit_size(f"{prefix}B", 1000)), "")
        unit = prefix + unit
    return f"{say(value / unit_size(unit, 1000))} {unit}".strip()


def related(one: str, other: str) -> bool:
    """Whether two objects are the same or one is a part of the other."""
    return one == other or one.startswith(other + BELOW) or other.startswith(one + BELOW)

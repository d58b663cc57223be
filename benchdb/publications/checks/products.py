"""Implied values: a size is count × size of each, or rate × time; a rate is operations × size of each; and so on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import product

from .finding import SIZES
from .known import Known, Range, related, show_readings

# What the product of the first quantities, divided by the others, implies.
LAWS = (
    ("size", ("count", "each"), ()),
    ("size", ("rate", "time"), ()),
    ("size", ("multiple", "memory"), ()),
    ("rate", ("count", "each"), ("time",)),
    ("rate", ("operations", "each"), ("steps",)),
    ("size", ("inodes", "bytes an inode"), ()),
    ("count", ("tests", "rounds", "groups"), ()),
    ("count", ("groups", "members"), ()),
)


def products(known: Sequence[Known]) -> Iterator[Known]:
    """The values that the laws imply, for each object with one of the factors; others may belong to what it is in."""
    for name in dict.fromkeys(each.object for each in known):
        seen = [each for each in known if related(each.object, name) and len(each.object) <= len(name)]
        for quantity, factors, divisors in LAWS:
            for chosen in product(*([each for each in seen if each.quantity == q] for q in (*factors, *divisors))):
                if any(each.object == name for each in chosen):
                    yield _implied(name, quantity, chosen[: len(factors)], chosen[len(factors) :])


def _implied(name: str, quantity: str, factors: Sequence[Known], divisors: Sequence[Known]) -> Known:
    ranges = tuple(
        reduce(Range.over, reading[len(factors) :], reduce(Range.times, reading[: len(factors)]))
        for reading in product(*(each.ranges for each in (*factors, *divisors)))
    )
    formula = " × ".join(each.text for each in factors) + "".join(f" ÷ {each.text}" for each in divisors)
    used = tuple(used for each in (*factors, *divisors) for used in each.used)
    return Known(name, quantity, ranges, f"{formula} = {show_readings(quantity, ranges)}", used, SIZES)

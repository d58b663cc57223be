"""Implied values: a size is count × size of each, or rate × time; a rate is operations × size of each; and so on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
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
    for quantity, factors, divisors in LAWS:
        for name, chosen in _together(known, (*factors, *divisors)):
            yield _implied(name, quantity, chosen[: len(factors)], chosen[len(factors) :])


def most_files(known: Sequence[Known]) -> Iterator[Known]:
    """The files that threads can write, each file by one thread, if they begin none after a time limit."""
    for name, chosen in _together(known, ("rate", "time limit", "each", "threads")):
        rate, limit, each, threads = chosen
        ranges = tuple(
            Range(Decimal(0), speed.times(time).over(size).plus(begun).high)
            for speed, time, size, begun in product(rate.ranges, limit.ranges, each.ranges, threads.ranges)
        )
        formula = f"{rate.text} × {limit.text} ÷ {each.text} + {threads.text} begun before"
        text = f"at most {formula} = {show_readings('count', ranges)}"
        yield Known(name, "count", ranges, text, tuple(used for one in chosen for used in one.used), SIZES)


def _together(known: Sequence[Known], quantities: Sequence[str]) -> Iterator[tuple[str, tuple[Known, ...]]]:
    """Each object with one of the quantities, and values of all of them, also of what the object is in."""
    for name in dict.fromkeys(each.object for each in known):
        seen = [each for each in known if related(each.object, name) and len(each.object) <= len(name)]
        for chosen in product(*([each for each in seen if each.quantity == quantity] for quantity in quantities)):
            if any(each.object == name for each in chosen):
                yield name, chosen


def _implied(name: str, quantity: str, factors: Sequence[Known], divisors: Sequence[Known]) -> Known:
    ranges = tuple(
        reduce(Range.over, reading[len(factors) :], reduce(Range.times, reading[: len(factors)]))
        for reading in product(*(each.ranges for each in (*factors, *divisors)))
    )
    formula = " × ".join(each.text for each in factors) + "".join(f" ÷ {each.text}" for each in divisors)
    used = tuple(used for each in (*factors, *divisors) for used in each.used)
    return Known(name, quantity, ranges, f"{formula} = {show_readings(quantity, ranges)}", used, SIZES)

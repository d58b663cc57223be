"""The values of one dimension, filtered and in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from benchdb.facts.dimension import DimensionValue

from .dimensions import dimension
from .errors import ImpossibleSelection

Item = TypeVar("Item")


def matching(
    name: str, asked: Sequence[str], items: Sequence[Item], value_of: Callable[[Item], DimensionValue], noun: str
) -> list[Item]:
    """The items with one of the selected values.

    Raises ImpossibleSelection, with the possible values, if no item has one of the selected values.
    """
    values = [value_of(item) for item in items]
    wanted = wanted_values(name, asked, values, noun)
    return [item for item, value in zip(items, values, strict=True) if value in wanted]


def wanted_values(name: str, asked: Sequence[str], values: Iterable[DimensionValue], noun: str) -> set[DimensionValue]:
    """The selected ones of these values.

    Raises ImpossibleSelection, with the possible values, if one is not among them.
    """
    of = dimension(name)
    possible = {of.parameter(value): value for value in in_order(values)}
    if missing := [text for text in asked if text not in possible]:
        listed = ", ".join(possible) or "none"
        raise ImpossibleSelection([f"No {noun} has {of.label} {', '.join(missing)}; possible are {listed}."])
    return {possible[text] for text in asked}


def in_order(values: Iterable[DimensionValue]) -> list[DimensionValue]:
    """Each value once: numbers sorted, other values in their order, None last."""
    distinct = dict.fromkeys(values)
    present = [value for value in distinct if value is not None]
    if any(isinstance(value, int) for value in present):
        present.sort(key=lambda value: value if isinstance(value, int) else 0)
    return [*present, None] if None in distinct else list(present)

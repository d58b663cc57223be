"""The values of one dimension, filtered and in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from .dimensions import DimensionValue, dimension
from .errors import ImpossibleSelection

Item = TypeVar("Item")
AvailableRow = dict[str, Any]  # as `runs.queries.available` returns them


def matching(
    name: str, asked: Sequence[str], items: Sequence[Item], value_of: Callable[[Item], DimensionValue], noun: str
) -> list[Item]:
    """The items with a value that is asked for.

    Raises ImpossibleSelection where no item has one of the values, and says which there are.
    """
    of = dimension(name)
    values = [value_of(item) for item in items]
    there = {of.parameter(value): value for value in in_order(values)}
    if missing := [text for text in asked if text not in there]:
        said = ", ".join(there) or "none"
        raise ImpossibleSelection([f"No {noun} has {of.label} {', '.join(missing)}; possible are {said}."])
    wanted = {there[text] for text in asked}
    return [item for item, value in zip(items, values, strict=True) if value in wanted]


def in_order(values: Iterable[DimensionValue]) -> list[DimensionValue]:
    """Each value once: numbers sorted, everything else as it comes; what is absent comes last."""
    distinct = dict.fromkeys(values)
    there = [value for value in distinct if value is not None]
    if any(isinstance(value, int) for value in there):
        there.sort(key=lambda value: value if isinstance(value, int) else 0)
    return [*there, None] if None in distinct else list(there)

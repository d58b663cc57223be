"""The values of one dimension, filtered and in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from .dimensions import DimensionValue, dimension
from .errors import ImpossibleSelection

Item = TypeVar("Item")


class AvailableRow(NamedTuple):
    """`runs.queries.Available` with the params as the dimension has them."""

    test: str
    metric: str
    unit: str
    file_size: int | None
    record_size: int | None
    threads: int | None
    params: str | None
    tool: str
    runs: int

    def value(self, name: str) -> DimensionValue:
        """The value of a dimension of results, or of the tool."""
        value: DimensionValue = getattr(self, name)
        return value


def matching(
    name: str, asked: Sequence[str], items: Sequence[Item], value_of: Callable[[Item], DimensionValue], noun: str
) -> list[Item]:
    """The items with one of the selected values.

    Raises ImpossibleSelection, with the possible values, if no item has one of the selected values.
    """
    of = dimension(name)
    values = [value_of(item) for item in items]
    possible = {of.parameter(value): value for value in in_order(values)}
    if missing := [text for text in asked if text not in possible]:
        listed = ", ".join(possible) or "none"
        raise ImpossibleSelection([f"No {noun} has {of.label} {', '.join(missing)}; possible are {listed}."])
    wanted = {possible[text] for text in asked}
    return [item for item, value in zip(items, values, strict=True) if value in wanted]


def in_order(values: Iterable[DimensionValue]) -> list[DimensionValue]:
    """Each value once: numbers sorted, other values in their order, None last."""
    distinct = dict.fromkeys(values)
    present = [value for value in distinct if value is not None]
    if any(isinstance(value, int) for value in present):
        present.sort(key=lambda value: value if isinstance(value, int) else 0)
    return [*present, None] if None in distinct else list(present)

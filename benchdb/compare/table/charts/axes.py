"""The axes of a table in its charts: an axis of several dimensions, one of them ordered, is two. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchdb.compare.query.dimensions import dimension, joined
from benchdb.compare.table.content import TableContent, TablePart
from benchdb.compare.table.grid import NUMBERS, Grid

SPLIT, ROWS, COLUMNS = range(3)  # the axes, in the order of a cell's key
METRIC = "metric"  # never a position: its panels have axes of their own


@dataclass(frozen=True, slots=True, eq=False)
class ChartAxis:
    """An axis of the table, or some of its dimensions.

    `axis` is its place in the key of a cell, and `indices` has for each index there the index in `parts`, the labels of
    its positions by dimension. `labels` has one for each of them. `numbers` are those behind the labels of each
    dimension, None for labels without one.
    """

    axis: int
    names: Sequence[str]
    parts: Sequence[Mapping[str, str]]
    labels: Sequence[str]
    indices: Sequence[int]
    numbers: Mapping[str, Mapping[str, float | None]]

    def of(self, at: Sequence[int]) -> int:
        """The position of the cell with these indices on the axes of the table."""
        return self.indices[at[self.axis]]


def axes_of(table: Grid) -> list[ChartAxis]:
    """The axes in the order of a cell's key; of two from one axis, the one without the ordered dimension is first."""
    found: list[ChartAxis] = []
    number_of = {name: dict(zip(labels, table.numbers[name], strict=True)) for name, labels in table.labels.items()}
    for axis in (SPLIT, ROWS, COLUMNS):
        names, parts = _names(table.content, axis), _parts(table.content, axis)
        labels = [part.label for part in parts]
        whole = ChartAxis(axis, names, [part.parts for part in parts], labels, list(range(len(parts))), number_of)
        along = _ordered_dimension(whole)
        if along is None:
            found.append(whole)
        else:
            found += [_only(whole, [name for name in names if name != along]), _only(whole, [along])]
    return found


def _ordered_dimension(axis: ChartAxis) -> str | None:
    """The ordered one of several dimensions of an axis with the most values, if the others do not follow from it."""
    if len([name for name in axis.names if name != METRIC]) < 2:
        return None
    counts = {
        name: len(each.parts)
        for name in axis.names
        if name != METRIC and len((each := _only(axis, [name])).parts) > 1 and is_ordered(each)
    }
    others = [name for name in axis.names if name != METRIC and name not in counts]
    return max(counts, key=lambda name: counts[name]) if counts and others else None


def _only(axis: ChartAxis, names: Sequence[str]) -> ChartAxis:
    """The axis with these dimensions only, its positions in their order."""
    known: dict[tuple[str, ...], int] = {}
    indices = [known.setdefault(tuple(parts[name] for name in names), len(known)) for parts in axis.parts]
    kept = [dict(zip(names, labels, strict=True)) for labels in known]
    labels = [joined(parts) for parts in kept]
    return _sorted(ChartAxis(axis.axis, names, kept, labels, indices, axis.numbers))


def _sorted(axis: ChartAxis) -> ChartAxis:
    """Numbers and sizes ascend, because the rows of another value may begin with a larger one."""
    numbers = _numbers(axis) if len(axis.names) == 1 else None
    if numbers is None:
        return axis
    order = sorted(range(len(numbers)), key=lambda i: numbers[i])
    place = {old: new for new, old in enumerate(order)}
    parts, labels = [axis.parts[i] for i in order], [axis.labels[i] for i in order]
    return ChartAxis(axis.axis, axis.names, parts, labels, [place[i] for i in axis.indices], axis.numbers)


def is_ordered(axis: ChartAxis) -> bool:
    """Whether the values are sizes or numbers; those of parameters (`depth 8`) are if their numbers ascend."""
    names = [name for name in axis.names if name != METRIC]
    if len(names) != 1:
        return False
    if dimension(names[0]).kind in NUMBERS:
        return True
    if METRIC in axis.names:
        return False
    numbers = _numbers(axis)
    return numbers is not None and numbers == sorted(numbers)


def _numbers(axis: ChartAxis) -> list[float] | None:
    """The numbers behind the labels of an axis of one dimension, sizes in bytes; None if it has other values."""
    (name,) = axis.names
    if ":" not in name and dimension(name).kind not in NUMBERS:
        return None
    numbers = [axis.numbers[name][parts[name]] for parts in axis.parts]
    if dimension(name).kind in NUMBERS:  # one that is absent (`no record size`) comes first
        return [-1.0 if number is None else number for number in numbers]
    known = [number for number in numbers if number is not None]
    return known if len(known) == len(numbers) else None


def _names(content: TableContent, axis: int) -> Sequence[str]:
    if axis == SPLIT:
        return content.split.names if content.split else []
    return (content.rows if axis == ROWS else content.columns).names


def _parts(content: TableContent, axis: int) -> Sequence[TablePart]:
    if axis == COLUMNS:
        return content.heads
    return content.groups if axis == SPLIT else content.groups[0].rows

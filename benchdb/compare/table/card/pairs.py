"""The cells of a table with their baselines, found again by the labels of its content."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from benchdb.compare.content import Measure
from benchdb.compare.query.dimensions import joined
from benchdb.compare.table.content import TableContent, TablePart, TablePlace, measured
from benchdb.compare.table.geometric import kind_of_cells
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.verdict import CellVerdict

NOT_COUNTED = ("failed", "clock", "deleted")  # reasons of verdicts whose ratio counts in no mean


PlaceKey = tuple[tuple[tuple[str, str], ...], ...]


class _Labels(NamedTuple):
    """The labels of a group, row or head: those of the factor, and the others."""

    of_factor: tuple[tuple[str, str], ...]
    others: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ComparedCell:
    """A cell with a verdict, and its baseline.

    `value` is its label of the factor, `place` are its labels in the other dimensions of each axis: equal for rivals.
    `measured` is device, cached or
    unknown; empty if one side measured memory and the other the device.
    """

    key: str
    value: str
    place: PlaceKey
    cell: Cell
    base: Cell
    verdict: CellVerdict
    measure: Measure
    measured: str

    @property
    def parts(self) -> dict[str, str]:
        """Its labels in the dimensions besides the factor."""
        return dict(item for items in self.place for item in items)

    @property
    def counts(self) -> bool:
        """Whether its ratio may count in a mean."""
        return self.verdict.ratio is not None and self.verdict.reason not in NOT_COUNTED and bool(self.measured)


def compared_cells(content: TableContent) -> list[ComparedCell]:
    """The cells that were compared with a baseline, in reading order."""
    factor = frozenset(content.factor.names)
    labels: dict[int, _Labels] = {}  # by the identity of a group, row or head, which thousands of cells share
    places = [(place, [_labels(part, factor, labels) for part in _parts(place)]) for place in measured(content)]
    bases = {_place(of_axes): place.cell for place, of_axes in places if place.cell.baseline}
    return list(_compared(content.factor.names, places, bases))


def _compared(
    factor: Sequence[str],
    places: Sequence[tuple[TablePlace, list[_Labels]]],
    bases: Mapping[PlaceKey, Cell],
) -> Iterator[ComparedCell]:
    values: dict[tuple[tuple[tuple[str, str], ...], ...], str] = {}
    for place, of_axes in places:
        cell = place.cell
        if cell.verdict is None or (base := bases.get(key := _place(of_axes))) is None:
            continue
        own = tuple(each.of_factor for each in of_axes)
        if own not in values:
            of_factor = dict(item for items in own for item in items)
            values[own] = joined({name: of_factor[name] for name in factor if name in of_factor})
        yield ComparedCell(
            key=place.key,
            value=values[own],
            place=key,
            cell=cell,
            base=base,
            verdict=cell.verdict,
            measure=place.measure,
            measured=kind_of_cells((cell, base)),
        )


def _parts(place: TablePlace) -> tuple[TablePart, TablePart, TablePart]:
    return place.group, place.row, place.head


def _labels(part: TablePart, factor: Collection[str], known: dict[int, _Labels]) -> _Labels:
    found = known.get(id(part))
    if found is None:
        items = part.parts.items()
        of_factor = tuple(item for item in items if item[0] in factor)
        known[id(part)] = found = _Labels(of_factor, tuple(item for item in items if item[0] not in factor))
    return found


def _place(of_axes: Sequence[_Labels]) -> PlaceKey:
    """The labels of a cell without those of the factor: equal for rivals, because each dimension is on one axis."""
    group, row, head = of_axes
    return group.others, row.others, head.others


def values_of_axes(content: TableContent) -> dict[str, list[str]]:
    """The labels of each dimension of the axes, in the order of the axis."""
    rows = content.groups[0].rows if content.groups else []
    found: dict[str, dict[str, None]] = {}
    for part in (*content.groups, *rows, *content.heads):
        for name, label in part.parts.items():
            found.setdefault(name, {})[label] = None
    return {name: list(labels) for name, labels in found.items()}

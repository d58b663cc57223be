"""The cells of a table with their baselines, found again by the labels of its content."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from benchdb.compare.content import Measure
from benchdb.compare.query.dimensions import joined
from benchdb.compare.table.content import TableContent, TablePlace, measured
from benchdb.compare.table.geometric import kind_of_cells
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.verdict import CellVerdict

NOT_COUNTED = ("failed", "clock", "deleted")  # reasons of verdicts whose ratio counts in no mean


@dataclass(frozen=True, slots=True)
class ComparedCell:
    """A cell with a verdict, and its baseline.

    `value` is its label of the factor, `parts` are its labels in the other dimensions. `measured` is device, cached or
    unknown; empty if one side measured memory and the other the device.
    """

    key: str
    value: str
    parts: Mapping[str, str]
    cell: Cell
    base: Cell
    verdict: CellVerdict
    measure: Measure
    measured: str

    @property
    def counts(self) -> bool:
        """Whether its ratio may count in a mean."""
        return self.verdict.ratio is not None and self.verdict.reason not in NOT_COUNTED and bool(self.measured)


def compared_cells(content: TableContent) -> list[ComparedCell]:
    """The cells that were compared with a baseline, in reading order."""
    factor = content.factor.names
    places = [(place, _parts(place)) for place in measured(content)]
    others = [frozenset(item for item in parts.items() if item[0] not in factor) for _, parts in places]
    bases = {key: place.cell for (place, _), key in zip(places, others, strict=True) if place.cell.baseline}
    return list(_compared(factor, places, others, bases))


def _compared(
    factor: list[str],
    places: list[tuple[TablePlace, dict[str, str]]],
    others: list[frozenset[tuple[str, str]]],
    bases: Mapping[frozenset[tuple[str, str]], Cell],
) -> Iterator[ComparedCell]:
    for (place, parts), key in zip(places, others, strict=True):
        cell, base = place.cell, bases.get(key)
        if base is not None and cell.verdict is not None:
            yield ComparedCell(
                key=place.key,
                value=joined({name: parts[name] for name in factor if name in parts}),
                parts={name: label for name, label in parts.items() if name not in factor},
                cell=cell,
                base=base,
                verdict=cell.verdict,
                measure=place.measure,
                measured=kind_of_cells((cell, base)),
            )


def _parts(place: TablePlace) -> dict[str, str]:
    """The labels of a place in all dimensions of the axes."""
    return {**place.group.parts, **place.row.parts, **place.head.parts}


def values_of_axes(content: TableContent) -> dict[str, list[str]]:
    """The labels of each dimension of the axes, in the order of the axis."""
    rows = content.groups[0].rows if content.groups else []
    found: dict[str, dict[str, None]] = {}
    for part in (*content.groups, *rows, *content.heads):
        for name, label in part.parts.items():
            found.setdefault(name, {})[label] = None
    return {name: list(labels) for name, labels in found.items()}

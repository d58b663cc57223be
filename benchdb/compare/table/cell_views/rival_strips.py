"""The strips of a table's cells. Cells that are compared share an axis, with their baseline in the middle."""

from __future__ import annotations

from benchdb.compare.table.content import TableContent, TablePart, measured
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.strips import Strip, StripPlace, strips
from benchdb.stats import NoVerdict

Others = tuple[str, ...]


def strips_of(content: TableContent) -> dict[str, Strip]:
    """The strips by the key of their cells, without those of cells that have none.

    Rivals differ only in the factor. A rival that cannot be compared, because one of both measured memory, has an axis
    of its own.
    """
    found = list(measured(content))
    others_of = _Others(content)
    axes = [(*others_of(place.group, place.row, place.head), _is_apart(place.cell)) for place in found]
    numbers = {axis: number for number, axis in enumerate(dict.fromkeys(axes))}
    middles = {axis: place.cell.mean for axis, place in zip(axes, found, strict=True) if place.cell.baseline}
    places = [StripPlace(place.cell, numbers[axis], middles.get(axis)) for axis, place in zip(axes, found, strict=True)]
    drawn = strips(places, content.margin)
    return {place.key: strip for place, strip in zip(found, drawn, strict=True) if strip is not None}


class _Others:
    """The labels of a cell in all dimensions but the factor."""

    def __init__(self, content: TableContent) -> None:
        self._factor = set(content.factor.names)
        self._labels: dict[int, Others] = {}  # by the identity of groups, rows and heads

    def __call__(self, *parts: TablePart) -> tuple[Others, ...]:
        return tuple([self._of(part) for part in parts])

    def _of(self, part: TablePart) -> Others:
        if (labels := self._labels.get(id(part))) is None:
            labels = tuple([label for name, label in part.parts.items() if name not in self._factor])
            self._labels[id(part)] = labels
        return labels


def _is_apart(cell: Cell) -> bool:
    return cell.verdict is not None and cell.verdict.reason == NoVerdict.CACHE.value

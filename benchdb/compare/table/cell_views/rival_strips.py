"""The strips of a table's cells. Cells that are compared share an axis, with their baseline in the middle."""

from __future__ import annotations

from benchdb.compare.table.grid import Grid
from benchdb.runs.cells.strips import Strip, StripPlace, strips
from benchdb.stats import NoVerdict


def strips_of(table: Grid) -> list[Strip | None]:
    """The strip of each cell; None for cells that have none.

    A rival that cannot be compared, because one of both measured memory, has an axis of its own.
    """
    axes = [
        (place, cell.verdict is not None and cell.verdict.reason == NoVerdict.CACHE.value)
        for place, cell in zip(table.place.tolist(), table.cells, strict=True)
    ]
    numbers = {axis: number for number, axis in enumerate(dict.fromkeys(axes))}
    middles = {axis: cell.mean for axis, cell in zip(axes, table.cells, strict=True) if cell.baseline}
    places = [StripPlace(cell, numbers[axis], middles.get(axis)) for axis, cell in zip(axes, table.cells, strict=True)]
    return strips(places, table.content.margin)

"""The factor: what a table compares on purpose. Cells that differ in nothing else are rivals, one is the baseline."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from benchdb.compare.query.dimensions import DimensionValue, joined

from .pivot import AxisKey, CellGrid, CellKey


@dataclass(frozen=True)
class Factor:
    """`labels` are those of its values in reading order. `rivals` are the places that agree in everything else, in
    reading order; those where nothing was measured are among them."""

    names: tuple[str, ...]
    labels: dict[AxisKey, str]
    of: dict[CellKey, AxisKey]
    rivals: dict[AxisKey, list[CellKey]]

    def value(self, label: str) -> AxisKey | None:
        """The value with this label."""
        return next((key for key, known in self.labels.items() if known == label), None)


def factor_of(grid: CellGrid, names: tuple[str, ...]) -> Factor:
    """The factor of a grid; `names` are dimensions of its axes."""
    said: dict[str, dict[DimensionValue, str]] = defaultdict(dict)
    for axis in (grid.split, grid.rows, grid.columns):
        for key, parts in zip(axis.keys, axis.parts, strict=True):
            for value, (name, label) in zip(key, parts.items(), strict=True):
                said[name][value] = label
    own = [grid.names.index(name) for name in names]
    others = [i for i in range(len(grid.names)) if i not in own]
    of: dict[CellKey, AxisKey] = {}
    rivals: dict[AxisKey, list[CellKey]] = defaultdict(list)
    for place in grid.places():
        split, row, column = place
        flat = (*split, *row, *column)
        of[place] = tuple([flat[i] for i in own])
        rivals[tuple([flat[i] for i in others])].append(place)
    labels = {
        key: joined({name: said[name][value] for name, value in zip(names, key, strict=True)})
        for key in dict.fromkeys(of.values())
    }
    return Factor(names, labels, of, rivals)

"""The factor: the dimensions that a table compares on purpose. Cells that differ only in the factor are rivals."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from benchdb.compare.query.dimensions import joined
from benchdb.facts.dimension import DimensionValue

from .pivot import AxisKey, CellGrid, CellKey


@dataclass(frozen=True)
class Factor:
    """A factor; `labels` are those of its values in reading order, `of` is the value of each cell.

    `rivals` are the keys of cells that agree in everything else, the dimensions `others`, in reading order, including
    unmeasured cells.
    """

    names: tuple[str, ...]
    others: tuple[str, ...]
    labels: dict[AxisKey, str]
    of: dict[CellKey, AxisKey]
    rivals: dict[AxisKey, list[CellKey]]

    def value(self, label: str) -> AxisKey | None:
        """The value with this label."""
        return next((key for key, own_label in self.labels.items() if own_label == label), None)


def factor_of(grid: CellGrid, names: tuple[str, ...]) -> Factor:
    """The factor of a grid; `names` are dimensions of its axes."""
    label_of: dict[str, dict[DimensionValue, str]] = defaultdict(dict)
    for axis in (grid.split, grid.rows, grid.columns):
        for key, parts in zip(axis.keys, axis.parts, strict=True):
            for value, (name, label) in zip(key, parts.items(), strict=True):
                label_of[name][value] = label
    in_factor = [grid.names.index(name) for name in names]
    others = [i for i in range(len(grid.names)) if i not in in_factor]
    of: dict[CellKey, AxisKey] = {}
    rivals: dict[AxisKey, list[CellKey]] = defaultdict(list)
    for cell_key in grid.places():
        split, row, column = cell_key
        flat = (*split, *row, *column)
        of[cell_key] = tuple([flat[i] for i in in_factor])
        rivals[tuple([flat[i] for i in others])].append(cell_key)
    labels = {
        key: joined({name: label_of[name][value] for name, value in zip(names, key, strict=True)})
        for key in dict.fromkeys(of.values())
    }
    return Factor(names, tuple(grid.names[i] for i in others), labels, of, rivals)

"""The measured cells of a table as columns: their labels as numbers, and which of them differ only in the factor."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np

from benchdb.compare.content import Measure
from benchdb.compare.query.dimensions import DIMENSIONS, dimension, is_absent, joined, with_noun
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.verdict import CellVerdict
from benchdb.stats.arrays import BoolArray, IntArray
from benchdb.wording.words import metric_label, upper

from .content import TableContent, TablePart, TablePlace, measured

NUMBERS = ("size", "number", "ratio")  # kinds of dimensions whose values are ordered
ORDERED = tuple(name for name, of in DIMENSIONS.items() if of.kind in ("size", "number"))


@dataclass(frozen=True, eq=False)
class Grid:
    """The C measured cells of a table in reading order; a cell is given by its index.

    `at` are their indices among the groups, rows and heads of the table, (C, 3).
    `labels` are those of each dimension, numbers ascending and others in the order of the axis, and `numbers` has the
    number that each of them stands for, None for other values. `codes` has the number of its label for each
    cell, (C,). `values` are the labels of the factor's values in the order of their axis, and `value` has the number
    of its value for each cell, (C,). `rivals` are the cells that differ only in the factor: a row for each place and
    a column for each of the values, −1 without a cell, (places, values). `place` is the row of each cell, (C,).
    """

    content: TableContent
    at: IntArray
    labels: Mapping[str, Sequence[str]]
    numbers: Mapping[str, Sequence[float | None]]
    codes: Mapping[str, IntArray]
    values: Sequence[str]
    value: IntArray
    rivals: IntArray
    place: IntArray

    @cached_property
    def places(self) -> list[TablePlace]:
        """The place of each cell."""
        return list(measured(self.content))

    @cached_property
    def keys(self) -> list[str]:
        """The key `G-R-C` of each cell."""
        return [place.key for place in self.places]

    @cached_property
    def index(self) -> dict[str, int]:
        """The index of each cell by its key."""
        return {key: cell for cell, key in enumerate(self.keys)}

    @cached_property
    def cells(self) -> list[Cell]:
        """The cells."""
        return [place.cell for place in self.places]

    @cached_property
    def measures(self) -> list[Measure]:
        """The measure of each cell."""
        return [place.measure for place in self.places]

    @cached_property
    def base(self) -> IntArray:
        """The index of the baseline of each cell, which may be the cell itself; −1 without one, (C,)."""
        if self.content.baseline not in self.values:
            return np.full(len(self.at), -1)
        baselines: IntArray = self.rivals[:, self.values.index(self.content.baseline)]
        return baselines[self.place]

    @cached_property
    def contests(self) -> list[dict[str, int]]:
        """The cells of each row of `rivals` by their value of the factor, in the order of the values."""
        return [
            {value: cell for value, cell in zip(self.values, row, strict=True) if cell >= 0}
            for row in self.rivals.tolist()
        ]

    def label(self, cell: int, name: str) -> str:
        """The label of a cell in a dimension."""
        return self.labels[name][int(self.codes[name][cell])]

    def value_of(self, cell: int) -> str:
        """The label of a cell's value of the factor."""
        return self.values[int(self.value[cell])]

    def verdict(self, cell: int) -> CellVerdict:
        """The verdict of a cell that was compared."""
        verdict = self.cells[cell].verdict
        assert verdict is not None
        return verdict

    def mean(self, cell: int) -> float:
        """The mean in base units of a cell that has one."""
        mean = self.cells[cell].mean
        assert mean is not None
        return mean

    @cached_property
    def has_mean(self) -> BoolArray:
        """Whether a cell has a mean, (C,)."""
        return np.array([cell.mean is not None for cell in self.cells], dtype=bool)

    def alike(self, without: Collection[str]) -> IntArray:
        """A number for each cell, (C,): cells that differ only in these dimensions have the same one.

        The numbers count from 0 in reading order.
        """
        return numbered([self.codes[name] for name in self.codes if name not in without], len(self.at))[0]

    def lines(self, name: str) -> list[list[int]]:
        """The groups of two or more cells that differ only in this dimension, in its order."""
        if name not in self.codes:
            return []
        absent = None if name == "threads" else dimension(name).absent  # none and unknown are neither first nor last
        ordered = [label != absent for label in self.labels[name]]
        lines: dict[int, list[int]] = {}
        codes = self.codes[name].tolist()
        for cell, others in enumerate(self.alike([name]).tolist()):
            if ordered[codes[cell]]:
                lines.setdefault(others, []).append(cell)
        return [sorted(line, key=codes.__getitem__) for line in lines.values() if len(line) > 1]

    def words(self, cell: int, *without: str) -> str:
        """`random read, 1 MiB records`: the labels of a cell, without those that all cells of the table share."""
        left_out = {*self.content.factor.names, *without}
        varying = {
            name: self.label(cell, name)
            for name, labels in self.labels.items()
            if name not in left_out and len(labels) > 1
        }
        metric = metric_label(self.measures[cell].metric) if "metric" in varying else ""
        test = lower(varying.pop("test", ""))
        varying.pop("metric", None)
        head = f"{test} ({metric})" if test and metric else test or metric
        others = (with_noun(name, label) for name, label in varying.items() if not is_absent(name, label))
        return ", ".join(filter(None, [head, *others]))

    def subject(self, cell: int, *without: str) -> str:
        """The subject of a sentence: the labels of the cell, or the metric if all cells share the labels."""
        return upper(self.words(cell, *without) or metric_label(self.measures[cell].metric))

    def others(self, cell: int) -> str:
        """What a cell has in common with its rivals: `Write · 64 KiB records`."""
        place = self.places[cell]
        names = [name for part in (place.head, place.row, place.group) for name in part.parts]
        return " · ".join(
            with_noun(name, self.label(cell, name)) for name in names if name not in self.content.factor.names
        )

    def rivals_of(self, key: str) -> list[int]:
        """The cell with this key and its rivals that have figures, the baseline first; [] if it has none."""
        cell = self.index.get(key)
        if cell is None or self.cells[cell].status != "ok":
            return []
        return self._with_figures(self.rivals[self.place[cell]])

    def all_rivals(self) -> list[list[int]]:
        """The cells with figures at each place, the baseline first, in the order of the first cell with a figure."""
        return sorted(filter(None, map(self._with_figures, self.rivals)), key=min)

    def _with_figures(self, rivals: IntArray) -> list[int]:
        cells = sorted(cell for cell in rivals.tolist() if cell >= 0 and self.cells[cell].status == "ok")
        return sorted(cells, key=lambda cell: not self.cells[cell].baseline)


def grid_of(content: TableContent) -> Grid:
    """The grid of a table's content."""
    labels: dict[str, Sequence[str]] = {}
    numbers: dict[str, Sequence[float | None]] = {}
    codes: dict[str, IntArray] = {}
    there = [[[cell is not None for cell in row.cells] for row in group.rows] for group in content.groups]
    at = np.argwhere(there).reshape(-1, 3)
    rows = content.groups[0].rows if content.groups else []
    axes: Sequence[Sequence[TablePart]] = (content.groups, rows, content.heads)
    for axis, parts in enumerate(axes):
        for name in parts[0].parts if parts else ():
            number_of = {part.parts[name]: _number(part.values[name]) for part in parts}
            if name in ORDERED:
                number_of = dict(sorted(number_of.items(), key=_absent_first))
            labels[name], numbers[name] = [*number_of], [*number_of.values()]
            code = {label: number for number, label in enumerate(number_of)}
            codes[name] = np.array([code[part.parts[name]] for part in parts])[at[:, axis]]
    factor = [name for name in content.factor.names if name in codes]
    value, first = numbered([codes[name] for name in factor], len(at), as_they_come=False)
    values = [joined({name: labels[name][codes[name][cell]] for name in factor}) if factor else "" for cell in first]
    place, _ = numbered([codes[name] for name in codes if name not in factor], len(at))
    rivals = np.full((int(place.max(initial=-1)) + 1, len(values)), -1)
    rivals[place, value] = np.arange(len(at))
    return Grid(content, at, labels, numbers, codes, values, value, rivals, place)


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) else None


def _absent_first(labelled: tuple[str, float | None]) -> float:
    return -inf if labelled[1] is None else labelled[1]


def numbered(columns: Sequence[IntArray], length: int, *, as_they_come: bool = True) -> tuple[IntArray, list[int]]:
    """A number for each row of these columns, (length,): equal rows have the same one, counted from 0 as they come,
    or in the order of the rows.

    Also returns the index of the first row with each number.
    """
    if not columns or not length:
        return np.zeros(length, dtype=np.int64), [0][:length]
    _, first, inverse = np.unique(np.stack(columns, axis=1), axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first) if as_they_come else np.arange(len(first))
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return rank[inverse.reshape(length)], first[order].tolist()


def lower(label: str) -> str:
    """A label inside a sentence: `random read`; names of tools and calls stay as they are."""
    return label[:1].lower() + label[1:] if label[1:2].islower() else label

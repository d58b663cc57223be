"""The strips beside numbers: the rounds of each cell as dots, on an axis that compared cells share.

From left to right values grow, and equal distances are equal ratios; from top to bottom the rounds follow each other.
The middle is the figure with which the cells are compared, so that a line of the style sheet marks it in every strip.
A table has thousands of strips: NumPy places the dots of all cells together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from operator import getitem
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from .cell import Cell
from .scale import Floats, share

Number = TypeVar("Number", np.float64, np.intp)

# The style sheet stretches a strip to 60 × 14 px (frontend/styles/_cell.scss). Short numbers keep large tables small.
COLUMNS, ROWS = 100, 10
MOST_DOTS = 40  # with more rounds, the smallest and the largest of each twentieth of them
LEAST_REACH = 0.05
FARTHEST = 1e300


@dataclass(frozen=True, slots=True)
class StripPlace:
    """A cell with the number of its axis, and the figure in the middle of the axis; None: the middle of its values.

    Cells of one axis have the same middle or divide their values by their own one.
    """

    cell: Cell
    axis: int
    middle: float | None


@dataclass(frozen=True, slots=True)
class Strip:
    """A strip: the path of its dots, from 0 to 99 and 0 to 9; `middle` if the middle of the axis is a figure."""

    path: str
    middle: bool


@dataclass(frozen=True, slots=True)
class _Samples:
    """The values of all cells one after the other; `counts` is their number by cell."""

    values: Floats
    counts: npt.NDArray[np.intp]

    def spread(self, by_cell: npt.NDArray[Number]) -> npt.NDArray[Number]:
        """Figures of cells as figures of their values."""
        return np.repeat(by_cell, self.counts)


def strips(places: Sequence[StripPlace], least: float = LEAST_REACH) -> list[Strip | None]:
    """The strip of each cell; None without a figure, or with a single value beside which its axis has no other.

    Each axis reaches at least the share `least` beyond its middle, so that tiny differences look tiny.
    """
    samples = [_sample(place.cell) for place in places]
    values = _Samples(
        np.array([value for sample in samples for value in sample], dtype=float),
        np.array([len(sample) for sample in samples], dtype=np.intp),
    )
    if not len(values.values):
        return [None] * len(places)
    axes = np.array([place.axis for place in places], dtype=np.intp)
    middles = np.array([place.middle for place in places], dtype=float)  # None becomes NaN
    on_axis = np.bincount(axes, weights=values.counts).astype(int)[axes]
    columns = iter(_columns(values, axes, middles, least).tolist())
    shown: list[Strip | None] = []
    for place, sample, beside in zip(places, samples, on_axis.tolist(), strict=True):
        own = [next(columns) for _ in sample]
        alone = len(sample) < 2 and beside == len(sample)
        shown.append(None if not sample or alone else Strip(_path(place.cell, own), place.middle is not None))
    return shown


def _sample(cell: Cell) -> list[float]:
    """The values to draw; of a cell without values, mean − sd and mean + sd."""
    if cell.mean is None or cell.status != "ok":
        return []
    values = [value for value in cell.values or () if value is not None]
    if not values:
        return [cell.mean] if cell.sd is None else [cell.mean - cell.sd, cell.mean + cell.sd]
    return values if len(values) <= MOST_DOTS else _extremes(values)


def _extremes(values: Sequence[float]) -> list[float]:
    """The smallest and the largest value of each twentieth of the rounds, in their order."""
    parts = np.array_split(np.array(values), MOST_DOTS // 2)
    return [float(part[index]) for part in parts for index in sorted({int(part.argmin()), int(part.argmax())})]


def _columns(samples: _Samples, axes: npt.NDArray[np.intp], middles: Floats, least: float) -> npt.NDArray[np.intp]:
    """The column of each value."""
    values, axis, middle = samples.values, samples.spread(axes), samples.spread(middles)
    number = int(axes.max()) + 1
    low, high = np.full(number, np.inf), np.full(number, -np.inf)
    np.minimum.at(low, axis, np.fmin(values, middle))
    np.maximum.at(high, axis, values)
    in_ratios = low > 0
    with np.errstate(all="ignore"):  # a ratio of two measured numbers may be beyond the largest one
        between = np.where(in_ratios, np.sqrt(low) * np.sqrt(high), low / 2 + high / 2)
        middle = np.where(np.isnan(middle), between[axis], middle)
        unit = np.where(middle == 0, 1, np.abs(middle))
        distance = np.where(in_ratios[axis], np.log(values) - np.log(middle), (values - middle) / unit)
        distance = np.clip(distance, -FARTHEST, FARTHEST)
    reach = np.full(number, np.log1p(least))
    np.maximum.at(reach, axis, np.abs(distance))
    return np.rint(share(distance, -reach[axis], reach[axis]) * (COLUMNS - 1)).astype(np.intp)


def _path(cell: Cell, columns: Sequence[int]) -> str:
    """A dot for each value from the top down; a line from mean − sd to mean + sd if the values are unknown."""
    if not cell.values and len(columns) == 2:
        return f"M{columns[0]} {ROWS // 2}H{columns[1]}"
    return "".join(map(getitem, _dots(len(columns)), columns))


@cache
def _dots(number: int) -> list[list[str]]:
    """The dot of each of so many rounds in each column."""
    rows = [round((ROWS - 1) * (i / (number - 1) if number > 1 else 0.5)) for i in range(number)]
    return [[f"M{column} {row}z" for column in range(COLUMNS)] for row in rows]

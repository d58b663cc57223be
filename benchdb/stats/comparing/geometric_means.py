"""The geometric mean of many cells' ratios to their baselines: one number for a whole row, with its interval."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from benchdb.stats.arrays import BoolArray, FloatArray, IntArray, divide
from benchdb.stats.intervals import CONFIDENCE, Interval
from benchdb.stats.moments import Moments, moments
from benchdb.stats.welch import spread

from .cells import Cells
from .ratio import Ratio, ratio_of_means


class GeometricMeans(NamedTuple):
    """Columns of length G: `ratio` above 1 is better, its 95 % `interval`, and how many `cells` it is made of.

    `ratio` is NaN where a group has no cell, or a cell without a ratio; `interval` also where a cell has no error.
    """

    ratio: FloatArray
    interval: Interval
    cells: IntArray


def geometric_mean(
    cells: Cells,
    baseline: Cells,
    groups: npt.ArrayLike,
    *,
    higher_is_better: npt.ArrayLike = True,
    ratios: Ratio | None = None,
) -> GeometricMeans:
    """Geometric means of the ratios of C cells to C baselines, over each of G groups of them.

    `groups` is (G, C): true where a cell belongs to the group. Groups that are to be compared must hold the same
    columns: give those that are valid in every row (`Comparisons.valid`). `ratios` are those of the cells, where they
    are known already (`Comparisons.ratios`). Raises ValueError where a shape does not fit.

    Cells of a round share its good or bad moment. So where values are known, the mean of a round over the group's cells
    is one value, and the interval is that of Welch's test on these; else cells are taken to err independently.
    """
    members = np.asarray(groups, dtype=bool)
    if members.ndim != 2 or members.shape[1] != len(cells) or len(cells) != len(baseline):
        raise ValueError(f"groups of shape {members.shape} do not fit {len(cells)} cells and {len(baseline)} baselines")
    upward = np.broadcast_to(np.asarray(higher_is_better, dtype=bool), (len(cells),))
    count = members.sum(axis=1, dtype=np.int64)
    mean = _mean(ratios or ratio_of_means(cells, baseline, upward), members, count)
    first, second = _rounds(cells, upward, members), _rounds(baseline, upward, members)
    error, degrees = spread(first.sd, first.n, second.sd, second.n)
    known = (first.n > 1) & (second.n > 1)
    mean = mean._replace(error=np.where(known, error, mean.error), degrees=np.where(known, degrees, mean.degrees))
    return GeometricMeans(mean.value(), mean.interval(CONFIDENCE), count)


def _rounds(cells: Cells, upward: BoolArray, members: BoolArray) -> Moments:
    """Moments of each group's rounds: a round's value is the mean of its cells' logarithms, if it has all."""
    turned = np.where(upward[:, np.newaxis], cells.logarithms, -cells.logarithms)
    # A mean over cells is NaN where one of them is; a group without a cell has none.
    rounds = [turned[own].mean(axis=0) if own.any() else np.full(turned.shape[1], np.nan) for own in members]
    return moments(np.array(rounds).reshape(len(members), turned.shape[1]))


def _mean(ratios: Ratio, members: BoolArray, count: IntArray) -> Ratio:
    """The mean of the logarithms of each group, of cells that err independently.

    Their variances add; degrees of freedom by Welch–Satterthwaite over all cells.
    """

    def total(column: FloatArray) -> FloatArray:
        return np.asarray(np.where(members, column, 0.0).sum(axis=1), dtype=np.float64)

    # Only the shares of the variances count; as shares they cannot leave the range of floating point.
    largest = np.where(members, ratios.error, 0.0).max(axis=1, initial=0.0)
    shares = divide(np.where(members, ratios.error, 0.0), largest[:, np.newaxis]) ** 2
    variance = shares.sum(axis=1)
    doubt = np.where(members, divide(shares**2, np.broadcast_to(ratios.degrees, shares.shape)), 0.0).sum(axis=1)
    return Ratio(
        log=divide(total(ratios.log), count),
        error=divide(largest * np.sqrt(variance), count),
        degrees=divide(variance**2, doubt),
    )

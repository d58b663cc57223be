"""The geometric mean of the ratios of many cells to their baselines, with its interval: one number for a row."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from benchdb.stats.arrays import BoolArray, FloatArray, IntArray, divide
from benchdb.stats.intervals import CONFIDENCE, Interval
from benchdb.stats.moments import Moments, moments
from benchdb.stats.welch import spread

from .cells import Cells
from .ratio import Ratio, ratios_of


class GeometricMeans(NamedTuple):
    """Columns of length G: `ratio` (of the figures themselves), its 95 % `interval`, and its number of `cells`.

    `ratio` is NaN for a group without cells or with a cell without a ratio; `interval` also if a cell has no error.
    """

    ratio: FloatArray
    interval: Interval
    cells: IntArray


def geometric_mean(
    cells: Cells,
    baseline: Cells,
    groups: npt.ArrayLike,
    *,
    ratios: Ratio | None = None,
) -> GeometricMeans:
    """Geometric means of the ratios of C cells to C baselines, over each of G groups of cells.

    `groups` is (G, C): true if the cell belongs to the group; all cells of a group have the same metric. Groups to be
    compared must have the same columns: those valid in every row (`Comparisons.valid`). `ratios` are the ratios of the
    cells if already computed (`Comparisons.ratios`). Raises ValueError if a shape does not fit.

    The cells of a round share its good or bad moment. So if values are known, each round gives one value, its mean over
    the group's cells, and the interval is that of Welch's test on these; else the errors of cells count as independent.
    """
    members = np.asarray(groups, dtype=bool)
    if members.ndim != 2 or members.shape[1] != len(cells) or len(cells) != len(baseline):
        raise ValueError(f"groups of shape {members.shape} do not fit {len(cells)} cells and {len(baseline)} baselines")
    count = members.sum(axis=1, dtype=np.int64)
    mean = _mean(ratios or ratios_of(cells, baseline), members, count)
    first, second = _rounds(cells, members), _rounds(baseline, members)
    error, degrees = spread(first.sd, first.n, second.sd, second.n)
    with_values = (first.n > 1) & (second.n > 1)
    mean = mean._replace(
        error=np.where(with_values, error, mean.error), degrees=np.where(with_values, degrees, mean.degrees)
    )
    return GeometricMeans(mean.value(), mean.interval(CONFIDENCE), count)


def _rounds(cells: Cells, members: BoolArray) -> Moments:
    """Moments of each group's rounds: the value of a complete round is the mean of its cells' logarithms."""
    logarithms = cells.logarithms
    # A mean over cells is NaN if one of them is; a group without cells has no mean.
    rounds = [
        logarithms[in_group].mean(axis=0) if in_group.any() else np.full(logarithms.shape[1], np.nan)
        for in_group in members
    ]
    return moments(np.array(rounds).reshape(len(members), logarithms.shape[1]))


def _mean(ratios: Ratio, members: BoolArray, count: IntArray) -> Ratio:
    """The mean of the logarithms of each group, with independent errors of the cells.

    Variances add; degrees of freedom by Welch–Satterthwaite over all cells.
    """

    def total(column: FloatArray) -> FloatArray:
        return np.asarray(np.where(members, column, 0.0).sum(axis=1), dtype=np.float64)

    # Only the ratios of the variances matter; as shares of the largest they stay in the range of floating point.
    largest = np.where(members, ratios.error, 0.0).max(axis=1, initial=0.0)
    shares = divide(np.where(members, ratios.error, 0.0), largest[:, np.newaxis]) ** 2
    variance = shares.sum(axis=1)
    doubt = np.where(members, divide(shares**2, np.broadcast_to(ratios.degrees, shares.shape)), 0.0).sum(axis=1)
    return Ratio(
        log=divide(total(ratios.log), count),
        error=divide(largest * np.sqrt(variance), count),
        degrees=divide(variance**2, doubt),
    )

"""Whether a conclusion rests on one value, or one part of the data: it vanishes if this one is left out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from benchdb.stats.arrays import BoolArray, FloatArray, IntArray, divide
from benchdb.stats.moments import Moments, moments

from .cells import Cells
from .few_rounds import UsualSpread, p_with_few_rounds
from .ratio import ratio_of, ratio_of_pairs

NONE = -1
FEWEST_VALUES = 5
"""With fewer values on a side almost every verdict would vanish, because the test itself needs the value."""


class WeakestValues(NamedTuple):
    """Columns of length C: the value without which the difference of a cell would be least significant.

    `column` is that in `Cells.values`, of the baseline if `of_baseline`; for pairs it is the cell's, and both values of
    the pair are left out. `p` is that of the test without it. `NONE` and NaN if every difference stays significant.
    """

    column: IntArray
    of_baseline: BoolArray
    p: FloatArray


def weakest_values(
    cells: Cells, baseline: Cells, pairs: FloatArray, level: FloatArray, usual: UsualSpread
) -> WeakestValues:
    """The values on which the differences of C cells rest: p is below `level` (C,), but not without this one value.

    `pairs` (C, k) are the differences of cells that are paired, NaN for all others. Only tests on logarithms of five
    or more values a side are considered. Where few rounds remain, the difference must also be large for the `usual`
    spread (`p_with_few_rounds`).
    """
    first, second = cells.log_moments, baseline.log_moments
    runs = np.minimum(cells.runs, baseline.runs)[:, np.newaxis]
    own, other = (
        p_with_few_rounds(
            p_without_each(side, values, rival), without_each(side, values), _tall(rival), runs, usual.tall()
        )
        for side, values, rival in ((first, cells.logarithms, second), (second, baseline.logarithms, first))
    )
    of_pairs = moments(pairs)
    paired = of_pairs.n > 0
    by_pair = np.full(own.shape, np.nan)
    places = cells.blocked.columns[:, : pairs.shape[1]]
    np.put_along_axis(by_pair, places, paired_p_without_each(of_pairs, pairs), axis=1)
    own = np.where(paired[:, np.newaxis], by_pair, own)
    other = np.where(paired[:, np.newaxis], np.nan, other)
    enough = np.where(paired, of_pairs.n, np.minimum(first.n, second.n)) >= FEWEST_VALUES
    every = np.where(enough[:, np.newaxis], np.concatenate([own, other], axis=1), np.nan)
    column = weakest(every, level)
    width = own.shape[1]
    of_baseline = column >= width
    found = column != NONE
    p = np.full(len(column), np.nan)
    p[found] = every[found, column[found]]
    return WeakestValues(np.where(of_baseline, column - width, column), of_baseline, p)


def without_each(whole: Moments, values: FloatArray) -> Moments:
    """Moments of the other values of a row, for each value of it: three (C, k) arrays, NaN for a missing value.

    `whole` are the moments of the rows of `values` (C, k). By the update of mean and sum of squares for one value less
    (Chan, Golub and LeVeque 1983), so the values are visited once.
    """
    n, mean, sd = _tall(whole)
    distance = values - mean
    left = np.where(np.isnan(values), 0, n - 1)
    squares = (n - 1) * sd**2 - distance**2 * divide(n.astype(np.float64), n - 1)
    rest = np.sqrt(divide(np.maximum(squares, 0.0), np.where(left > 1, left - 1, 0)))
    return Moments(left, np.where(left > 0, mean - divide(distance, left), np.nan), rest)


def p_without_each(first: Moments, values: FloatArray, second: Moments) -> FloatArray:
    """p of Welch's test of each row without each of the first side's values in turn, (C, k)."""
    return ratio_of(without_each(first, values), _tall(second)).p()


def paired_p_without_each(whole: Moments, differences: FloatArray) -> FloatArray:
    """p of the paired t-test of each row without each of its differences in turn, (C, k)."""
    return ratio_of_pairs(without_each(whole, differences)).p()


def _tall(moments_of_rows: Moments) -> Moments:
    """Moments as (C, 1) columns, to be broadcast over the values of each row."""
    n, mean, sd = moments_of_rows
    return Moments(n[:, np.newaxis], mean[:, np.newaxis], sd[:, np.newaxis])


def weakest(p_without: FloatArray, level: FloatArray | float) -> IntArray:
    """The column of (C, k) p whose omission weakens the conclusion of its row most; `NONE` if every p is below `level`.

    NaN: nothing can be tested without this value, so the conclusion does not vanish.
    """
    if not p_without.shape[1]:
        return np.full(len(p_without), NONE)
    p = np.nan_to_num(p_without, nan=0.0)
    return np.where(p.max(axis=1) >= level, p.argmax(axis=1), NONE)

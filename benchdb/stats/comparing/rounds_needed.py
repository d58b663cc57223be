"""The number of further rounds that would settle an inconclusive cell."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import special

from benchdb.stats.arrays import BoolArray, FloatArray, IntArray, divide
from benchdb.stats.intervals import t_quantile
from benchdb.stats.moments import Moments
from benchdb.stats.welch import spread

POWER = 0.8
LIMIT = 10_000
"""The most rounds that anybody would measure; for more, the answer is "no number"."""


def further_rounds(first: Moments, second: Moments, level: FloatArray, margin: float) -> IntArray:
    """The fewest further rounds on each side that would settle a cell four times in five; 0 if 10,000 do not suffice.

    `first` and `second` are the moments of the two sides' logarithms, as in `ratio_of`. A cell is settled if it is
    different at `level` (C,), the level per test that the table's correction leaves, or equivalent within `margin`.
    Assumes that ratio and variation remain as measured (Chow, Shao and Wang 2008, §3.2).
    """
    gap = np.abs(first.mean - second.mean)

    def settled(more: IntArray) -> BoolArray:
        error, degrees = spread(first.sd, first.n + more, second.sd, second.n + more)
        power = t_quantile(degrees, POWER)
        different = divide(gap, error) >= t_quantile(degrees, 1 - level / 2) + power
        # Both ends of the interval must stay inside the margin, so each may be missed half as often.
        both_ends = t_quantile(degrees, 0.95) + t_quantile(degrees, (1 + POWER) / 2)
        same = divide(np.log1p(margin) - gap, error) >= both_ends
        return different | same

    # Normal quantiles are smaller than those of t, so the number of rounds from them is not yet enough.
    target = np.fmax(
        gap / (special.ndtri(1 - level / 2) + special.ndtri(POWER)),
        (np.log1p(margin) - gap) / (special.ndtri(0.95) + special.ndtri((1 + POWER) / 2)),
    )
    return _fewest(settled, _rounds_for(target, first.sd, first.n, second.sd, second.n))


def _rounds_for(error: FloatArray, first: FloatArray, n: IntArray, second: FloatArray, m: IntArray) -> IntArray:
    """The largest whole k below the solution of first²/(n + k) + second²/(m + k) = error², from 0 to `LIMIT`."""
    a, b = divide(first, error) ** 2, divide(second, error) ** 2
    half = (a + b - n - m) / 2
    with np.errstate(invalid="ignore", over="ignore"):
        solution = half + np.sqrt(half**2 + a * m + b * n - n * m)
    return np.floor(np.clip(np.nan_to_num(solution, nan=LIMIT), 0, LIMIT)).astype(np.int64)


def _fewest(settled: Callable[[IntArray], BoolArray], low: IntArray) -> IntArray:
    """The smallest number above `low` that settles, up to `LIMIT`, else 0: found by doubling steps, then by halving."""
    high, step = low + 1, 1
    while not (enough := settled(high) | (high > LIMIT)).all():
        step *= 2
        low, high = np.where(enough, low, high), np.where(enough, high, high + step)
    while np.any(high - low > 1):
        middle = (low + high) // 2
        enough = settled(middle)
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return np.where(high <= LIMIT, high, 0)

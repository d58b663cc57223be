"""The Mann–Whitney test of many cells: a check on Welch's test without assumptions on the distribution."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import compress

import numpy as np
import scipy

from benchdb.stats.arrays import BoolArray, FloatArray, IntArray, divide
from benchdb.stats.ordering import tied_places

from .cells import Cells

EXACT_UP_TO = 20
"""The most values per side for the exact distribution; above, the normal approximation is as good."""


def mann_whitney(cells: Cells, baseline: Cells) -> FloatArray:
    """Two-sided p-value of each cell (Mann and Whitney 1947), NaN if values are missing or all equal.

    Exact if both sides have at most 20 values and no two are equal; else the normal approximation with correction
    for ties and continuity.
    """
    if not cells.values.size or not baseline.values.size:
        return np.full(len(cells), np.nan)
    n, m = _known(cells.values), _known(baseline.values)
    u, ties = _u(cells.values, baseline.values, n)
    testable = (n > 0) & (m > 0) & (ties.max(axis=1) < n + m)
    exact = testable & (ties.max(axis=1) == 1) & (np.maximum(n, m) <= EXACT_UP_TO)
    p = np.where(testable, _approximate(u, n, m, ties), np.nan)
    shapes = list(zip(n.tolist(), m.tolist(), strict=True))
    for shape in dict.fromkeys(compress(shapes, exact.tolist())):  # a table has few shapes
        of_shape = exact & np.array([other == shape for other in shapes])
        p[of_shape] = _exact(*shape)[u[of_shape].astype(np.int64)]
    return p


def _u(first: FloatArray, second: FloatArray, n: IntArray) -> tuple[FloatArray, IntArray]:
    """U of the first side (its sum of ranks less the smallest possible sum), and the sizes of ties by position."""
    both = np.concatenate([first, second], axis=1)
    order = np.argsort(both, axis=1, kind="stable")
    ordered = np.take_along_axis(both, order, axis=1)
    low, high = tied_places(ordered)
    ranks = (low + high) / 2 + 1
    from_first = (order < first.shape[1]) & ~np.isnan(ordered)
    return np.where(from_first, ranks, 0.0).sum(axis=1) - n * (n + 1) / 2, high - low + 1


def _approximate(u: FloatArray, n: IntArray, m: IntArray, ties: IntArray) -> FloatArray:
    """Two-sided p of the normal approximation, corrected for ties and continuity (Lehmann 1975, §1.4).

    Σ (t³ − t) over groups of t tied values is Σ (t² − 1) over the values.
    """
    every = n + m
    variance = n * m / 12 * (every + 1 - divide((ties**2 - 1).sum(axis=1), every * (every - 1)))
    distance = np.abs(u - n * m / 2) - 0.5
    p: FloatArray = 2 * scipy.special.ndtr(-divide(distance, np.sqrt(np.maximum(variance, 0.0))))
    return np.minimum(p, 1.0)


@lru_cache(maxsize=EXACT_UP_TO**2)
def _exact(n: int, m: int) -> FloatArray:
    """The exact p of every U from 0 to n·m; cached, because a table has few shapes."""
    orders = np.zeros(n * m + 1, dtype=np.int64)  # with each U, at most C(40, 20)
    orders[0] = 1
    # Their generating function is the Gaussian binomial coefficient ∏ (1 − x^(m+i)) / (1 − x^i), i = 1 … n.
    for i in range(1, n + 1):
        orders[m + i :] -= orders[: -(m + i)].copy()
        for start in range(i):
            np.cumsum(orders[start::i], out=orders[start::i])
    at_most = np.cumsum(orders) / math.comb(n + m, n)
    u = np.arange(n * m + 1)
    return np.minimum(2 * at_most[np.minimum(u, n * m - u)], 1.0)


def can_reach(level: float, first_n: IntArray, second_n: IntArray) -> BoolArray:
    """Whether the exact test could give p ≤ `level` at all: its smallest p is 2 / C(n₁ + n₂, n₁)."""
    smallest: FloatArray = 2 / scipy.special.binom(first_n + second_n, first_n)
    return smallest <= level


def _known(values: FloatArray) -> IntArray:
    return np.asarray((~np.isnan(values)).sum(axis=1), dtype=np.int64)

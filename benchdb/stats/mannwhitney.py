"""The Mann–Whitney test over many cells: a check on Welch's that asks nothing of the distribution."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import scipy
from scipy import special

from benchdb.stats.arrays import BoolArray, FloatArray, IntArray, pack
from benchdb.stats.cells import Cells
from benchdb.stats.ordering import sort_rows, tie_sizes

EXACT_UP_TO = 20
"""Values a side up to which the exact distribution is used; above it the normal approximation is as good."""


def mann_whitney(cells: Cells, baseline: Cells) -> FloatArray:
    """Two-sided p-value of each cell (Mann and Whitney 1947), NaN where values are missing or all equal.

    Exact where both sides have at most 20 values and no two are equal; else the normal approximation with correction
    for ties and continuity.
    """
    p = np.full(len(cells), np.nan)
    if not cells.values.size or not baseline.values.size:
        return p
    both = sort_rows(np.concatenate([cells.values, baseline.values], axis=1))
    ties = tie_sizes(both).max(axis=1)
    first, second = pack(cells.values), pack(baseline.values)
    first_n, second_n = _known(first), _known(second)
    testable = (first_n > 0) & (second_n > 0) & (ties < first_n + second_n)
    exact = (ties == 1) & (np.maximum(first_n, second_n) <= EXACT_UP_TO)
    # Cells of one shape are tested together; a table has few shapes.
    shapes = np.stack([first_n, second_n, exact.astype(np.int64)], axis=1)
    for n, m, is_exact in np.unique(shapes[testable], axis=0).tolist():
        here = testable & (shapes == (n, m, is_exact)).all(axis=1)
        x, y = first[here, :n], second[here, :m]
        if is_exact:
            p[here] = _exact(n, m)[(x[:, :, np.newaxis] > y[:, np.newaxis, :]).sum(axis=(1, 2))]
        else:
            p[here] = scipy.stats.mannwhitneyu(x, y, axis=1, method="asymptotic").pvalue
    return p


@lru_cache(maxsize=EXACT_UP_TO**2)
def _exact(n: int, m: int) -> FloatArray:
    """The exact p of every U from 0 to n·m: it depends on nothing else, and SciPy takes milliseconds for it."""
    u = np.arange(n * m + 1)[:, np.newaxis]
    above, rest = u // m, u % m  # so many of the first side are above all of the second, and one is above `rest` of it
    place = np.arange(n)
    first = np.where(place < above, m + 1.0 + place, np.where(place == above, rest + 0.5, -1.0 - place))
    second = np.broadcast_to(np.arange(1.0, m + 1), (len(u), m))
    return np.asarray(scipy.stats.mannwhitneyu(first, second, axis=1, method="exact").pvalue, dtype=np.float64)


def can_reach(level: float, first_n: IntArray, second_n: IntArray) -> BoolArray:
    """Whether the exact test could give p ≤ `level` at all: its smallest p is 2 / C(n₁ + n₂, n₁)."""
    smallest: FloatArray = 2 / special.binom(first_n + second_n, first_n)
    return smallest <= level


def _known(values: FloatArray) -> IntArray:
    return np.asarray((~np.isnan(values)).sum(axis=1), dtype=np.int64)

"""Tukey's fences, calibrated by n. Outliers are flagged, but count in every figure."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import scipy

from benchdb.stats.arrays import BoolArray, FloatArray, IntArray
from benchdb.stats.ordering import quantile

SMALLEST_N = 5
"""With four values, a quartile already depends on the extreme value that it should judge."""
LARGEST_N = 60
"""The last row of the table."""
CHANCES = (0.05, 0.01)
"""The share of normal samples of n values with any value outside the inner fences, and outside the outer ones."""
TABLE = Path(__file__).with_name("fences_of_normal.csv")


class Outliers(NamedTuple):
    """(R, n) flags: `outside` the inner fences are outliers, `far` outside the outer ones deserve a warning."""

    outside: BoolArray
    far: BoolArray


def tukey_outliers(values: FloatArray, ordered: FloatArray, n: IntArray) -> Outliers:
    """Flags of the values outside [Q1 − f·IQR, Q3 + f·IQR] (Tukey 1977); none if n < 5.

    f depends on n, so that 5 % of normal samples have a value outside the inner fences and 1 % outside the outer ones
    (Hoaglin and Iglewicz 1987). Tukey's own f = 1.5 flags a value in 28 % of samples of ten and 55 % of a hundred.
    """
    first, third = quantile(ordered, n, 0.25), quantile(ordered, n, 0.75)
    enough = (n >= SMALLEST_N)[:, np.newaxis]
    factors = fence_factors(n)

    def outside(factor: FloatArray) -> BoolArray:
        reach = factor * (third - first)
        low, high = (first - reach)[:, np.newaxis], (third + reach)[:, np.newaxis]
        return ((values < low) | (values > high)) & enough

    return Outliers(outside(factors[:, 0]), outside(factors[:, 1]))


def fence_factors(n: IntArray) -> FloatArray:
    """(R, 2) factors of the inner and the outer fences for samples of n values; those of n = 5 below it.

    From the table up to n = 60, made by `python -m tests.stats.fence_table`. Above, those of known quartiles, times
    1 + c/n for the error of the quartiles, with c so that the factors continue the table.
    """
    sizes = np.maximum(n, SMALLEST_N)
    rows = np.minimum(sizes, LARGEST_N) - SMALLEST_N
    last = _table()[-1] / _of_known_quartiles(np.array([LARGEST_N]))
    beyond = _of_known_quartiles(sizes) * (1 + (last - 1) * (LARGEST_N / sizes)[:, np.newaxis])
    factors: FloatArray = np.where((sizes <= LARGEST_N)[:, np.newaxis], _table()[rows], beyond)
    return factors


def _of_known_quartiles(n: IntArray) -> FloatArray:
    """The factors if Q1 and Q3 were the normal distribution's own: P(all of n values inside) = 1 − chance."""
    quartile = scipy.special.ndtri(0.75)
    tail = -np.expm1(np.log1p(-np.array(CHANCES)) / n[:, np.newaxis]) / 2
    return np.asarray((-scipy.special.ndtri(tail) - quartile) / (2 * quartile), dtype=np.float64)


@lru_cache(maxsize=1)
def _table() -> FloatArray:
    return np.loadtxt(TABLE, delimiter=",")[:, 1:]

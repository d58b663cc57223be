"""95 % intervals of the mean and of the median."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy

from .arrays import FloatArray, IntArray
from .ordering import order_statistic

CONFIDENCE = 0.95


class Interval(NamedTuple):
    """Two columns; NaN in both if there is no interval."""

    low: FloatArray
    high: FloatArray


def t_quantile(degrees: FloatArray | IntArray, probability: float | FloatArray) -> FloatArray:
    """Quantile of Student's t; NaN if the degrees of freedom are NaN or not positive."""
    fit = np.asarray(degrees) > 0
    return np.where(fit, scipy.special.stdtrit(np.where(fit, degrees, 1.0), probability), np.nan)


def mean_interval(n: IntArray, mean: FloatArray, sd: FloatArray, confidence: float = CONFIDENCE) -> Interval:
    """mean ± t(n − 1)·sd/√n (Student 1908); NaN if n < 2."""
    # A run has few different n, so the expensive quantile is computed once for each.
    sizes, size_of_row = np.unique(n, return_inverse=True)
    factor = t_quantile(sizes - 1, (1 + confidence) / 2) / np.sqrt(np.maximum(sizes, 1))
    half = factor[size_of_row] * sd
    return Interval(mean - half, mean + half)


def median_interval(ordered: FloatArray, n: IntArray, confidence: float = CONFIDENCE) -> Interval:
    """The order statistics x(k) and x(n + 1 − k) of each sorted row, k as large as the confidence allows.

    Distribution-free: the number of values below the median is binomial(n, ½) (Conover 1999, §3.2). The coverage is at
    least `confidence`. NaN if n is too small, n < 6 at 95 %: with five values even the whole range covers the median in
    only 1 − 2/2⁵ = 93.75 % of samples.
    """
    sizes, size_of_row = np.unique(n, return_inverse=True)
    # The smallest count whose cumulative probability reaches (1 − confidence)/2 is k; 0 means that no k exists.
    k = _smallest_reaching((1 - confidence) / 2, sizes)[size_of_row]
    exists = k > 0
    low = np.where(exists, order_statistic(ordered, k - 1), np.nan)
    return Interval(low, np.where(exists, order_statistic(ordered, n - k), np.nan))


def _smallest_reaching(probability: float, n: IntArray) -> IntArray:
    """The smallest k of each n with P(X ≤ k) ≥ `probability`, where X is binomial(n, ½)."""
    n = np.maximum(n, 1)  # of no values, bdtrik is NaN, and 0 the answer, as of one
    k = np.ceil(scipy.special.bdtrik(probability, n, 0.5))
    below = np.maximum(k - 1, 0)  # may do too, because bdtrik is rounded
    return np.asarray(np.where(scipy.special.bdtr(below, n, 0.5) >= probability, below, k), dtype=np.int64)

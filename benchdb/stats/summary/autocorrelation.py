"""The dependence of a value on the one before it, which would make the intervals too narrow."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy

from benchdb.stats.arrays import FloatArray, IntArray, divide, pack

SMALLEST_N = 8
"""Below this the normal approximation of the p-value is poor and a real dependence would hardly show."""


class Autocorrelation(NamedTuple):
    """Columns of length R: the lag-1 coefficient and its two-sided p-value; NaN if n < 8 or all values are equal."""

    coefficient: FloatArray
    p: FloatArray


def autocorrelation(values: FloatArray, n: IntArray, mean: FloatArray) -> Autocorrelation:
    """Lag-1 autocorrelation of each row, r = Σ d(t)·d(t+1) / Σ d(t)², d the deviations from the mean.

    A failed round is left out; its neighbours then follow each other. The p-value compares r with its exact mean and
    variance over all orders of the same values (Wald and Wolfowitz 1943, Moran 1948), by the normal approximation, so
    the values need not be normal.
    """
    deviations = _scaled_deviations(pack(values), n, mean)
    squared = deviations**2
    squares = squared.sum(axis=1)
    fit = (n >= SMALLEST_N) & (squares > 0)
    coefficient = divide((deviations[:, 1:] * deviations[:, :-1]).sum(axis=1), squares)
    peakedness = divide((squared**2).sum(axis=1), squares**2)
    z = divide(coefficient + divide(np.ones(len(n)), n), np.sqrt(_variance(n, peakedness)))
    p = 2 * scipy.special.ndtr(-np.abs(z))
    return Autocorrelation(np.where(fit, coefficient, np.nan), np.where(fit, p, np.nan))


def _scaled_deviations(packed: FloatArray, n: IntArray, mean: FloatArray) -> FloatArray:
    """Deviations from the mean in units of the largest, 0 for missing values.

    r does not depend on the scale, but fourth powers of unscaled values leave the range of floating point. The second
    centring matters if values differ only in their last bits and the mean lies between two floats.
    """
    present = ~np.isnan(packed)
    deviations = np.where(present, packed - mean[:, np.newaxis], 0.0)
    scaled = divide(deviations, np.abs(deviations).max(axis=1, initial=0.0)[:, np.newaxis])
    centred = scaled - divide(scaled.sum(axis=1), n)[:, np.newaxis]
    return np.where(present & ~np.isnan(centred), centred, 0.0)


def _variance(n: IntArray, peakedness: FloatArray) -> FloatArray:
    """Variance of r over all orders; its mean is −1/n. `peakedness` is Σd⁴ / (Σd²)²."""
    size = np.maximum(n, 2).astype(np.float64)
    variance = (1 - peakedness) / size + (1 - 2 * peakedness) / (size * (size - 1)) - 1 / size**2
    return np.maximum(variance, 0.0)

"""n, mean and standard deviation of each row."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .arrays import BoolArray, FloatArray, IntArray, divide


class Moments(NamedTuple):
    """Columns of length R. `mean` is NaN if n = 0, `sd` (n − 1 in the denominator) if n < 2."""

    n: IntArray
    mean: FloatArray
    sd: FloatArray

    def take(self, places: IntArray) -> Moments:
        """The rows at these positions, in this order."""
        return Moments(self.n[places], self.mean[places], self.sd[places])

    def where(self, flags: BoolArray, otherwise: Moments) -> Moments:
        """These moments where the flag is set, else the other ones."""
        return Moments(*(np.where(flags, *columns) for columns in zip(self, otherwise, strict=True)))


def moments(values: FloatArray) -> Moments:
    """Moments of each row of a (R, n) array, NaN left out.

    Corrected two-pass algorithm (Chan, Golub and LeVeque 1983): the mean is corrected by the mean of the
    residuals, so a row of equal values has exactly that mean and a standard deviation of exactly 0.
    """
    present = ~np.isnan(values)
    n = present.sum(axis=1, dtype=np.int64)
    filled = np.where(present, values, 0.0)
    mean = divide(filled.sum(axis=1), n)
    mean = mean + divide(_residuals(filled, mean, present).sum(axis=1), n)
    residuals = _residuals(filled, mean, present)
    squares = np.einsum("ij,ij->i", residuals, residuals) - divide(residuals.sum(axis=1) ** 2, n)
    degrees = np.where(n > 1, n - 1, 0)
    return Moments(n, mean, np.sqrt(divide(np.maximum(squares, 0.0), degrees)))


def variation(mean: FloatArray, sd: FloatArray) -> FloatArray:
    """Coefficient of variation, sd / |mean|; NaN if the mean is 0."""
    return divide(sd, np.abs(mean))


def _residuals(filled: FloatArray, mean: FloatArray, present: BoolArray) -> FloatArray:
    return np.where(present, filled - mean[:, np.newaxis], 0.0)

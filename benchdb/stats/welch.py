"""The parts of Welch's test of two means with unequal variances, from n and sd."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy

from .arrays import FloatArray, IntArray, divide


class Spread(NamedTuple):
    """Standard error of a difference and its Welch–Satterthwaite degrees of freedom."""

    error: FloatArray
    degrees: FloatArray


def spread(first_sd: FloatArray, first_n: IntArray, second_sd: FloatArray, second_n: IntArray) -> Spread:
    """Standard error √(s₁²/n₁ + s₂²/n₂) and its degrees of freedom (Satterthwaite 1946, Welch 1947).

    NaN if a side has fewer than two values, or neither side varies.
    """
    enough = (first_n > 1) & (second_n > 1)
    # Only the ratio of the two variances matters; as shares of their sum they stay in the range of floating point.
    first, second = divide(first_sd, np.sqrt(first_n)), divide(second_sd, np.sqrt(second_n))
    error = np.where(enough, np.hypot(first, second), np.nan)
    share, rest = divide(first, error) ** 2, divide(second, error) ** 2
    inverse = divide(share**2, first_n - 1) + divide(rest**2, second_n - 1)
    return Spread(np.where(error > 0, error, np.nan), divide(np.ones_like(inverse), inverse))


def two_sided_p(t: FloatArray, degrees: FloatArray) -> FloatArray:
    """P(|T| ≥ |t|) for Student's t."""
    p: FloatArray = 2 * scipy.special.stdtr(degrees, -np.abs(t))
    return p

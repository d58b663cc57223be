"""Tukey's fences. Outliers are flagged, but count in every figure."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from benchdb.stats.arrays import BoolArray, FloatArray, IntArray
from benchdb.stats.ordering import quantile

INNER_FENCE = 1.5
OUTER_FENCE = 3.0
SMALLEST_N = 5
"""With four values, a quartile already depends on the extreme value that it should judge."""


class Outliers(NamedTuple):
    """(R, n) flags: `outside` the inner fences are Tukey's outliers, `far` outside the outer ones deserve a warning."""

    outside: BoolArray
    far: BoolArray


def tukey_outliers(values: FloatArray, ordered: FloatArray, n: IntArray) -> Outliers:
    """Flags of the values outside [Q1 − f·IQR, Q3 + f·IQR], f = 1.5 and 3 (Tukey 1977); none if n < 5.

    Of ten normal values at least one lies outside the inner fences in 28 % of samples (Hoaglin, Iglewicz and
    Tukey 1986), but outside the outer ones in 5 %: therefore only the latter warn.
    """
    first, third = quantile(ordered, n, 0.25), quantile(ordered, n, 0.75)
    enough = (n >= SMALLEST_N)[:, np.newaxis]

    def outside(fence: float) -> BoolArray:
        reach = fence * (third - first)
        low, high = (first - reach)[:, np.newaxis], (third + reach)[:, np.newaxis]
        return ((values < low) | (values > high)) & enough

    return Outliers(outside(INNER_FENCE), outside(OUTER_FENCE))

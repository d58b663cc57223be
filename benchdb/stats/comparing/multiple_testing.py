"""Many tests in one table: p-values corrected for their number."""

from __future__ import annotations

from enum import StrEnum

import numpy as np
import scipy

from benchdb.stats.arrays import FloatArray


class Correction(StrEnum):
    """The methods to correct the p-values of a table."""

    BENJAMINI_HOCHBERG = "benjamini_hochberg"
    HOLM = "holm"
    UNCORRECTED = "uncorrected"


def adjust(p: FloatArray, correction: Correction = Correction.BENJAMINI_HOCHBERG) -> FloatArray:
    """Adjusted p-values of a (C,) column. NaN marks an untested cell, which does not count."""
    tested = ~np.isnan(p)
    adjusted = np.full(len(p), np.nan)
    if correction is Correction.BENJAMINI_HOCHBERG:
        adjusted[tested] = scipy.stats.false_discovery_control(p[tested])  # Benjamini and Hochberg 1995
    elif correction is Correction.HOLM:
        adjusted[tested] = holm(p[tested])
    else:
        adjusted[tested] = p[tested]
    return adjusted


def holm(p: FloatArray) -> FloatArray:
    """Holm's (1979) step-down p-values: the chance of any false rejection in the family stays below the level.

    `p` is one family, or (F, P) with a family in each row. NaN marks a test that was not done; it does not count.
    """
    order = np.argsort(p, axis=-1, kind="stable")  # NaN last
    left = (~np.isnan(p)).sum(axis=-1, keepdims=True) - np.arange(p.shape[-1])
    stepped = np.maximum.accumulate(np.take_along_axis(p, order, axis=-1) * left, axis=-1)
    adjusted = np.empty(p.shape)
    np.put_along_axis(adjusted, order, np.minimum(stepped, 1.0), axis=-1)
    return adjusted

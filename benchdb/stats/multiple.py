"""Many tests in one table: p-values corrected for their number."""

from __future__ import annotations

from enum import StrEnum

import numpy as np
import scipy

from benchdb.stats.arrays import FloatArray


class Correction(StrEnum):
    """How p-values are corrected over a table."""

    BENJAMINI_HOCHBERG = "benjamini_hochberg"
    HOLM = "holm"
    UNCORRECTED = "uncorrected"


def adjust(p: FloatArray, correction: Correction = Correction.BENJAMINI_HOCHBERG) -> FloatArray:
    """Adjusted p-values of a (C,) column, NaN where p is NaN: such a cell was not tested and does not count."""
    tested = ~np.isnan(p)
    adjusted = np.full(len(p), np.nan)
    if correction is Correction.BENJAMINI_HOCHBERG:
        adjusted[tested] = scipy.stats.false_discovery_control(p[tested], method="bh")
    elif correction is Correction.HOLM:
        adjusted[tested] = holm(p[tested])
    else:
        adjusted[tested] = p[tested]
    return adjusted


def holm(p: FloatArray) -> FloatArray:
    """Holm's (1979) step-down p-values: the chance of any false rejection in the family stays below the level."""
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted

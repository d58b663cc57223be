"""Many tests in one table: p-values corrected for their number."""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from benchdb.stats.arrays import FloatArray


class Correction(StrEnum):
    """The methods to correct the p-values of a table."""

    BENJAMINI_HOCHBERG = "benjamini_hochberg"
    HOLM = "holm"
    UNCORRECTED = "uncorrected"


def adjust(p: FloatArray, correction: Correction = Correction.BENJAMINI_HOCHBERG) -> FloatArray:
    """Adjusted p-values of a (C,) column. NaN marks an untested cell, which does not count."""
    if correction is Correction.UNCORRECTED:
        return p.copy()
    return holm(p) if correction is Correction.HOLM else benjamini_hochberg(p)


def level_of_one_more(p_adjusted: FloatArray, level: float, correction: Correction) -> float:
    """The uncorrected p below which one more cell of a family would be significant beside those that are."""
    tests, significant = int((~np.isnan(p_adjusted)).sum()), int((p_adjusted < level).sum())
    if correction is Correction.UNCORRECTED or not tests:
        return level
    share = 1 / max(tests - significant, 1) if correction is Correction.HOLM else (significant + 1) / tests
    return level * min(share, 1.0)


# Each takes one family, or (…, P) with a family in each row. NaN marks a test that was not done; it does not count.


def holm(p: FloatArray) -> FloatArray:
    """Holm's (1979) step-down p-values: the chance of any false rejection in the family stays below the level."""
    ordered = _Ordered(p)
    return ordered.adjusted(np.maximum.accumulate(ordered.p * (ordered.tests - ordered.smaller), axis=-1))


def hochberg(p: FloatArray) -> FloatArray:
    """Hochberg's (1988) step-up p-values: as Holm's, but never larger, for tests with positive dependence."""
    ordered = _Ordered(p)
    return ordered.adjusted(_least_from_here(ordered.p * (ordered.tests - ordered.smaller)))


def benjamini_hochberg(p: FloatArray) -> FloatArray:
    """Benjamini and Hochberg's (1995) p-values: at most the level of the rejections of the family are false."""
    ordered = _Ordered(p)
    return ordered.adjusted(_least_from_here(ordered.p * (ordered.tests / (ordered.smaller + 1))))


class _Ordered:
    """The p-values of each family from the smallest, NaN last, with the number of tests and of smaller p-values."""

    def __init__(self, p: FloatArray) -> None:
        self._order = np.argsort(p, axis=-1, kind="stable")
        self.p = np.take_along_axis(p, self._order, axis=-1)
        self.tests = (~np.isnan(p)).sum(axis=-1, keepdims=True)
        self.smaller = np.arange(p.shape[-1])

    def adjusted(self, stepped: FloatArray) -> FloatArray:
        """These p-values, at most 1, in the given order."""
        adjusted = np.empty(stepped.shape)
        np.put_along_axis(adjusted, self._order, np.minimum(stepped, 1.0), axis=-1)
        return adjusted


def _least_from_here(ordered: FloatArray) -> FloatArray:
    """The smallest of each value and all after it; NaN at the end stays NaN."""
    least: FloatArray = np.fmin.accumulate(ordered[..., ::-1], axis=-1)[..., ::-1]
    return least

"""Fisher's test of paired differences: how often random signs give a sum as far from zero as the measured one."""

from __future__ import annotations

import numpy as np

from benchdb.stats.arrays import FloatArray

MOST_SIGNS = 24
"""More differences are added up in this many groups of neighbours, whose sums have the same symmetry."""
ROUNDING = 1e-12
"""Sums closer than this share of the largest one count as equal."""


def p_of_signs(differences: FloatArray) -> float:
    """The two-sided p of (n,) differences of rounds; 1 if there are none, and never below 2 · 2⁻ⁿ.

    If both sides are alike, each difference has either sign with the same chance, whatever the noise is and whether it
    is the same in all rounds (Fisher 1935). All 2ⁿ sums are counted, as pairs of sums of two halves.
    """
    groups = np.array_split(differences, min(len(differences), MOST_SIGNS) or 1)
    sums = np.array([group.sum() for group in groups])
    tolerance = ROUNDING * float(np.abs(sums).sum())
    least = abs(float(sums.sum())) - tolerance
    if least <= 0:
        return 1.0
    half = len(sums) // 2
    left, right = _signed_sums(sums[:half]), np.sort(_signed_sums(sums[half:]))
    as_large = len(right) - np.searchsorted(right, least - left, side="left")
    return min(1.0, 2.0 * float(as_large.sum()) / 2.0 ** len(sums))


def _signed_sums(values: FloatArray) -> FloatArray:
    """(2ⁿ,) the sums of (n,) values with all combinations of signs."""
    sums = np.zeros(1)
    for value in values.tolist():
        sums = np.concatenate([sums + value, sums - value])
    return sums

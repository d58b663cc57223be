"""Selective inference: first the families of tests in which anything differs, then the tests of those families.

A sentence is about a family: a row of a table against the baseline, a value that is best, a test over record sizes. A
correction over all tests of a table bounds the share of false calls in the table, but not in a family: beside rows that
differ everywhere, a row that equals the baseline is called different at 5 % of its cells. Here each family has one p,
families are selected by it, and a test of a selected family passes at the level times the share of families that were
selected (Benjamini and Bogomolov 2014).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from benchdb.stats.arrays import BoolArray, FloatArray, divide

from .multiple_testing import benjamini_hochberg, hochberg

LEVEL = 0.05
OF_FAMILIES = 0.9
"""Share of the level for the selection of families: Welch's p is approximate, and the promise is about families."""


class Selected(NamedTuple):
    """The result for F families of P tests; leading axes are tables.

    `p` (…, F) is that of each family, corrected for the number of families; NaN without any test. `passed` (…, F, P)
    flags the tests that passed, in selected families only. `level` (…, F) bounds the p of the family's passed tests, so
    that their intervals of confidence 1 − `level` exclude no difference (false-coverage rate, Benjamini and Yekutieli
    2005).
    """

    p: FloatArray
    passed: BoolArray
    level: FloatArray


class Sides(NamedTuple):
    """The result for F families of P tests with a direction: tests that passed upward and downward, both (…, F, P).

    `p` (…, F) is that of each family, as in `Selected`.
    """

    p: FloatArray
    up: BoolArray
    down: BoolArray


def simes(p: FloatArray) -> FloatArray:
    """Simes' (1986) p of each family of (…, P): the smallest P·p₍ᵢ₎/i; NaN for a family without tests."""
    return _least(benjamini_hochberg(p))


def select(p: FloatArray, level: float = LEVEL) -> Selected:
    """The families that differ, and their tests that do; `p` is (…, F, P), NaN for a test that was not done.

    A family is selected by Simes' p, corrected by Hochberg over the families, at nine tenths of `level`: the chance
    that any family without a difference is selected stays below `level`. In the selected families at most `level` of
    the passed tests are false.
    """
    inside = benjamini_hochberg(p)
    families = hochberg(_least(inside))
    selected = families < OF_FAMILIES * level
    inside_level = level * divide(selected.sum(axis=-1), (~np.isnan(families)).sum(axis=-1))[..., np.newaxis]
    passed = selected[..., np.newaxis] & (inside < inside_level[..., np.newaxis])
    return Selected(families, passed, inside_level * divide(passed.sum(axis=-1), (~np.isnan(p)).sum(axis=-1)))


def select_sides(p: FloatArray, upward: BoolArray, level: float = LEVEL) -> Sides:
    """`select` for two-sided `p` of tests with a direction; `upward` (…, F, P) flags those that point up.

    The side of a selected family for which less speaks (by Simes' p of its one-sided tests) has to pass once more,
    corrected by Hochberg over the selected families. Otherwise its tests would profit from those of the other side:
    beside many true gains, a loss would be claimed in 3 to 11 % of the tables in which nothing is lost.
    """
    families, passed, _ = select(p, level)
    strict = OF_FAMILIES * level
    up, down = simes(np.where(upward, p / 2, 1 - p / 2)), simes(np.where(upward, 1 - p / 2, p / 2))
    both = (hochberg(np.where(families < strict, np.fmax(up, down), np.nan)) < strict)[..., np.newaxis]
    mostly_up = (up <= down)[..., np.newaxis]
    return Sides(families, passed & upward & (both | mostly_up), passed & ~upward & (both | ~mostly_up))


def _least(adjusted: FloatArray) -> FloatArray:
    least: FloatArray = np.fmin.reduce(adjusted, axis=-1, initial=np.nan)
    return least

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

from benchdb.stats.arrays import BoolArray, FloatArray

from .multiple_testing import benjamini_hochberg, hochberg

LEVEL = 0.045
"""A tenth below the promised 5 %, because Welch's p is approximate."""


class Selected(NamedTuple):
    """The result for F families of P tests.

    `p` (F,) is that of each family, corrected for the number of families; NaN without any test. `passed` (F, P) flags
    the tests that passed, in selected families only.
    """

    p: FloatArray
    passed: BoolArray


class Sides(NamedTuple):
    """The result for F families of P tests with a direction: tests that passed upward and downward, both (F, P).

    `p` (F,) is that of each family, as in `Selected`.
    """

    p: FloatArray
    up: BoolArray
    down: BoolArray


def simes(p: FloatArray) -> FloatArray:
    """Simes' (1986) p of each family of (F, P): the smallest P·p₍ᵢ₎/i; NaN for a family without tests."""
    least: FloatArray = np.fmin.reduce(benjamini_hochberg(p), axis=1, initial=np.nan)
    return least


def select(p: FloatArray, level: float = LEVEL) -> Selected:
    """The families that differ, and their tests that do; `p` is (F, P), NaN for a test that was not done.

    A family is selected by Simes' p, corrected by Hochberg over the families: the chance that any family without a
    difference is selected stays below `level`. In the selected families at most `level` of the passed tests are false.
    """
    inside = benjamini_hochberg(p)
    families = hochberg(np.fmin.reduce(inside, axis=1, initial=np.nan))
    selected = families < level
    share = selected.sum() / max((~np.isnan(families)).sum(), 1)
    return Selected(families, selected[:, np.newaxis] & (inside < level * share))


def select_sides(p: FloatArray, upward: BoolArray, level: float = LEVEL) -> Sides:
    """`select` for two-sided `p` of tests with a direction; `upward` (F, P) flags those that point up.

    The side of a selected family for which less speaks (by Simes' p of its one-sided tests) has to pass once more,
    corrected by Hochberg over the selected families. Otherwise its tests would profit from those of the other side:
    beside many true gains, a loss of 5 % of the cells would be claimed where nothing is lost.
    """
    families, passed = select(p, level)
    up, down = simes(np.where(upward, p / 2, 1 - p / 2)), simes(np.where(upward, 1 - p / 2, p / 2))
    lesser = np.where(families < level, np.fmax(up, down), np.nan)
    both = (hochberg(lesser) < level)[:, np.newaxis]
    mostly_up = (up <= down)[:, np.newaxis]
    return Sides(families, passed & upward & (both | mostly_up), passed & ~upward & (both | ~mostly_up))

"""The ratio of two cells and its uncertainty: its intervals and its p come from the same three numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from benchdb.stats.arrays import BoolArray, FloatArray, IntArray, divide
from benchdb.stats.intervals import Interval, t_quantile
from benchdb.stats.moments import Moments, variation
from benchdb.stats.welch import spread, two_sided_p

from .cells import Cells

MOST_LOGARITHM = 138.0  # e^138 is 10^60; so are the ends of intervals that would be 0 or infinite


class Ratio(NamedTuple):
    """Columns of length C: ln(cell ÷ baseline), its standard error and degrees of freedom. NaN if undefined.

    It is the ratio of the figure itself: a time that doubled has the ratio 2, although less would be better.
    """

    log: FloatArray
    error: FloatArray
    degrees: FloatArray

    def value(self) -> FloatArray:
        return _exponential(self.log)

    def interval(self, confidence: float | FloatArray) -> Interval:
        """exp(ln ratio ± t·error): always positive, and inverted when the two sides change places.

        `confidence` is that of all intervals, or (C,).
        """
        half = t_quantile(self.degrees, (1 + confidence) / 2) * self.error
        return Interval(_exponential(self.log - half), _exponential(self.log + half))

    def p(self) -> FloatArray:
        """Two-sided p of Welch's test that the ratio is 1: below 0.05 if and only if 1 is outside the 95 % interval."""
        return two_sided_p(divide(self.log, self.error), self.degrees)

    def take(self, indices: Sequence[int] | IntArray) -> Ratio:
        """The ratios at these indices, in this order."""
        places = np.asarray(indices, dtype=np.int64)
        return Ratio(*(column[places] for column in self))

    def where(self, flags: BoolArray, otherwise: Ratio) -> Ratio:
        """These ratios where the flag is set, else the other ones."""
        return Ratio(*(np.where(flags, *columns) for columns in zip(self, otherwise, strict=True)))

    def unless(self, flags: BoolArray) -> Ratio:
        """The same ratios with NaN where the flag is set."""
        return Ratio(*(np.where(flags, np.nan, column) for column in self))


class Side(NamedTuple):
    """n, mean and sd of the logarithm of each cell's figure, computed once for a cell that is compared with many.

    `geometric` are those of the values' logarithms, so that the mean is ln of the geometric mean; NaN unless all values
    are known and positive. `arithmetic` have ln of the arithmetic mean and the cv as sd (delta method; Casella and
    Berger 2002, §5.5.4).
    """

    geometric: Moments
    arithmetic: Moments
    all_positive: BoolArray

    @classmethod
    def of(cls, cells: Cells) -> Side:
        arithmetic = Moments(cells.n, _logarithm(cells.mean), variation(cells.mean, cells.sd))
        return cls(cells.log_moments, arithmetic, cells.all_positive)

    def take(self, places: IntArray) -> Side:
        """The cells at these positions, in this order."""
        return Side(self.geometric.take(places), self.arithmetic.take(places), self.all_positive[places])

    def moments(self, geometric: BoolArray) -> Moments:
        """The moments to compare: `geometric` where the flag is set, else `arithmetic`."""
        return self.geometric.where(geometric, self.arithmetic)


def ratio_of(first: Moments, second: Moments) -> Ratio:
    """Ratios from the moments of the sides' logarithms, with Welch's (1947) error and degrees of freedom."""
    return Ratio(first.mean - second.mean, *spread(first.sd, first.n, second.sd, second.n))


def ratio_of_pairs(differences: Moments) -> Ratio:
    """Ratios from the moments of the differences of paired logarithms (Student 1908); NaN for fewer than two pairs."""
    n, mean, sd = differences
    return Ratio(np.where(n > 1, mean, np.nan), divide(sd, np.sqrt(n)), np.where(n > 1, n - 1.0, np.nan))


def ratios_of(cells: Cells, baseline: Cells) -> Ratio:
    """The ratios of geometric means if all values of both sides are known and positive, else of arithmetic means."""
    first, second = Side.of(cells), Side.of(baseline)
    geometric = first.all_positive & second.all_positive
    return ratio_of(first.moments(geometric), second.moments(geometric))


def ratio_of_means(first: Side, second: Side) -> FloatArray:
    """The ratios of the arithmetic means, which are the figures that a table shows; NaN if one is not positive."""
    return _exponential(first.arithmetic.mean - second.arithmetic.mean)


def _logarithm(means: FloatArray) -> FloatArray:
    logarithms = np.full(len(means), np.nan)
    np.log(means, out=logarithms, where=means > 0)
    return logarithms


def _exponential(logarithms: FloatArray) -> FloatArray:
    """Positive and finite: with two values per side and a huge published sd, an interval may have any end."""
    return np.exp(np.clip(logarithms, -MOST_LOGARITHM, MOST_LOGARITHM))

"""The mean difference of paired rounds, and how sure it is where rounds resemble the ones before them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy

from benchdb.stats.arrays import FloatArray, IntArray
from benchdb.stats.autoregression import dependence, inflation

PROVEN = 0.01  # the level at which the correlation of rounds is, as in change_points.py
SMALLEST_LEVEL = 3
"""The fewest rounds of a level; one or two odd rounds are outliers."""


class DifferenceChange(NamedTuple):
    """After this round, counted from 1, candidate ÷ baseline is `after` in place of `before`."""

    round: int
    before: float
    after: float


class MeanPrecision(NamedTuple):
    """The standard error of a mean, and its degrees of freedom for Student's t."""

    error: float
    degrees: float


@dataclass(frozen=True, slots=True)
class MeanDifference:
    """The mean of (n,) differences of logarithms, n > 1, in the rounds with these `numbers`.

    Its precision is `independent` if the rounds are; that is the one of the printed interval.
    """

    differences: FloatArray
    numbers: IntArray
    mean: float
    independent: MeanPrecision

    @classmethod
    def of(cls, differences: FloatArray, numbers: IntArray) -> MeanDifference:
        """That of these rounds."""
        n = len(differences)
        error = float(differences.std(ddof=1)) / n**0.5
        return cls(differences, numbers, float(differences.mean()), MeanPrecision(error, n - 1))

    @property
    def pairs(self) -> int:
        """The number of rounds with a difference."""
        return len(self.differences)

    def dependent(self) -> MeanPrecision:
        """The precision if neighbouring rounds have the correlation of largest likelihood (autoregression.py).

        A side that keeps one of two levels for many rounds says little more than one round of each level. The degrees
        of freedom are those of as many independent rounds as say the same.
        """
        error, n = self.independent.error, self.pairs
        if error == 0:
            return self.independent
        factor = float(inflation(dependence(self.differences, [0, n]).correlation, n))
        # The mean follows dependent rounds, so their variance about it is too small by (n − factor) / (n − 1).
        return MeanPrecision(error * (factor * (n - 1) / (n - factor)) ** 0.5, max(n / factor - 1, 1.0))

    @property
    def is_dependent(self) -> bool:
        """Whether the correlation of neighbouring rounds is proven."""
        return self.independent.error > 0 and dependence(self.differences, [0, self.pairs]).p < PROVEN

    def half(self, confidence: float, precision: MeanPrecision | None = None) -> float:
        """Half of the interval of the mean, of independent rounds unless a `precision` is given."""
        error, degrees = precision or self.independent
        return float(scipy.special.stdtrit(degrees, (1 + confidence) / 2)) * error

    def p(self, precision: MeanPrecision) -> float:
        """The two-sided p of a difference by Student's t."""
        error, degrees = precision
        return 2 * float(scipy.special.stdtr(degrees, -abs(self.mean) / error)) if error > 0 else float(self.mean == 0)

    def p_beyond(self, margin: float, precision: MeanPrecision) -> float:
        """The one-sided p of a ratio above 1 + `margin`, or below 1 − `margin`, by Student's t."""
        error, degrees = precision
        beyond = self.mean - np.log1p(margin) if self.mean > 0 or margin >= 1 else -self.mean + np.log1p(-margin)
        return float(scipy.special.stdtr(degrees, -beyond / error)) if error > 0 else float(beyond <= 0)

    def level_change(self) -> DifferenceChange | None:
        """The largest change, by least squares with two levels; None with too few rounds for two."""
        splits = np.arange(SMALLEST_LEVEL, self.pairs - SMALLEST_LEVEL + 1)
        if not len(splits):
            return None
        sums = np.cumsum(self.differences)
        before, after = sums[splits - 1] / splits, (sums[-1] - sums[splits - 1]) / (self.pairs - splits)
        best = int(np.argmax(splits * (self.pairs - splits) * (after - before) ** 2))
        levels = np.exp([before[best], after[best]]).tolist()
        return DifferenceChange(int(self.numbers[splits[best] - 1]), *levels)

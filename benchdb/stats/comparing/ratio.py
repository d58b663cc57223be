"""The ratio of two means, inverted if lower is better, so that above 1 is better, and its interval."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from benchdb.stats.arrays import BoolArray, FloatArray
from benchdb.stats.intervals import Interval, t_quantile
from benchdb.stats.moments import variation
from benchdb.stats.welch import spread

from .cells import Cells


class Ratio(NamedTuple):
    """Columns of length C: ln of the ratio, its standard error and degrees of freedom. NaN if undefined."""

    log: FloatArray
    error: FloatArray
    degrees: FloatArray

    def value(self) -> FloatArray:
        return _exponential(self.log)

    def interval(self, confidence: float) -> Interval:
        """exp(ln ratio ± t·error): always positive, and inverted when the two sides change places."""
        half = t_quantile(self.degrees, (1 + confidence) / 2) * self.error
        return Interval(_exponential(self.log - half), _exponential(self.log + half))


def ratio_of_means(cells: Cells, baseline: Cells, higher_is_better: BoolArray) -> Ratio:
    """mean(cells)/mean(baseline), inverted if lower is better; NaN if a mean is not positive.

    The standard error of ln(ratio) is √(cv₁²/n₁ + cv₂²/n₂) (delta method; Casella and Berger 2002, §5.5.4) with
    Welch–Satterthwaite degrees of freedom.
    """
    logs = _logarithm(cells.mean) - _logarithm(baseline.mean)
    first, second = variation(cells.mean, cells.sd), variation(baseline.mean, baseline.sd)
    error, degrees = spread(first, cells.n, second, baseline.n)
    return Ratio(np.where(higher_is_better, logs, -logs), error, degrees)


def _logarithm(means: FloatArray) -> FloatArray:
    logarithms = np.full(len(means), np.nan)
    np.log(means, out=logarithms, where=means > 0)
    return logarithms


def _exponential(logarithms: FloatArray) -> FloatArray:
    # With two values per side and a huge published sd, the upper end of the interval may be infinite.
    with np.errstate(over="ignore"):
        return np.exp(logarithms)

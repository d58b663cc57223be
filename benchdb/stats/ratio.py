"""The ratio of two means, turned so that above 1 is better, and its interval."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from benchdb.stats.arrays import BoolArray, FloatArray, divide
from benchdb.stats.cells import Cells
from benchdb.stats.intervals import Interval, t_quantile
from benchdb.stats.moments import variation
from benchdb.stats.welch import spread


class Ratio(NamedTuple):
    """Columns of length C: ln of the ratio, its standard error and degrees of freedom. NaN where undefined."""

    log: FloatArray
    error: FloatArray
    degrees: FloatArray

    def value(self) -> FloatArray:
        return np.exp(self.log)

    def interval(self, confidence: float) -> Interval:
        """exp(ln ratio ± t·error): always positive, and inverted when the two sides change places."""
        half = t_quantile(self.degrees, (1 + confidence) / 2) * self.error
        with np.errstate(over="ignore"):  # two values each and a huge spread: the upper end is infinite
            return Interval(np.exp(self.log - half), np.exp(self.log + half))


def ratio_of_means(cells: Cells, baseline: Cells, higher_is_better: BoolArray) -> Ratio:
    """mean(cells)/mean(baseline), inverted where lower is better; NaN where a mean is not positive.

    The standard error of ln(ratio) is √(cv₁²/n₁ + cv₂²/n₂) (delta method; Casella and Berger 2002, §5.5.4) with
    Welch–Satterthwaite degrees of freedom.
    """
    positive = (cells.mean > 0) & (baseline.mean > 0)
    logs = np.log(divide(cells.mean, baseline.mean), out=np.full(len(cells), np.nan), where=positive)
    first, second = variation(cells.mean, cells.sd), variation(baseline.mean, baseline.sd)
    error, degrees = spread(first, cells.n, second, baseline.n)
    return Ratio(np.where(higher_is_better, logs, -logs), error, degrees)

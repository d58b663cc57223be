"""The test that decides: Welch's t on logarithms where values are known and positive, else on n, mean and sd."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from benchdb.stats.arrays import BoolArray, FloatArray
from benchdb.stats.cells import Cells
from benchdb.stats.moments import Moments
from benchdb.stats.welch import welch


class MeansTest(NamedTuple):
    """Columns of length C: `t` is above 0 where the first side is larger, `p` two-sided; NaN where undefined."""

    t: FloatArray
    degrees: FloatArray
    p: FloatArray
    on_logarithms: BoolArray

    def without(self, barred: BoolArray) -> MeansTest:
        """The same with NaN where a cell may take part in no verdict."""
        t, degrees, p = (np.where(barred, np.nan, column) for column in (self.t, self.degrees, self.p))
        return MeansTest(t, degrees, p, self.on_logarithms)


def compare_means(first: Cells, second: Cells) -> MeansTest:
    """Tests each cell of `first` against the one of `second` in the same place."""
    on_logarithms = first.all_positive & second.all_positive
    logarithms = welch(first.log_moments(), second.log_moments())
    plain = welch(_moments(first), _moments(second))
    t, degrees, p = (np.where(on_logarithms, log, raw) for log, raw in zip(logarithms, plain, strict=True))
    return MeansTest(t, degrees, p, on_logarithms)


def _moments(cells: Cells) -> Moments:
    return Moments(cells.n, cells.mean, cells.sd)

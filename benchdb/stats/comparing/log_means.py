"""The deciding test: Welch's t on logarithms if all values are known and positive, else on n, mean and sd."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from benchdb.stats.arrays import BoolArray, FloatArray, IntArray
from benchdb.stats.moments import Moments
from benchdb.stats.welch import welch

from .cells import Cells


class MeansTest(NamedTuple):
    """Columns of length C: `t` is above 0 if the first side is larger, `p` two-sided; NaN if undefined."""

    t: FloatArray
    degrees: FloatArray
    p: FloatArray
    on_logarithms: BoolArray

    def without(self, barred: BoolArray) -> MeansTest:
        """The same tests with NaN for barred cells."""
        t, degrees, p = (np.where(barred, np.nan, column) for column in (self.t, self.degrees, self.p))
        return MeansTest(t, degrees, p, self.on_logarithms)


class Side(NamedTuple):
    """The data of each cell for the test, computed once for a cell that is tested against many others."""

    plain: Moments
    logarithms: Moments
    all_positive: BoolArray

    @classmethod
    def of(cls, cells: Cells) -> Side:
        return cls(Moments(cells.n, cells.mean, cells.sd), cells.log_moments, cells.all_positive)

    def take(self, places: IntArray) -> Side:
        """The cells at these positions, in this order."""
        return Side(self.plain.take(places), self.logarithms.take(places), self.all_positive[places])

    def moments(self, on_logarithms: BoolArray) -> Moments:
        return Moments(
            np.where(on_logarithms, self.logarithms.n, self.plain.n),
            np.where(on_logarithms, self.logarithms.mean, self.plain.mean),
            np.where(on_logarithms, self.logarithms.sd, self.plain.sd),
        )


def compare_means(first: Side, second: Side) -> MeansTest:
    """Test each cell of `first` against the cell of `second` at the same position."""
    on_logarithms = first.all_positive & second.all_positive
    return MeansTest(*welch(first.moments(on_logarithms), second.moments(on_logarithms)), on_logarithms)

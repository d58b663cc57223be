"""The number of further rounds that determine the ratio of two cells, or decide whether it differs from 1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import scipy

from benchdb.stats.arrays import BoolArray, FloatArray, IntArray, divide
from benchdb.stats.intervals import CONFIDENCE as OF_INTERVAL
from benchdb.stats.intervals import t_quantile
from benchdb.stats.moments import Moments

from .few_rounds import FEW, UsualSpread
from .ratio import Ratio
from .verdict import EQUIVALENCE_CONFIDENCE

ASSURANCE = 0.8
LIMIT = 10_000
"""The most rounds that anybody would measure; for more, the answer is "no number"."""


class _Growing(NamedTuple):
    """Cells whose sides grow: (C,) numbers of values, and the variance of each side's values in squares of a `unit`.

    The unit is the present error of the ratio's logarithm, so that squares stay in the range of floating point.
    """

    first_n: FloatArray
    second_n: FloatArray
    first: FloatArray
    second: FloatArray
    unit: FloatArray

    @classmethod
    def of(cls, first: Moments, second: Moments, ratio: Ratio) -> _Growing:
        """From the moments of the sides, and the error of their ratio."""
        errors = divide(first.sd, np.sqrt(first.n)), divide(second.sd, np.sqrt(second.n))
        first_share, second_share = (divide(error, np.hypot(*errors)) ** 2 for error in errors)
        first_n, second_n = first.n.astype(np.float64), second.n.astype(np.float64)
        return cls(first_n, second_n, first_share * first_n, second_share * second_n, ratio.error)

    def error(self, more: IntArray) -> tuple[FloatArray, FloatArray]:
        """The error of the ratio's logarithm after so many more rounds on each side, and its degrees of freedom."""
        a, b = self.first / (self.first_n + more), self.second / (self.second_n + more)
        degrees = divide((a + b) ** 2, divide(a**2, self.first_n + more - 1) + divide(b**2, self.second_n + more - 1))
        return np.sqrt(a + b) * self.unit, degrees

    def error_of_new(self, more: IntArray) -> FloatArray:
        """The part of that error that only the new rounds have."""
        a, b = self.first / (self.first_n + more) ** 2, self.second / (self.second_n + more) ** 2
        return np.sqrt((a + b) * more) * self.unit

    def share_of_old(self, more: IntArray) -> FloatArray:
        """The weight of the present ratio in that of all rounds."""
        return 0.5 * (self.first_n / (self.first_n + more) + self.second_n / (self.second_n + more))


def further_rounds(
    undecided: Sequence[int],
    first: Moments,
    second: Moments,
    ratio: Ratio,
    level: FloatArray,
    usual: UsualSpread,
    margin: float,
) -> tuple[IntArray, IntArray]:
    """`rounds_for_precision` and `rounds_to_decide`, (C,) each, -1 for cells that are not `undecided`.

    The other arguments are those of these two, of all cells. Both take dozens of quantiles.
    """
    precise, decide = np.full((2, len(level)), -1, dtype=np.int64)
    if undecided:
        at = np.array(undecided)
        sides, ratios = (first.take(at), second.take(at)), ratio.take(at)
        precise[at] = rounds_for_precision(*sides, ratios, margin)
        decide[at] = rounds_to_decide(*sides, ratios, level=level[at], usual=usual.take(at), margin=margin)
    return precise, decide


def rounds_for_precision(first: Moments, second: Moments, ratio: Ratio, margin: float) -> IntArray:
    """The fewest further rounds on each side after which the 90 % interval lies within ± `margin` of the ratio.

    `first` and `second` are the moments of the sides' logarithms, `ratio` that of `ratio_of`. For pairs, `first` are
    the moments of their differences, and `second` has the same n and no variation. (C,) numbers: 0 if the
    interval is that narrow already, -1 if 10,000 do not suffice. The interval is narrow enough in at least four cases
    of five: the variance is taken at its upper 80 % bound s²·ν/χ²₀.₂(ν) (Browne 1995), because a sample that is quiet
    by chance would ask for too few rounds. The observed ratio plays no part.
    """
    growing, wanted = _Growing.of(first, second, ratio), np.log1p(margin)
    bound = _bound(ratio)
    narrow = t_quantile(ratio.degrees, (1 + EQUIVALENCE_CONFIDENCE) / 2) * ratio.error <= wanted

    def precise(more: IntArray) -> BoolArray:
        error, degrees = growing.error(more)
        half = t_quantile(degrees, (1 + EQUIVALENCE_CONFIDENCE) / 2) * error * bound
        return np.asarray(half <= wanted, dtype=bool)

    return np.where(narrow, 0, _fewest(precise, len(narrow)))


def rounds_to_decide(
    first: Moments, second: Moments, ratio: Ratio, *, level: FloatArray, usual: UsualSpread, margin: float
) -> IntArray:
    """The fewest further rounds on each side after which a cell has a verdict in four cases of five.

    `level` (C,) is the p below which its difference will count, corrected for the table and the next look; `usual` the
    spread beside which it must be large with few rounds (few_rounds.py), with sd 0 where it need not. The other
    arguments are those of `rounds_for_precision`. The true difference is taken to be the end of the uncorrected 95 %
    interval nearest to 1, the present rounds as they are, and the variance at its upper 80 % bound. (C,) numbers: -1 if
    that interval contains 1, and if 10,000 do not suffice.
    """
    present = np.abs(ratio.log)
    nearest = present - t_quantile(ratio.degrees, (1 + OF_INTERVAL) / 2) * ratio.error
    growing, bound, equal = _Growing.of(first, second, ratio), _bound(ratio), np.log1p(margin)
    critical_of_usual = t_quantile(usual.degrees, 1 - level / 2)

    def decided(more: IntArray) -> BoolArray:
        error, degrees = growing.error(more)
        expected = nearest + (present - nearest) * growing.share_of_old(more)
        chance = t_quantile(degrees, ASSURANCE) * growing.error_of_new(more) * bound
        differs = expected - chance >= t_quantile(degrees, 1 - level / 2) * error * bound
        of_usual = usual.sd * np.sqrt(1 / (growing.first_n + more) + 1 / (growing.second_n + more))
        few = np.minimum(growing.first_n, growing.second_n) + more <= FEW
        large = ~few | (expected - chance >= critical_of_usual * of_usual)
        inner = t_quantile(degrees, (1 + EQUIVALENCE_CONFIDENCE) / 2) * error * bound
        return np.asarray((differs & large) | (expected + chance + inner <= equal), dtype=bool)

    return np.where(nearest > 0, _fewest(decided, len(nearest)), -1)


def _bound(ratio: Ratio) -> FloatArray:
    """The upper 80 % bound of the error, as a multiple of it."""
    return np.sqrt(divide(ratio.degrees, scipy.special.chdtri(ratio.degrees, ASSURANCE)))


def _fewest(enough_after: Callable[[IntArray], BoolArray], size: int) -> IntArray:
    """The smallest number from 1 to `LIMIT` that is enough, else -1: found by doubling, then by halving."""
    low, high = np.zeros(size, dtype=np.int64), np.ones(size, dtype=np.int64)
    while not (enough := enough_after(high) | (high > LIMIT)).all():
        low, high = np.where(enough, low, high), np.where(enough, high, 2 * high)
    while np.any(high - low > 1):
        middle = (low + high) // 2
        enough = enough_after(middle)
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return np.where(high <= LIMIT, high, -1)

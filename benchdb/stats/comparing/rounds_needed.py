"""The number of further rounds that give the ratio of two cells a wanted precision."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy

from benchdb.stats.arrays import BoolArray, IntArray, divide
from benchdb.stats.intervals import t_quantile
from benchdb.stats.moments import Moments

from .ratio import Ratio

CONFIDENCE = 0.90
ASSURANCE = 0.8
LIMIT = 10_000
"""The most rounds that anybody would measure; for more, the answer is "no number"."""


def rounds_for_precision(first: Moments, second: Moments, ratio: Ratio, margin: float) -> IntArray:
    """The fewest further rounds on each side after which the 90 % interval lies within ± `margin` of the ratio.

    `first` and `second` are the moments of the sides' logarithms, `ratio` that of `ratio_of`. For pairs, `first` are
    the moments of their differences, and `second` has the same n and no variation. (C,) numbers: 0 if the
    interval is that narrow already, -1 if 10,000 do not suffice. The interval is narrow enough in at least four cases
    of five: the variance is taken at its upper 80 % bound s²·ν/χ²₀.₂(ν) (Browne 1995), because a sample that is quiet
    by chance would ask for too few rounds. The observed ratio plays no part.
    """
    # As shares of their sum the variances stay in the range of floating point.
    errors = divide(first.sd, np.sqrt(first.n)), divide(second.sd, np.sqrt(second.n))
    first_share, second_share = (divide(error, np.hypot(*errors)) ** 2 for error in errors)
    bound = ratio.error * np.sqrt(divide(ratio.degrees, scipy.special.chdtri(ratio.degrees, ASSURANCE)))
    wanted = np.log1p(margin)
    narrow = t_quantile(ratio.degrees, (1 + CONFIDENCE) / 2) * ratio.error <= wanted

    def precise(more: IntArray) -> BoolArray:
        a, b = first_share * first.n / (first.n + more), second_share * second.n / (second.n + more)
        degrees = divide((a + b) ** 2, divide(a**2, first.n + more - 1) + divide(b**2, second.n + more - 1))
        half = t_quantile(degrees, (1 + CONFIDENCE) / 2) * bound * np.sqrt(a + b)
        return np.asarray(half <= wanted, dtype=bool)

    return np.where(narrow, 0, _fewest(precise, len(narrow)))


def _fewest(precise: Callable[[IntArray], BoolArray], size: int) -> IntArray:
    """The smallest number from 1 to `LIMIT` that is precise, else -1: found by doubling, then by halving."""
    low, high = np.zeros(size, dtype=np.int64), np.ones(size, dtype=np.int64)
    while not (enough := precise(high) | (high > LIMIT)).all():
        low, high = np.where(enough, low, high), np.where(enough, high, 2 * high)
    while np.any(high - low > 1):
        middle = (low + high) // 2
        enough = precise(middle)
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return np.where(high <= LIMIT, high, -1)

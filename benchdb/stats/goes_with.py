"""Finds the quantities that differ between the two sides of a comparison, beside the figure that was compared.

Each quantity has one figure for each round, or for each run if a side has several: these are the sample. Figures are
compared on logarithms after adding a floor, so that none against a few is no infinite factor and trickles count little.
A quantity is named if it differs by more than `MARGIN`; p is corrected for all quantities and pairs of one call.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .arrays import BoolArray, FloatArray, divide
from .comparing.multiple_testing import benjamini_hochberg
from .intervals import t_quantile
from .moments import Moments, moments
from .welch import spread, two_sided_p

LEVEL = 0.045
"""A tenth of 5 % is left for Welch's p, which is approximate."""
MARGIN = 0.05
"""A quantity that changes by less does not help to explain a difference."""
LEAST_SPREAD = 0.02
"""The smallest sd of the logarithms: counters that are the same in all rounds still differ between other rounds."""
FEWEST_ROUNDS = 5
FEWEST_RUNS = 3


@dataclass(frozen=True, slots=True)
class QuantityFigures:
    """Q quantities of one side: (Q, n) figures of rounds or means of runs, none negative, NaN if missing.

    `runs` is the number of runs of the side.
    """

    values: FloatArray
    runs: int = 1

    @classmethod
    def of_runs(cls, runs: Sequence[FloatArray], floors: FloatArray) -> QuantityFigures:
        """A side of one run (Q, n), or of several, whose geometric means, with floors (Q,), are the sample."""
        if len(runs) == 1:
            return cls(runs[0])
        means = [np.exp(moments(_logarithms(rounds, floors)).mean) - floors for rounds in runs]
        return cls(np.maximum(np.stack(means, axis=1), 0.0), len(runs))


@dataclass(frozen=True, slots=True)
class ChangedQuantities:
    """The comparison of Q quantities of one pair, as (Q,) columns; NaN for quantities that were not tested.

    `ratio` is first ÷ second of the geometric means with their floors, between `low` and `high`; the intervals of the
    `named` quantities allow for their selection, others have 95 %. `certain` is the logarithm of the smallest change in
    the interval, by which quantities are ranked. `p` and `p_adjusted` are of a change of at most `MARGIN`.
    """

    ratio: FloatArray
    low: FloatArray
    high: FloatArray
    p: FloatArray
    p_adjusted: FloatArray
    named: BoolArray
    certain: FloatArray

    @property
    def ranked(self) -> list[int]:
        """The indices of the named quantities, the largest certain change first."""
        order = np.argsort(-self.certain, kind="stable").tolist()
        return [index for index in order if self.named[index]]


@dataclass(frozen=True, slots=True)
class _Compared:
    """Columns (Q,) of one pair before the correction."""

    log: FloatArray
    error: FloatArray
    degrees: FloatArray

    def p(self) -> FloatArray:
        """P of a change of at most `MARGIN` in either direction (minimum-effect test; Murphy and Myors 1999)."""
        beyond = np.maximum(np.abs(self.log) - np.log1p(MARGIN), 0.0)
        return two_sided_p(divide(beyond, self.error), self.degrees)


def changed_quantities(
    pairs: Sequence[tuple[QuantityFigures, QuantityFigures, FloatArray]], level: float = LEVEL
) -> list[ChangedQuantities]:
    """Compare the quantities of pairs (first, second, floors (Q,)); all quantities of all pairs are one family.

    A quantity is not tested (NaN) with fewer than `FEWEST_ROUNDS` rounds of one run a side, or `FEWEST_RUNS` runs, or
    if all of its figures are 0.
    """
    compared = [_compared(*pair) for pair in pairs]
    if not compared:
        return []
    p = np.concatenate([each.p() for each in compared])
    adjusted = benjamini_hochberg(p)
    named = adjusted < level
    tests = int(np.count_nonzero(~np.isnan(p)))
    # False-coverage rate (Benjamini and Yekutieli 2005): the interval excludes the margin exactly if the test passed.
    of_named = 1 - int(np.count_nonzero(named)) * level / max(tests, 1)
    at = np.cumsum([0, *(len(each.log) for each in compared)])
    return [
        _changed(each, p[i:j], adjusted[i:j], named[i:j], of_named)
        for each, i, j in zip(compared, at[:-1], at[1:], strict=True)
    ]


def _compared(first: QuantityFigures, second: QuantityFigures, floors: FloatArray) -> _Compared:
    one, other = _side(first, floors), _side(second, floors)
    error, degrees = spread(one.sd, one.n, other.sd, other.n)
    happened = ((first.values > 0).any(axis=1) | (second.values > 0).any(axis=1)) & ~np.isnan(error)
    return _Compared(*(np.where(happened, column, np.nan) for column in (one.mean - other.mean, error, degrees)))


def _side(side: QuantityFigures, floors: FloatArray) -> Moments:
    """The moments of the logarithms; NaN for too few figures."""
    found = moments(_logarithms(side.values, floors))
    enough = found.n >= (FEWEST_ROUNDS if side.runs == 1 else FEWEST_RUNS)
    return Moments(found.n, found.mean, np.where(enough, np.maximum(found.sd, LEAST_SPREAD), np.nan))


def _logarithms(values: FloatArray, floors: FloatArray) -> FloatArray:
    return np.asarray(np.log(values + floors[:, np.newaxis]), dtype=np.float64)


def _changed(
    each: _Compared, p: FloatArray, adjusted: FloatArray, named: BoolArray, of_named: float
) -> ChangedQuantities:
    half = t_quantile(each.degrees, (1 + np.where(named, of_named, 0.95)) / 2) * each.error
    with np.errstate(over="ignore"):  # the upper end of an interval may be infinite
        ratio, low, high = (np.exp(logarithm) for logarithm in (each.log, each.log - half, each.log + half))
    return ChangedQuantities(
        ratio=ratio,
        low=low,
        high=high,
        p=p,
        p_adjusted=adjusted,
        named=named,
        certain=np.abs(each.log) - half,
    )

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
from .comparing.few_rounds import FEW, UsualSpread
from .comparing.multiple_testing import benjamini_hochberg
from .intervals import CONFIDENCE, t_quantile
from .moments import Moments, moments
from .welch import spread, two_sided_p

LEVEL = 0.045
"""A tenth of 5 % is left for Welch's p, which is approximate."""
MARGIN = 0.05
"""A quantity that changes by less does not help to explain a difference."""
LEAST_SPREAD = 0.02
"""The smallest sd of the logarithms: counters that are the same in all rounds still differ between other rounds."""
FEWEST_ROUNDS = 6
FEWEST_RUNS = 3


@dataclass(frozen=True, slots=True)
class QuantityFigures:
    """Q quantities of one side: (Q, n) figures of rounds or means of runs, none negative, NaN if missing.

    `rates` (Q, n) are the same quantities in a second, for those that may run with the clock; NaN for others. `runs` is
    the number of runs of the side.
    """

    values: FloatArray
    rates: FloatArray
    runs: int = 1


@dataclass(frozen=True, slots=True)
class QuantityPair:
    """Both sides of a comparison, with the floors (Q,) of their values and of their rates."""

    first: QuantityFigures
    second: QuantityFigures
    floors: FloatArray
    rate_floors: FloatArray


def sample_of(runs: Sequence[FloatArray], floors: FloatArray) -> FloatArray:
    """The sample (Q, n) of a side: of one run its rounds (Q, n), of several their geometric means with floors (Q,)."""
    if len(runs) == 1:
        return runs[0]
    means = [np.exp(moments(_logarithms(rounds, floors)).mean) - floors for rounds in runs]
    return np.maximum(np.stack(means, axis=1), 0.0)


@dataclass(frozen=True, slots=True)
class ChangedQuantities:
    """The comparison of Q quantities of one pair, as (Q,) columns; NaN for quantities that were not tested.

    `ratio` is first ÷ second of the geometric means with their floors, between `low` and `high`; the intervals of the
    `named` quantities allow for their selection, others have 95 %. `certain` is the logarithm of the smallest change in
    the interval, also in that of the rate; quantities are ranked by it. `p` and `p_adjusted` are of a change of at most
    `MARGIN`.
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
    """Columns (Q,) of one pair before the correction.

    `usual_error`, with its degrees of freedom, is that of the spread that a quantity has on all sides; 0 where many
    rounds or several runs show their own.
    """

    log: FloatArray
    error: FloatArray
    degrees: FloatArray
    usual_error: FloatArray
    usual_degrees: FloatArray

    def half(self, confidence: float | FloatArray) -> FloatArray:
        """Half of the interval of the logarithm."""
        return t_quantile(self.degrees, (1 + confidence) / 2) * self.error

    def p(self) -> FloatArray:
        """P of a change of at most `MARGIN` in either direction (minimum-effect test; Murphy and Myors 1999).

        A change beside few rounds must also be large beside the usual spread of the quantity (few_rounds.py).
        """
        beyond = np.maximum(np.abs(self.log) - np.log1p(MARGIN), 0.0)
        p = two_sided_p(divide(beyond, self.error), self.degrees)
        return np.fmax(p, two_sided_p(divide(beyond, self.usual_error), self.usual_degrees))


def changed_quantities(pairs: Sequence[QuantityPair], level: float = LEVEL) -> list[ChangedQuantities]:
    """Compare the quantities of pairs; all quantities of all pairs are one family.

    A quantity with rates must change in the same direction in both, because what runs with the clock happens more often
    in a longer round (intersection-union test; Berger 1982). A quantity is not tested (NaN) with fewer than
    `FEWEST_ROUNDS` rounds of one run a side, or `FEWEST_RUNS` runs, or if all of its figures are 0.
    """
    if not pairs:
        return []
    values = _compared(pairs, "values", [each.floors for each in pairs])
    rates = _compared(pairs, "rates", [each.rate_floors for each in pairs])
    p = np.concatenate([_p_of_both(*both) for both in zip(values, rates, strict=True)])
    adjusted = benjamini_hochberg(p)
    named = adjusted < level
    tests = int(np.count_nonzero(~np.isnan(p)))
    # False-coverage rate (Benjamini and Yekutieli 2005): the intervals of tests that passed exclude the margin.
    of_named = 1 - int(np.count_nonzero(named)) * level / max(tests, 1)
    at = np.cumsum([0, *(len(each.log) for each in values)])
    return [
        _changed(*both, p[i:j], adjusted[i:j], named[i:j], of_named)
        for both, i, j in zip(zip(values, rates, strict=True), at[:-1], at[1:], strict=True)
    ]


def _p_of_both(values: _Compared, rates: _Compared) -> FloatArray:
    """The larger p; 1 if values and rates change in opposite directions. NaN rates do not count."""
    opposite = np.sign(values.log) * np.sign(rates.log) < 0
    p = np.where(opposite, 1.0, np.fmax(values.p(), rates.p()))
    return np.where(np.isnan(values.log), np.nan, p)


def _compared(pairs: Sequence[QuantityPair], of: str, floors: Sequence[FloatArray]) -> list[_Compared]:
    """The comparison of the pairs' values or rates. The usual spread of a quantity is that of all sides."""
    samples = [(getattr(pair.first, of), getattr(pair.second, of)) for pair in pairs]
    sides = [
        (_side(first, pair.first.runs, floor), _side(second, pair.second.runs, floor))
        for pair, (first, second), floor in zip(pairs, samples, floors, strict=True)
    ]
    # All pairs of a page have the same second side.
    usual = _usual_spread([*(first for first, _ in sides), sides[0][1]])
    compared = []
    for pair, (first, second), (one, other) in zip(pairs, samples, sides, strict=True):
        error, degrees = spread(one.sd, one.n, other.sd, other.n)
        happened = ((first > 0).any(axis=1) | (second > 0).any(axis=1)) & ~np.isnan(error)
        few = (np.minimum(one.n, other.n) <= FEW) & (max(pair.first.runs, pair.second.runs) == 1)
        by_usual = np.where(few, usual.sd * np.sqrt(1 / np.maximum(one.n, 1) + 1 / np.maximum(other.n, 1)), 0.0)
        columns = (one.mean - other.mean, error, degrees, by_usual, usual.degrees)
        compared.append(_Compared(*(np.where(happened, column, np.nan) for column in columns)))
    return compared


def _usual_spread(sides: Sequence[Moments]) -> UsualSpread:
    """The root mean square of the sds of each quantity (Q,), and its degrees of freedom; NaN and 0 without any."""
    known = np.array([~np.isnan(side.sd) for side in sides])
    squares = np.array([np.where(own, side.sd, 0.0) ** 2 for own, side in zip(known, sides, strict=True)])
    degrees = np.array([np.where(own, side.n - 1.0, 0.0) for own, side in zip(known, sides, strict=True)])
    return UsualSpread(np.sqrt(divide(squares.sum(axis=0), known.sum(axis=0))), degrees.sum(axis=0))


def _side(sample: FloatArray, runs: int, floors: FloatArray) -> Moments:
    """The moments of the logarithms; NaN for too few figures."""
    found = moments(_logarithms(sample, floors))
    enough = found.n >= (FEWEST_ROUNDS if runs == 1 else FEWEST_RUNS)
    return Moments(found.n, found.mean, np.where(enough, np.maximum(found.sd, LEAST_SPREAD), np.nan))


def _logarithms(values: FloatArray, floors: FloatArray) -> FloatArray:
    return np.asarray(np.log(values + floors[:, np.newaxis]), dtype=np.float64)


def _changed(
    values: _Compared, rates: _Compared, p: FloatArray, adjusted: FloatArray, named: BoolArray, of_named: float
) -> ChangedQuantities:
    confidence = np.where(named, of_named, CONFIDENCE)
    half = values.half(confidence)
    with np.errstate(over="ignore"):  # the upper end of an interval may be infinite
        ratio, low, high = (np.exp(log) for log in (values.log, values.log - half, values.log + half))
    certain = np.fmin(np.abs(values.log) - half, np.abs(rates.log) - rates.half(confidence))
    return ChangedQuantities(ratio, low, high, p, adjusted, named, certain)

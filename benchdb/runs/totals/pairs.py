"""The quantities of the rounds of two sides, as figures that `benchdb.stats.goes_with` compares."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from benchdb.stats.arrays import BoolArray, FloatArray, divide
from benchdb.stats.goes_with import QuantityFigures, QuantityPair, sample_of

from .of_round import RoundTotals
from .quantities import QUANTITIES, Per, Work, work_of

Rounds = Sequence[RoundTotals]
_LEAST_PACE = 1e-200  # seconds: documents may have any positive length


def pair_of(first: Sequence[Rounds], second: Sequence[Rounds], work: Work) -> QuantityPair:
    """Both sides of a comparison, each the rounds of its runs; none is empty, and all rounds have this `work`."""
    both = [*first, *second]
    floors, rate_floors = _floors([*chain.from_iterable(both)], work), np.array([each.floor for each in QUANTITIES])
    fast = _is_faster_than_the_clock(first) | _is_faster_than_the_clock(second)

    def figures_of(side: Sequence[Rounds]) -> QuantityFigures:
        rates = sample_of([_rates(rounds) for rounds in side], rate_floors)
        rates[fast] = np.nan
        return QuantityFigures(sample_of([figures(rounds, work) for rounds in side], floors), rates, len(side))

    return QuantityPair(figures_of(first), figures_of(second), floors, rate_floors)


def figures(rounds: Rounds, work: Work) -> FloatArray:
    """The figure of each of `QUANTITIES` in each round, (Q, n) in base units; NaN if the round lacks it."""
    requests = _series(rounds, [each.requests for each in QUANTITIES])
    seconds = np.array([each.seconds for each in rounds])
    works = np.array([work_of(each, work) for each in rounds])
    divisors = {Per.WORK: works, Per.SECOND: seconds, Per.LEVEL: np.ones(len(rounds))}
    divided_by = [requests[i] if each.per is Per.REQUEST else divisors[each.per] for i, each in enumerate(QUANTITIES)]
    return divide(_amounts(rounds), np.array(divided_by))


def _rates(rounds: Rounds) -> FloatArray:
    """Counters in a second, (Q, n); NaN for other quantities."""
    of_counters = np.array([[each.per is Per.WORK] for each in QUANTITIES])
    return np.where(of_counters, divide(_amounts(rounds), np.array([each.seconds for each in rounds])), np.nan)


def _is_faster_than_the_clock(side: Sequence[Rounds]) -> BoolArray:
    """Flags (Q,) of counters that grow faster than anything does by the clock, in the middle round."""
    middle = np.median(np.nan_to_num(_rates([*chain.from_iterable(side)])), axis=1)
    return np.asarray(middle > np.array([each.by_clock for each in QUANTITIES]), dtype=bool)


def _floors(rounds: Rounds, work: Work) -> FloatArray:
    """The smallest figures of `QUANTITIES` that matter, (Q,): of counters, those of the usual time for the work."""
    paces = [max(each.seconds / work_of(each, work), _LEAST_PACE) for each in rounds]
    pace = float(np.exp(np.mean(np.log(paces))))
    return np.array([each.floor * (pace if each.per is Per.WORK else 1.0) for each in QUANTITIES])


def _amounts(rounds: Rounds) -> FloatArray:
    # Temperatures below zero have no logarithm.
    return np.maximum(_series(rounds, [each.amount for each in QUANTITIES]), 0.0)


def _series(rounds: Rounds, names: Sequence[str]) -> FloatArray:
    rows = [[each.of_machine.get(name, np.nan) for each in rounds] for name in names]
    return np.array(rows, dtype=np.float64).reshape(len(names), len(rounds))

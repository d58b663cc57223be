"""The warnings of summaries, with their numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from benchdb.stats.arrays import BoolArray, FloatArray, IntArray, row_any, usable
from benchdb.stats.warning import Numbers, WarningCode, WarningList

from .summaries import Summaries

DIAGNOSTIC_LEVEL = 0.01
"""p below which drift and autocorrelation warn. A run has hundreds of results: 5 % would cry wolf in dozens."""
MODES_LEVEL = 0.05
"""The same for modes: the p of the dip is an upper bound, and below 0.05 in 1.5 % of samples of ten normal values."""

SMALLEST_DETECTING = {
    WarningCode.OUTLIERS: 5,  # outliers.SMALLEST_N
    WarningCode.DRIFT: 6,  # the smallest p of n rounds in ascending order is 2/n!
    WarningCode.AUTOCORRELATED: 8,  # autocorrelation.SMALLEST_N
    WarningCode.MULTIMODAL: 8,  # modes.SMALLEST_N
}
"""The smallest n with which some values have this warning: with fewer, its absence means nothing."""


def undetectable(n: int) -> tuple[WarningCode, ...]:
    """The warnings that no `n` values can have, however they lie."""
    return tuple(code for code, smallest in SMALLEST_DETECTING.items() if n < smallest)


def diagnose(summaries: Summaries, given: FloatArray, rounds: IntArray, far: BoolArray) -> Summaries:
    """The same summaries with their warnings.

    `given` (R, n) is the input before unusable numbers were left out; `rounds` (R,) the number of rounds; `far` (R, n)
    flags the values outside the outer fences.
    """
    n = summaries.n
    out_of_range = (~usable(given) & ~np.isnan(given)).sum(axis=1)
    absent = rounds - n - out_of_range
    warnings = WarningList(len(summaries))
    warnings.add(WarningCode.NO_VALUES, n == 0)
    warnings.add(WarningCode.ONE_VALUE, n == 1)
    warnings.add(
        WarningCode.MISSING_ROUNDS,
        (absent > 0) & (n > 0),
        lambda row: {"missing": int(absent[row]), "rounds": int(rounds[row])},
    )
    warnings.add(WarningCode.OUT_OF_RANGE, out_of_range > 0, lambda row: {"count": int(out_of_range[row])})
    warnings.add(
        WarningCode.ZERO_VARIANCE, (n > 1) & (summaries.minimum == summaries.maximum), lambda row: {"n": int(n[row])}
    )
    _about_outliers(summaries, given, far, warnings)
    _about_order(summaries, warnings)
    warnings.add(
        WarningCode.MULTIMODAL,
        summaries.modes.p < MODES_LEVEL,
        lambda row: {"p": summaries.modes.p[row].item(), "dip": summaries.modes.dip[row].item()},
    )
    return replace(summaries, warnings=warnings.done())


def diagnose_moments(summaries: Summaries) -> Summaries:
    """The same summaries with their warnings, for summaries without values."""
    warnings = WarningList(len(summaries))
    warnings.add(WarningCode.NO_VALUES, np.isnan(summaries.mean))
    warnings.add(WarningCode.N_UNKNOWN, (summaries.n == 0) & ~np.isnan(summaries.mean))
    warnings.add(WarningCode.ONE_VALUE, summaries.n == 1)
    return replace(summaries, warnings=warnings.done())


def _about_outliers(summaries: Summaries, given: FloatArray, far: BoolArray, warnings: WarningList) -> None:
    def which(row: int) -> Numbers:
        return {"rounds": tuple(far[row].nonzero()[0].tolist()), "n": int(summaries.n[row])}

    suspects = row_any(far)
    warnings.add(WarningCode.OUTLIERS, suspects, which)

    # The first measured round is the one with no measured round before it.
    measured = usable(given[suspects])
    first = np.zeros_like(far)
    first[suspects] = measured & (np.cumsum(measured, axis=1) == 1)

    def first_value(row: int) -> Numbers:
        return {"value": given[row, first[row]].item(), "median": summaries.median[row].item()}

    warnings.add(WarningCode.WARM_UP, row_any(far & first), first_value)


def _about_order(summaries: Summaries, warnings: WarningList) -> None:
    drift, correlation = summaries.drift, summaries.autocorrelation
    warnings.add(
        WarningCode.DRIFT,
        (drift.p < DIAGNOSTIC_LEVEL) & np.isfinite(drift.change),
        lambda row: {"tau": drift.tau[row].item(), "p": drift.p[row].item(), "change": drift.change[row].item()},
    )
    warnings.add(
        WarningCode.AUTOCORRELATED,
        correlation.p < DIAGNOSTIC_LEVEL,
        lambda row: {"coefficient": float(correlation.coefficient[row]), "p": float(correlation.p[row])},
    )

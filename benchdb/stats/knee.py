"""The knee of a response curve: the level of load with the most throughput for its latency.

Power is throughput ÷ latency (Kleinrock, "Power and deterministic rules of thumb for probabilistic problems in computer
communications", ICC 1979, 43.1). It rises while more load brings more throughput at almost the same latency, and falls
when more load only waits. Its maximum is the point at which a ray from the origin touches the curve of latency over
throughput (Jain, The Art of Computer Systems Performance Analysis, 1991, 3.3).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from .arrays import BoolArray, FloatArray, as_matrix
from .comparing.baseline import LEVEL, compare
from .comparing.cells import Cells
from .comparing.multiple_testing import Correction

LEAST_LEVELS = 4
LEAST_BEND = 0.05
"""A knee has this much more power than the first and the last level. A smaller bend may be real, and says little."""


class NoKnee(StrEnum):
    """The reason for a curve without a knee."""

    FEW_LEVELS = "few_levels"
    """Fewer than `LEAST_LEVELS`."""
    FEW_ROUNDS = "few_rounds"
    """A level has fewer than two rounds with both figures."""
    NO_SPREAD = "no_spread"
    """The rounds of all levels are the same, which real ones never are."""
    NOT_REACHED = "not_reached"
    """Power may still rise at the last level."""
    PASSED = "passed"
    """Power may fall from the first level on."""
    STRAIGHT = "straight"
    """Neither the first nor the last level has clearly less power than the others."""


@dataclass(frozen=True, slots=True)
class Knee:
    """The index of the level with the most power, and those between which the knee is with 95 %; or the `reason`."""

    at: int | None = None
    low: int | None = None
    high: int | None = None
    reason: NoKnee | None = None


def powers(throughput: npt.ArrayLike, latency: npt.ArrayLike) -> FloatArray:
    """The power of each round of each level, both (K, n): NaN for a round without both figures above 0."""
    first, second = as_matrix(throughput), as_matrix(latency)
    usable = (first > 0) & (second > 0) & np.isfinite(first) & np.isfinite(second)
    return np.asarray(np.divide(first, second, out=np.full(first.shape, np.nan), where=usable))


def knee(power: npt.ArrayLike, *, level: float = LEVEL) -> Knee:
    """The knee of a curve from the power of its rounds, (K, n), by rising level of load.

    Each level is tested against each other one by Welch's t on the logarithms, as cells are in tables. A level with
    less power than any other, p one-sided at most `level` ÷ (K − 1), is not the best: the true best is dropped with a
    probability of at most `level` (Gupta, Technometrics 7 (1965), 225, with Bonferroni's bound). A knee is reported if
    first and last level are dropped. It lies between the neighbours of those that are left, since between two measured
    levels nothing is known.
    """
    values = as_matrix(power)
    count = len(values)
    if count < LEAST_LEVELS:
        return Knee(reason=NoKnee.FEW_LEVELS)
    if (np.isfinite(values).sum(axis=1) < 2).any():
        return Knee(reason=NoKnee.FEW_ROUNDS)
    logarithms = np.log(values)
    if not np.nanstd(logarithms, axis=1).any():
        return Knee(reason=NoKnee.NO_SPREAD)
    means = np.nanmean(logarithms, axis=1)
    best = int(np.argmax(means))
    candidates = ~_less_than_another(values, level / (count - 1))
    bent = means[best] - means[[0, -1]] >= np.log1p(LEAST_BEND)
    passed, not_reached = (candidates[[0, -1]] | ~bent).tolist()
    if passed or not_reached:
        reason = NoKnee.STRAIGHT if passed and not_reached else NoKnee.PASSED if passed else NoKnee.NOT_REACHED
        return Knee(reason=reason)
    left = np.flatnonzero(candidates)
    return Knee(best, int(left[0]) - 1, int(left[-1]) + 1)


def _less_than_another(power: FloatArray, level: float) -> BoolArray:
    """Flags (K,) of levels with significantly less power than any other one; `level` is that of each one-sided test."""
    first, second = np.nonzero(~np.eye(len(power), dtype=bool))
    cells = Cells.of_values(power)
    compared = compare(cells.take(first), cells.take(second), correction=Correction.UNCORRECTED, checked=False)
    less = (compared.p_of_claims / 2 <= level) & (compared.ratio < 1)  # NaN without any variation: not known
    return np.bincount(first, less, len(power)) > 0

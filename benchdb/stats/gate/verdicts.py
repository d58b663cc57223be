"""The verdicts of a gate on all its tests, after any number of its looks (docs/statistics.md, "Gates")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import ceil, log2
from typing import NamedTuple

import numpy as np

from benchdb.stats.arrays import FloatArray, IntArray
from benchdb.stats.comparing.multiple_testing import holm
from benchdb.stats.comparing.verdict import NoVerdict, Verdict

from .mean_difference import DifferenceChange, MeanDifference

LEVEL = 0.002
"""The chance that a gate calls any test better or worse though nothing differs, over all tests and looks.

Far below the 1 % that a gate promises, because rounds that depend on each other raise it (docs/statistics.md).
"""
MARGIN_LEVEL = 0.05
"""Over all looks, the chance that a gate calls any test worse though none differs by more than the margin, and that a
test is called equivalent though its difference is the margin."""
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class PairedRounds:
    """The values of one test by round, (R,) on each side; NaN in rounds without a value."""

    baseline: FloatArray
    candidate: FloatArray
    higher_is_better: bool


class Undecided(StrEnum):
    """Why a difference that independent rounds would hardly show by chance is not called.

    MARGIN: it may be smaller than the margin. DEPENDENT: rounds resemble the ones before them, so they say less.
    """

    MARGIN = "margin"
    DEPENDENT = "dependent"


@dataclass(frozen=True, slots=True)
class GateVerdict:
    """The verdict on one test, with the figures of the look that decided, or of the last look if none decided.

    `rounds` is the number of rounds at this look, `pairs` those of them with a value on both sides. `ratio` is
    candidate ÷ baseline of the geometric means, with its 95 % interval from `low` to `high`. `p_adjusted` is corrected
    for tests and looks; a difference is called at `LEVEL` or less. Figures are None if they do not exist.
    `level_change` is the largest change of the difference if rounds depend on each other.
    """

    verdict: Verdict
    reason: NoVerdict | None
    rounds: int
    pairs: int
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    p_adjusted: float | None = None
    undecided: Undecided | None = None
    level_change: DifferenceChange | None = None


class _PValues(NamedTuple):
    """The p of a difference, of the same if rounds were independent, and of one that is larger than the margin."""

    differs: float
    if_independent: float
    exceeds: float


def judge(tests: Sequence[PairedRounds], looks: Sequence[int], planned: int, margin: float) -> list[GateVerdict]:
    """The verdict on each test after looks at these numbers of rounds, in rising order.

    `planned` is the number of looks that the gate takes at most, fixed before its first one; `margin` the difference
    that is too small to matter. A test keeps the verdict of the first look that decides it. Raises ValueError if there
    is no look, or more than planned.
    """
    if not 0 < len(looks) <= planned or list(looks) != sorted(set(looks)):
        raise ValueError("looks are at rising numbers of rounds, and no more than planned")
    found: dict[int, GateVerdict] = {}
    for rounds in looks:
        means = [_mean_difference(test, rounds) for test in tests]
        p = _corrected(means, planned, margin)
        for place, (test, mean) in enumerate(zip(tests, means, strict=True)):
            if place in found and found[place].verdict not in (Verdict.NONE, Verdict.INCONCLUSIVE):
                continue
            found[place] = _at_look(test, mean, p[place], rounds, planned, margin)
    return [found[place] for place in range(len(tests))]


def least_rounds(tests: int, planned: int) -> int:
    """The rounds below which no difference can be called, however large it is: then all signs are equal by chance."""
    return 1 + ceil(log2(max(tests, 1) * planned / LEVEL))


def _corrected(means: Sequence[MeanDifference | None], planned: int, margin: float) -> list[_PValues]:
    """The p of each test, corrected for all tests by Holm's method and for the planned looks; NaN without a mean."""
    p = np.full((len(means), len(_PValues._fields)), np.nan)
    for place, mean in enumerate(means):
        if mean is not None:
            p[place] = _alone(mean, margin)
    corrected = np.column_stack([holm(column) for column in p.T]) * planned
    return [_PValues(*row) for row in corrected.tolist()]


def _alone(mean: MeanDifference, margin: float) -> _PValues:
    """The p of one test before any correction. Those above `LEVEL` are only compared with it, so t suffices."""
    p = mean.p(mean.independent)
    if p > LEVEL:
        return _PValues(p, p, 1.0)
    # Student's t gives the printed interval, signs are right for any noise, and rounds may depend on each other.
    dependent, p = mean.dependent(), max(p, p_of_signs(mean.differences))
    return _PValues(max(p, mean.p(dependent)), p, mean.p_beyond(margin, dependent))


def _at_look(
    test: PairedRounds, mean: MeanDifference | None, p: _PValues, rounds: int, planned: int, margin: float
) -> GateVerdict:
    """The verdict of one look."""
    if mean is None:
        return GateVerdict(Verdict.NONE, *_why_none(test, rounds))
    better = (mean.mean > 0) == test.higher_is_better
    verdict, undecided = Verdict.INCONCLUSIVE, None
    if _is_equivalent(mean, 1 - 2 * MARGIN_LEVEL / planned, margin):
        verdict = Verdict.EQUIVALENT
    elif p.differs <= LEVEL and better:
        verdict = Verdict.BETTER
    elif p.differs <= LEVEL and p.exceeds <= MARGIN_LEVEL:
        verdict = Verdict.WORSE
    elif p.if_independent <= LEVEL:
        undecided = Undecided.MARGIN if p.differs <= LEVEL else Undecided.DEPENDENT
    half = mean.half(CONFIDENCE)
    ratio, low, high = (float(np.exp(mean.mean + part)) for part in (0.0, -half, half))
    change = mean.level_change() if undecided is Undecided.DEPENDENT else None
    return GateVerdict(verdict, None, rounds, mean.pairs, ratio, low, high, min(p.differs, 1.0), undecided, change)


def _is_equivalent(mean: MeanDifference, confidence: float, margin: float) -> bool:
    """Whether the interval is inside the margin; also that of dependent rounds, where these are proven."""
    room = float(np.log1p(margin)) - abs(mean.mean)
    if mean.half(confidence) > room:
        return False
    return not mean.is_dependent or mean.half(confidence, mean.dependent()) <= room


def _mean_difference(test: PairedRounds, rounds: int) -> MeanDifference | None:
    """That of the first `rounds`; None if no verdict is possible."""
    baseline, candidate, numbers = _pairs(test, rounds)
    if len(baseline) < 2 or min(baseline.min(), candidate.min()) <= 0:
        return None
    return MeanDifference.of(np.log(candidate) - np.log(baseline), numbers)


def _pairs(test: PairedRounds, rounds: int) -> tuple[FloatArray, FloatArray, IntArray]:
    """The values of both sides in rounds that have both, and the numbers of these rounds, from 1."""
    baseline, candidate = test.baseline[:rounds], test.candidate[:rounds]
    both = np.isfinite(baseline) & np.isfinite(candidate)
    return baseline[both], candidate[both], np.flatnonzero(both) + 1


def _why_none(test: PairedRounds, rounds: int) -> tuple[NoVerdict, int, int]:
    baseline, *_ = _pairs(test, rounds)
    few = NoVerdict.NOT_MEASURED if len(baseline) == 0 else NoVerdict.TOO_FEW_VALUES
    return (few if len(baseline) < 2 else NoVerdict.NOT_POSITIVE), rounds, len(baseline)


MOST_SIGNS = 24
"""More differences are added up in this many groups of neighbours, whose sums have the same symmetry."""
ROUNDING = 1e-12
"""Sums closer than this share of the largest one count as equal."""


def p_of_signs(differences: FloatArray) -> float:
    """The two-sided p of (n,) differences of rounds; 1 if there are none, and never below 2 · 2⁻ⁿ.

    If both sides are alike, each difference has either sign with the same chance, whatever the noise is and whether it
    is the same in all rounds (Fisher 1935). All 2ⁿ sums are counted, as pairs of sums of two halves.
    """
    groups = np.array_split(differences, min(len(differences), MOST_SIGNS) or 1)
    sums = np.array([group.sum() for group in groups])
    tolerance = ROUNDING * float(np.abs(sums).sum())
    least = abs(float(sums.sum())) - tolerance
    if least <= 0:
        return 1.0
    half = len(sums) // 2
    left, right = _signed_sums(sums[:half]), np.sort(_signed_sums(sums[half:]))
    as_large = len(right) - np.searchsorted(right, least - left, side="left")
    return min(1.0, 2.0 * float(as_large.sum()) / 2.0 ** len(sums))


def _signed_sums(values: FloatArray) -> FloatArray:
    """(2ⁿ,) the sums of (n,) values with all combinations of signs."""
    sums = np.zeros(1)
    for value in values.tolist():
        sums = np.concatenate([sums + value, sums - value])
    return sums

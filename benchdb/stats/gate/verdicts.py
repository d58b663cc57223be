"""The verdicts of a gate on all its tests, after any number of its looks (docs/statistics.md, "Gates")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log2

import numpy as np
import scipy

from benchdb.stats.arrays import FloatArray
from benchdb.stats.comparing.multiple_testing import holm
from benchdb.stats.comparing.verdict import NoVerdict, Verdict

from .sign_flips import p_of_signs

LEVEL = 0.002
"""The chance that a gate calls any test better or worse though nothing differs, over all tests and looks.

Far below the 1 % that a gate promises, because rounds that depend on each other raise it (docs/statistics.md).
"""
EQUIVALENCE_LEVEL = 0.05
"""The chance that a test is called equivalent though its difference is the margin, over all looks."""
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class PairedRounds:
    """The values of one test by round, (R,) on each side; NaN in rounds without a value."""

    baseline: FloatArray
    candidate: FloatArray
    higher_is_better: bool


@dataclass(frozen=True, slots=True)
class GateVerdict:
    """The verdict on one test, with the figures of the look that decided, or of the last look if none decided.

    `rounds` is the number of rounds at this look, `pairs` those of them with a value on both sides. `ratio` is
    candidate ÷ baseline of the geometric means, with its 95 % interval from `low` to `high`. `p_adjusted` is corrected
    for tests and looks; a difference is called at `LEVEL` or less. Figures are None if they do not exist.
    """

    verdict: Verdict
    reason: NoVerdict | None
    rounds: int
    pairs: int
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    p_adjusted: float | None = None


@dataclass(frozen=True, slots=True)
class _Figures:
    """Mean of the logarithms' differences, its standard error, their number, and the p of a difference."""

    mean: float
    error: float
    pairs: int
    p: float


def judge(tests: Sequence[PairedRounds], looks: Sequence[int], planned: int, margin: float) -> list[GateVerdict]:
    """The verdict on each test after looks at these numbers of rounds, in rising order.

    `planned` is the number of looks that the gate takes at most, fixed before its first one; `margin` the difference
    that is too small to matter. A test keeps the verdict of the first look that decides it. Raises ValueError if there
    is no look, or more than planned.
    """
    if not 0 < len(looks) <= planned or list(looks) != sorted(set(looks)):
        raise ValueError("looks are at rising numbers of rounds, and no more than planned")
    found = [_at_look(test, None, 1.0, looks[0], planned, margin) for test in tests]
    for rounds in looks:
        figures = [_figures(test, rounds) for test in tests]
        p = holm(np.array([np.nan if each is None else each.p for each in figures])) * planned
        for place, test in enumerate(tests):
            if found[place].verdict in (Verdict.NONE, Verdict.INCONCLUSIVE):
                found[place] = _at_look(test, figures[place], float(p[place]), rounds, planned, margin)
    return found


def least_rounds(tests: int, planned: int) -> int:
    """The rounds below which no difference can be called, however large it is: then all signs are equal by chance."""
    return 1 + ceil(log2(max(tests, 1) * planned / LEVEL))


def _at_look(
    test: PairedRounds, figures: _Figures | None, p: float, rounds: int, planned: int, margin: float
) -> GateVerdict:
    """The verdict of one look; `p` is corrected for tests and looks."""
    if figures is None:
        return GateVerdict(Verdict.NONE, *_why_none(test, rounds))
    equivalent = _half(figures, 1 - 2 * EQUIVALENCE_LEVEL / planned) + abs(figures.mean) <= np.log1p(margin)
    half = _half(figures, CONFIDENCE)
    verdict = Verdict.INCONCLUSIVE
    if equivalent:
        verdict = Verdict.EQUIVALENT
    elif p <= LEVEL:
        verdict = Verdict.BETTER if (figures.mean > 0) == test.higher_is_better else Verdict.WORSE
    ratio, low, high = (float(np.exp(figures.mean + part)) for part in (0.0, -half, half))
    return GateVerdict(verdict, None, rounds, figures.pairs, ratio, low, high, min(p, 1.0))


def _figures(test: PairedRounds, rounds: int) -> _Figures | None:
    """The figures of the first `rounds`; None if no verdict is possible."""
    baseline, candidate = _pairs(test, rounds)
    if len(baseline) < 2 or min(baseline.min(), candidate.min()) <= 0:
        return None
    differences = np.log(candidate) - np.log(baseline)
    mean, pairs = float(differences.mean()), len(differences)
    error = float(differences.std(ddof=1)) / pairs**0.5
    # Both tests must call the difference: signs are right for any noise, Student's t gives the printed interval.
    p = 2 * float(scipy.special.stdtr(pairs - 1, -abs(mean) / error)) if error > 0 else float(mean == 0)
    return _Figures(mean, error, pairs, p if p > LEVEL else max(p, p_of_signs(differences)))


def _pairs(test: PairedRounds, rounds: int) -> tuple[FloatArray, FloatArray]:
    baseline, candidate = test.baseline[:rounds], test.candidate[:rounds]
    both = np.isfinite(baseline) & np.isfinite(candidate)
    return baseline[both], candidate[both]


def _why_none(test: PairedRounds, rounds: int) -> tuple[NoVerdict, int, int]:
    baseline, _ = _pairs(test, rounds)
    few = NoVerdict.NOT_MEASURED if len(baseline) == 0 else NoVerdict.TOO_FEW_VALUES
    return (few if len(baseline) < 2 else NoVerdict.NOT_POSITIVE), rounds, len(baseline)


def _half(figures: _Figures, confidence: float) -> float:
    """Half of the interval of the mean, in logarithms."""
    return float(scipy.special.stdtrit(figures.pairs - 1, (1 + confidence) / 2)) * figures.error

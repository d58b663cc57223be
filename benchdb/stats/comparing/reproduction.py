"""Whether a second campaign shows what the first one showed, with an answer for each conclusion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import scipy

from benchdb.stats.arrays import BoolArray, FloatArray, divide
from benchdb.stats.intervals import CONFIDENCE, Interval

from .baseline import LEVEL
from .comparisons import Comparisons
from .multiple_testing import holm
from .ratio import Ratio
from .verdict import Verdict

CONCLUSIONS = (Verdict.BETTER, Verdict.WORSE, Verdict.EQUIVALENT)


class ReproductionAnswer(StrEnum):
    """Whether a conclusion, or all of a campaign, was shown again."""

    REPRODUCED = "reproduced"
    NOT_REPRODUCED = "not_reproduced"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Reproduced:
    """Columns of length C. `answer` is None for rows that are no conclusion of the first campaign.

    `change` is the second ratio ÷ the first, `interval` its 95 % interval, both not corrected for the number of rows.
    `p_again` and `p_otherwise` are the corrected p of the claims that the conclusion holds, and that it does not.
    """

    answer: tuple[ReproductionAnswer | None, ...]
    change: FloatArray
    interval: Interval
    p_again: FloatArray
    p_otherwise: FloatArray


def conclusions_again(first: Comparisons, second: Comparisons, comparable: BoolArray) -> Reproduced:
    """The answers for the same C comparisons in two campaigns, both `compare`d with the same margin.

    `comparable` (C,) flags rows whose cells measured the same kind of thing in both. A conclusion is a verdict better,
    worse or equivalent of the first campaign. It holds again if the second shows the same direction, or a ratio
    within the margin. It does not hold if the two ratios differ, and the second one lies on the other side of the
    margin. The p of each of these two families of claims are corrected by Holm's method over all conclusions.
    """
    margin = float(np.log1p(first.margin))
    change = _change(first.ratios, second.ratios)
    called = np.array([verdict in CONCLUSIONS for verdict in first.verdict], dtype=bool)
    equal = np.array([verdict is Verdict.EQUIVALENT for verdict in first.verdict], dtype=bool)
    tested = called & comparable & np.array([reason is None for reason in second.reason], dtype=bool)
    sign = np.sign(first.ratios.log)
    same_direction = np.sign(second.ratios.log) == sign
    again = np.where(equal, p_within(second.ratios, margin), np.where(same_direction, second.p_of_claims, 1.0))
    away = np.where(equal, p_outside(second.ratios, margin), _p_below(second.ratios, sign, margin))
    return _answered(called, tested, again, np.maximum(away, change.p()), change)


def values_again(compared: Comparisons, comparable: BoolArray) -> Reproduced:
    """The answers for figures themselves: cells of the second campaign compared with those of the first.

    A figure is reproduced if the ratio lies within the margin, and not reproduced if it lies outside.
    """
    margin = float(np.log1p(compared.margin))
    tested = comparable & np.array([reason is None for reason in compared.reason], dtype=bool)
    ratio = compared.ratios
    return _answered(np.ones_like(tested), tested, p_within(ratio, margin), p_outside(ratio, margin), ratio)


def overall(answers: Iterable[ReproductionAnswer | None]) -> ReproductionAnswer:
    """The answer for a campaign: not reproduced if any conclusion is not, reproduced if all are."""
    given = [answer for answer in answers if answer is not None]
    if ReproductionAnswer.NOT_REPRODUCED in given:
        return ReproductionAnswer.NOT_REPRODUCED
    return (
        ReproductionAnswer.REPRODUCED
        if given and ReproductionAnswer.UNDECIDED not in given
        else ReproductionAnswer.UNDECIDED
    )


def p_within(ratio: Ratio, margin: float) -> FloatArray:
    """p of two one-sided tests that |ln ratio| < margin (Schuirmann 1987): the larger of the two."""
    return np.maximum(_p_above(ratio, -margin), _p_above(Ratio(-ratio.log, ratio.error, ratio.degrees), -margin))


def p_outside(ratio: Ratio, margin: float) -> FloatArray:
    """p of the test that |ln ratio| > margin: the chance of a |ln ratio| at least as large if it were the margin."""
    size = Ratio(np.abs(ratio.log), ratio.error, ratio.degrees)
    return np.minimum(_p_above(size, margin) + _p_above(size, -margin), 1.0)


def _p_above(ratio: Ratio, bound: float) -> FloatArray:
    """One-sided p of the test that ln ratio > bound; NaN if the ratio is unknown."""
    p: FloatArray = scipy.special.stdtr(ratio.degrees, -divide(ratio.log - bound, ratio.error))
    return p


def _p_below(ratio: Ratio, sign: FloatArray, margin: float) -> FloatArray:
    """One-sided p of the test that the ratio lies less than the margin in the direction of `sign`."""
    return _p_above(Ratio(-sign * ratio.log, ratio.error, ratio.degrees), -margin)


def _change(first: Ratio, second: Ratio) -> Ratio:
    """The second ratio ÷ the first, with the degrees of freedom of Welch and Satterthwaite."""
    error = np.hypot(first.error, second.error)
    shares = divide(first.error, error) ** 2, divide(second.error, error) ** 2
    inverse = divide(shares[0] ** 2, first.degrees) + divide(shares[1] ** 2, second.degrees)
    return Ratio(second.log - first.log, error, divide(np.ones_like(inverse), inverse))


def _answered(called: BoolArray, tested: BoolArray, again: FloatArray, away: FloatArray, change: Ratio) -> Reproduced:
    p_again, p_otherwise = (holm(np.where(tested, p, np.nan)) for p in (again, away))
    return Reproduced(
        answer=tuple(_answers(called, p_again, p_otherwise)),
        change=change.value(),
        interval=change.interval(CONFIDENCE),
        p_again=p_again,
        p_otherwise=p_otherwise,
    )


def _answers(called: BoolArray, p_again: FloatArray, p_otherwise: FloatArray) -> Sequence[ReproductionAnswer | None]:
    chosen = np.select([~called, p_otherwise < LEVEL, p_again < LEVEL], [0, 1, 2], default=3)
    order = (None, ReproductionAnswer.NOT_REPRODUCED, ReproductionAnswer.REPRODUCED, ReproductionAnswer.UNDECIDED)
    return [order[index] for index in chosen.tolist()]

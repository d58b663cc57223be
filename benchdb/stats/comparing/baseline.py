"""Compares cells with their baselines, all cells of a table at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from benchdb.stats.arrays import BoolArray, FloatArray, IntArray
from benchdb.stats.warning import StatisticsWarning, WarningCode, WarningList

from .cells import Cells
from .comparisons import Comparisons
from .few_rounds import p_with_few_rounds
from .log_means import MeansTest, Side, compare_means
from .looks import p_over_looks
from .mann_whitney import can_reach, mann_whitney
from .multiple_testing import Correction, adjust
from .ratio import Ratio, ratio_of_means
from .rounds_needed import rounds_for_precision
from .verdict import NoVerdict, Verdict, decide

LEVEL = 0.05
MARGIN = 0.05
EQUIVALENCE_CONFIDENCE = 0.90


def compare(
    cells: Cells,
    baseline: Cells,
    *,
    higher_is_better: npt.ArrayLike = True,
    margin: float = MARGIN,
    level: float = LEVEL,
    correction: Correction = Correction.BENJAMINI_HOCHBERG,
    checked: bool = True,
) -> Comparisons:
    """Compare each of C cells with the baseline at the same index; all are one family for the correction.

    `higher_is_better` is one truth value or (C,) of them. `margin` is the relative difference that does not matter
    (0.05: 5 %), `level` the corrected p below which a difference counts. Leave out the cells of the baseline itself,
    because a comparison with itself would count as a test. Without `checked` there is no p of ranks, no warning and no
    rounds for a precision, which take most of the time. Raises ValueError for sides of unequal length, and unless
    margin > 0 and 0 < level < 1.
    """
    if len(cells) != len(baseline):
        raise ValueError(f"{len(cells)} cells cannot be compared with {len(baseline)} baselines")
    if not (margin > 0 and 0 < level < 1):
        raise ValueError(f"margin {margin} must be above 0, level {level} between 0 and 1")
    upward = np.broadcast_to(np.asarray(higher_is_better, dtype=bool), (len(cells),))
    test = compare_means(Side.of(cells), Side.of(baseline))
    reason = _reasons(cells, baseline, test)
    barred = np.array([code is not None for code in reason], dtype=bool)
    test = test.without(barred)
    p_of_claims = p_over_looks(p_with_few_rounds(test.p, cells, baseline), cells, baseline)
    p_adjusted = adjust(p_of_claims, correction)
    p_ranks = np.where(barred, np.nan, mann_whitney(cells, baseline) if checked else np.nan)
    ratio = ratio_of_means(cells, baseline, upward)
    inner = ratio.interval(EQUIVALENCE_CONFIDENCE)
    # If a side is very skewed, means and logarithms can differ in opposite directions. Then neither counts.
    contradiction = (np.sign(test.t) * np.where(upward, 1, -1) * np.sign(ratio.log)) < 0
    verdict = decide(
        barred=barred,
        equivalent=(inner.low >= 1 / (1 + margin)) & (inner.high <= 1 + margin),
        significant=(p_adjusted < level) & ~contradiction,
        up=ratio.log > 0,
    )
    inconclusive = [i for i, code in enumerate(verdict) if checked and code is Verdict.INCONCLUSIVE]
    contradicted = contradiction & (p_adjusted < level)
    return Comparisons(
        verdict=verdict,
        reason=reason,
        ratios=ratio,
        equivalence_interval=inner,
        p=test.p,
        p_of_claims=p_of_claims,
        p_adjusted=p_adjusted,
        p_ranks=p_ranks,
        on_logarithms=test.on_logarithms,
        looks=np.maximum(cells.looks, baseline.looks),
        margin=margin,
        rounds_for_precision=_rounds_for_precision(inconclusive, cells, baseline, ratio, margin),
        warnings=_warnings(cells, baseline, test, p_ranks, contradicted, level) if checked else ((),) * len(cells),
    )


def _reasons(cells: Cells, baseline: Cells, test: MeansTest) -> tuple[NoVerdict | None, ...]:
    """The first reason of either side, in the order of `NoVerdict`."""
    order = list(NoVerdict)
    reasons: list[NoVerdict | None] = []
    for first, second, untested in zip(cells.reasons, baseline.reasons, np.isnan(test.p).tolist(), strict=True):
        if first is None or second is None:
            reasons.append(first or second or (NoVerdict.NO_VARIATION if untested else None))
        else:
            reasons.append(min(first, second, key=order.index))
    return tuple(reasons)


def _rounds_for_precision(
    chosen: Sequence[int], cells: Cells, baseline: Cells, ratio: Ratio, margin: float
) -> IntArray:
    """The rounds of the cells with indices `chosen`, -1 for others; each number takes dozens of quantiles."""
    rounds = np.full(len(cells), -1, dtype=np.int64)
    if chosen:
        ratios = Ratio(*(column[list(chosen)] for column in ratio))
        rounds[chosen] = rounds_for_precision(cells.take(chosen), baseline.take(chosen), ratios, margin)
    return rounds


def _warnings(
    cells: Cells,
    baseline: Cells,
    test: MeansTest,
    p_ranks: FloatArray,
    contradiction: BoolArray,
    level: float,
) -> tuple[tuple[StatisticsWarning, ...], ...]:
    tested = ~np.isnan(test.p)
    both_known = cells.has_values & baseline.has_values
    checked = ~np.isnan(p_ranks) & can_reach(level, cells.n, baseline.n)
    disagree = checked & ((test.p < level) != (p_ranks < level))
    warnings = WarningList(len(cells))
    warnings.add(WarningCode.WITHIN_ONE_RUN, tested & (np.minimum(cells.runs, baseline.runs) == 1))
    warnings.add(WarningCode.MOMENTS_ONLY, tested & ~both_known)
    warnings.add(WarningCode.NOT_ALL_POSITIVE, tested & both_known & ~test.on_logarithms)
    warnings.add(
        WarningCode.RANKS_DISAGREE, disagree, lambda row: {"p": test.p[row].item(), "p_ranks": p_ranks[row].item()}
    )
    warnings.add(WarningCode.MEANS_DISAGREE, contradiction)
    return warnings.done()

"""Compares cells with their baselines, all cells of a table at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from benchdb.stats.arrays import BoolArray, FloatArray
from benchdb.stats.moments import Moments, moments
from benchdb.stats.warning import Numbers, WarningCode, WarningList

from .cells import REASONS, Cells, unlike
from .comparisons import Comparisons
from .few_rounds import FEW, UsualSpread, p_of_odd_rounds, p_with_few_rounds, usual_spread
from .looks import p_over_looks, share_of_look
from .mann_whitney import can_reach, mann_whitney
from .multiple_testing import Correction, adjust, level_of_one_more
from .paired import by_campaign
from .ratio import Side, ratio_of, ratio_of_means, ratio_of_pairs
from .robustness import NONE, weakest_values
from .rounds_needed import further_rounds
from .verdict import EQUIVALENCE_CONFIDENCE, NoVerdict, Verdict, decide

LEVEL = 0.05
MARGIN = 0.05


def compare(
    cells: Cells,
    baseline: Cells,
    *,
    higher_is_better: npt.ArrayLike = True,
    margin: float = MARGIN,
    level: float = LEVEL,
    correction: Correction = Correction.BENJAMINI_HOCHBERG,
    checked: bool = True,
    few: int = FEW,
    stalls: bool = False,
) -> Comparisons:
    """Compare each of C cells with the baseline at the same index; all are one family for the correction.

    `higher_is_better` is one truth value or (C,) of them. `margin` is the relative difference that does not matter
    (0.05: 5 %), `level` the corrected p below which a difference counts. Leave out the cells of the baseline itself,
    because a comparison with itself would count as a test. Without `checked` there is no p of ranks, no warning and no
    rounds for a precision, which take most of the time. Up to `few` rounds, a difference must also be large beside the
    usual spread of its kind (few_rounds.py); with `stalls` it must not be one of odd rounds alone. Raises ValueError
    for sides of unequal length, and unless margin > 0 and 0 < level < 1.
    """
    if len(cells) != len(baseline):
        raise ValueError(f"{len(cells)} cells cannot be compared with {len(baseline)} baselines")
    if not (margin > 0 and 0 < level < 1):
        raise ValueError(f"margin {margin} must be above 0, level {level} between 0 and 1")
    upward = np.broadcast_to(np.asarray(higher_is_better, dtype=bool), (len(cells),))
    first, second = Side.of(cells), Side.of(baseline)
    on_logarithms = first.all_positive & second.all_positive
    logarithms = first.moments(on_logarithms), second.moments(on_logarithms)
    incomparable = unlike(cells, baseline)
    pairs = by_campaign(cells.blocked, baseline.blocked)
    of_pairs = moments(pairs)
    paired = of_pairs.n > 0
    ratio = ratio_of_pairs(of_pairs).where(paired, ratio_of(*logarithms)).unless(incomparable)
    p = ratio.p()
    reason = _reasons(cells, baseline, incomparable, np.isnan(p))
    barred = np.array([code is not None for code in reason], dtype=bool)
    p = np.where(barred, np.nan, p)
    runs, looks = np.minimum(cells.runs, baseline.runs), np.maximum(cells.looks, baseline.looks)
    usual = usual_spread(cells, baseline)
    p_of_stalls = np.where(runs == 1, p_of_odd_rounds(cells, baseline, usual), 0.0) if stalls else 0.0
    p_of_claims = p_over_looks(np.maximum(p_with_few_rounds(p, *logarithms, runs, usual, few), p_of_stalls), looks)
    p_adjusted = adjust(p_of_claims, correction)
    p_ranks = np.where(barred | paired, np.nan, mann_whitney(cells, baseline) if checked else np.nan)
    inner = ratio.interval(EQUIVALENCE_CONFIDENCE)
    verdict = decide(
        barred=barred,
        equivalent=(inner.low >= 1 / (1 + margin)) & (inner.high <= 1 + margin),
        significant=p_adjusted < level,
        up=(ratio.log > 0) == upward,
    )
    zero = np.zeros(len(cells))
    sample = of_pairs.where(paired, logarithms[0]), Moments(of_pairs.n, zero, zero).where(paired, logarithms[1])
    undecided = [i for i, code in enumerate(verdict) if checked and code is Verdict.INCONCLUSIVE]
    # The next look has a share of its own, if the runs can grow.
    next_level = level_of_one_more(p_adjusted, level, correction) * share_of_look(np.where(looks > 0, looks + 1, 0))
    of_one_run = UsualSpread(np.where(runs == 1, usual.sd, 0.0), usual.degrees)
    to_precision, to_decide = further_rounds(undecided, *sample, ratio, next_level, of_one_run, margin)
    warnings = WarningList(len(cells))
    if checked:
        _warn(warnings, cells, baseline, on_logarithms, p, p_ranks, level)
        called = np.array([code in (Verdict.BETTER, Verdict.WORSE) for code in verdict], dtype=bool)
        critical = _greatest_significant(p_of_claims, p_adjusted, level) * share_of_look(looks)
        # Without one value, no condition applies that did not apply with it.
        few_at_first = np.minimum(logarithms[0].n, logarithms[1].n) <= few
        kept = UsualSpread(np.where(few_at_first, usual.sd, np.nan), usual.degrees)
        _warn_of_weak(warnings, called & on_logarithms, cells, baseline, pairs, critical, kept)
    return Comparisons(
        verdict=verdict,
        reason=reason,
        ratios=ratio,
        equivalence_interval=inner,
        p=p,
        p_of_claims=p_of_claims,
        p_adjusted=p_adjusted,
        p_ranks=p_ranks,
        on_logarithms=on_logarithms,
        paired=paired,
        ratio_of_means=np.where(incomparable, np.nan, ratio_of_means(first, second)),
        looks=looks,
        margin=margin,
        rounds_for_precision=to_precision,
        rounds_to_decide=to_decide,
        warnings=warnings.done(),
    )


def _reasons(
    cells: Cells, baseline: Cells, incomparable: BoolArray, untested: BoolArray
) -> tuple[NoVerdict | None, ...]:
    """The first reason of either side, or of the pair, in the order of `NoVerdict`."""
    cache, no_variation, none = map(REASONS.index, (NoVerdict.CACHE, NoVerdict.NO_VARIATION, None))
    of_pair = np.select([incomparable, untested], [cache, no_variation], none)
    first = np.minimum(np.minimum(cells.ranks, baseline.ranks), of_pair)
    return tuple(map(REASONS.__getitem__, first.tolist()))


def _warn(
    warnings: WarningList,
    cells: Cells,
    baseline: Cells,
    on_logarithms: BoolArray,
    p: FloatArray,
    p_ranks: FloatArray,
    level: float,
) -> None:
    tested = ~np.isnan(p)
    both_known = cells.has_values & baseline.has_values
    checked = ~np.isnan(p_ranks) & can_reach(level, cells.n, baseline.n)
    disagree = checked & ((p < level) != (p_ranks < level))
    warnings.add(WarningCode.WITHIN_ONE_RUN, tested & (np.minimum(cells.runs, baseline.runs) == 1))
    warnings.add(WarningCode.MOMENTS_ONLY, tested & ~both_known)
    warnings.add(WarningCode.NOT_ALL_POSITIVE, tested & both_known & ~on_logarithms)
    warnings.add(WarningCode.RANKS_DISAGREE, disagree, lambda row: {"p": p[row].item(), "p_ranks": p_ranks[row].item()})


def _greatest_significant(p: FloatArray, p_adjusted: FloatArray, level: float) -> float:
    """The p up to which a significant cell stays significant, whatever its own p: exactly so if p is corrected by
    Benjamini and Hochberg's method.
    """
    significant = p_adjusted < level
    factors = p[significant] / np.maximum(p_adjusted[significant], np.finfo(np.float64).tiny)
    return level * float(factors.max(initial=0.0))


def _warn_of_weak(
    warnings: WarningList,
    called: BoolArray,
    cells: Cells,
    baseline: Cells,
    pairs: FloatArray,
    level: FloatArray,
    usual: UsualSpread,
) -> None:
    """Warn of verdicts on `called` cells that rest on one value: without it, p is not below `level` (C,)."""
    places = called.nonzero()[0]
    if not len(places):
        return
    weak = weakest_values(cells.take(places), baseline.take(places), pairs[places], level[places], usual.take(places))
    row_of = {place: row for row, place in enumerate(places.tolist())}
    rests = np.zeros(len(cells), dtype=bool)
    rests[places] = weak.column != NONE

    def numbers(place: int) -> Numbers:
        column, of_baseline, p = (figure[row_of[place]].item() for figure in weak)
        return {"rounds": (column,), "side": int(of_baseline), "p": p}

    warnings.add(WarningCode.RESTS_ON_ONE_ROUND, rests, numbers)

"""The geometric mean of the ratios of many cells to their baselines, with its interval: one number for a row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from benchdb.stats.arrays import BoolArray, FloatArray, IntArray, divide
from benchdb.stats.intervals import CONFIDENCE, Interval
from benchdb.stats.moments import Moments, moments
from benchdb.stats.welch import spread

from .cells import Cells
from .few_rounds import KNOWN, UsualSpread
from .looks import share_of_look
from .paired import FEWEST_CAMPAIGNS, NO_VARIATION, Blocked, differences
from .ratio import Ratio, ratio_of_pairs, ratios_of
from .robustness import NONE, weakest
from .rounds_needed import further_rounds
from .verdict import EQUIVALENCE_CONFIDENCE, Verdict, decide

LEVEL = 1 - CONFIDENCE
FEWEST_ROUNDS = 5
"""Fewer pairs of rounds have so few degrees of freedom that the interval would be wider than without pairs."""

TOGETHER = 100_000
"""Groups without each of their parts, times cells, that are computed together: a few megabytes."""


class GeometricMeans(NamedTuple):
    """Columns of length G: the `ratios`, the number of `cells`, and the number of `pairs`.

    `pairs` are the rounds (or the campaigns, for cells of several runs) that all cells of both sides have, and over
    which the mean is computed; 0 if the sides are not paired. A ratio is NaN for a group without cells or with a cell
    without a ratio; its error also if a cell has none. `sample` are the moments of the rounds of both sides; for pairs
    the first are those of their differences.
    """

    ratios: Ratio
    cells: IntArray
    pairs: IntArray
    sample: tuple[Moments, Moments]

    @property
    def ratio(self) -> FloatArray:
        """The geometric means of cell ÷ baseline."""
        return self.ratios.value()

    @property
    def interval(self) -> Interval:
        """The 95 % intervals of the geometric means."""
        return self.ratios.interval(CONFIDENCE)


def geometric_mean(
    cells: Cells, baseline: Cells, groups: npt.ArrayLike, *, ratios: Ratio | None = None
) -> GeometricMeans:
    """Geometric means of the ratios of C cells to C baselines, over each of G groups of cells.

    `groups` is (G, C): true if the cell belongs to the group. Groups to be compared must have the same columns: those
    valid in every row (`Comparisons.valid`). `ratios` are the ratios of the cells if already computed
    (`Comparisons.ratios`). Raises ValueError if a shape does not fit.

    The cells of a round share its good or bad moment. So if values are known, each round gives one value, its mean over
    the group's cells. If both sides were measured in the same rounds of one campaign, and five or more of these are
    complete, the mean and its interval are those of the paired t-test; the same if cells of several runs have three or
    more campaigns in common. Else the interval is that of Welch's test on the rounds, or the errors of cells without
    values count as independent.
    """
    members = np.asarray(groups, dtype=bool)
    if members.ndim != 2 or members.shape[1] != len(cells) or len(cells) != len(baseline):
        raise ValueError(f"groups of shape {members.shape} do not fit {len(cells)} cells and {len(baseline)} baselines")
    count = members.sum(axis=1, dtype=np.int64)
    mean = _mean(ratios or ratios_of(cells, baseline), members, count)
    first, second = (moments(_rounds(side.logarithms, members, count)) for side in (cells, baseline))
    of_rounds = Ratio(mean.log, *spread(first.sd, first.n, second.sd, second.n))
    mean = of_rounds.where((first.n > 1) & (second.n > 1), mean)
    paired = _paired(cells.blocked, baseline.blocked, members, count)
    pairs = np.where(np.isnan(mean.log), 0, paired.n)
    zero = np.zeros(len(pairs))
    sample = paired.where(pairs > 0, first), Moments(paired.n, zero, zero).where(pairs > 0, second)
    return GeometricMeans(ratio_of_pairs(paired).where(pairs > 0, mean), count, pairs, sample)


class MeanVerdicts(NamedTuple):
    """Columns of length G about geometric means that are read together: their simultaneous `interval`, and verdicts.

    `level` is the p below which the mean of a group differs from 1; its interval excludes 1 at the same time.
    """

    interval: Interval
    verdict: tuple[Verdict, ...]
    level: FloatArray


def judge_means(means: Ratio, looks: IntArray, *, higher_is_better: BoolArray, margin: float) -> MeanVerdicts:
    """The verdicts about G geometric means, which hold for all of them together.

    `looks` (G,) are the latest looks at growing runs of a mean's cells. All intervals together hold the true means with
    95 % at all looks (Bonferroni's inequality; Dunn 1961), so the ones that a reader picks do too. A mean is better or
    worse if its interval does not contain 1. It is equivalent, as a cell, if its own 90 % interval is inside the
    `margin`, a fraction; this needs no correction, because a mean is not at both ends of the margin.
    """
    tested = np.isfinite(means.error) & np.isfinite(means.log)
    level = LEVEL * share_of_look(looks) / max(int(tested.sum()), 1)
    interval, inner = means.interval(1 - level), means.interval(EQUIVALENCE_CONFIDENCE)
    verdict = decide(
        barred=~tested,
        equivalent=(inner.low >= 1 / (1 + margin)) & (inner.high <= 1 + margin),
        significant=(interval.low > 1) | (interval.high < 1),
        up=(means.log > 0) == higher_is_better,
    )
    return MeanVerdicts(interval, verdict, level)


def rounds_for_means(means: GeometricMeans, judged: MeanVerdicts, margin: float) -> tuple[IntArray, IntArray]:
    """The further rounds on each side that determine an undecided mean within the margin, and those that decide it.

    (G,) each, as `further_rounds` of cells; −1 also for means without the values of rounds.
    """
    first, second = means.sample
    known = (first.n > 1) & (second.n > 1) & np.isfinite(means.ratios.error)
    undecided = [i for i, code in enumerate(judged.verdict) if code is Verdict.INCONCLUSIVE and known[i]]
    usual = UsualSpread(np.zeros(len(known)), np.full(len(known), KNOWN))  # any number of rounds counts
    return further_rounds(undecided, first, second, means.ratios, judged.level, usual, margin)


def part_it_rests_on(
    cells: Cells,
    baseline: Cells,
    groups: npt.ArrayLike,
    parts: npt.ArrayLike,
    *,
    ratios: Ratio | None = None,
    means: Ratio | None = None,
    level: FloatArray | float = LEVEL,
) -> IntArray:
    """The part without which the interval of a group's mean contains 1, (G,); `NONE` for a mean that rests on no part.

    `level` is that of the interval, one or (G,).

    `parts` (C,) numbers the part of each cell from 0, for example its test. Only an interval that excludes 1 rests on
    anything, and only if the group has several parts. If it vanishes without any of several, the one that weakens it
    most is given. `ratios` are those of the cells and `means` those of the groups (`geometric_mean`) if already
    computed.
    """
    members, part_of = np.asarray(groups, dtype=bool), np.asarray(parts, dtype=np.int64)
    every = ratios or ratios_of(cells, baseline)
    levels = np.broadcast_to(level, (len(members),))
    whole = means or geometric_mean(cells, baseline, members, ratios=every).ratios
    found = np.full(len(members), NONE, dtype=np.int64)
    parts_of = {group: np.unique(part_of[members[group]]) for group in (whole.p() < levels).nonzero()[0].tolist()}
    for batch in _batches({group: names for group, names in parts_of.items() if len(names) > 1}, len(cells)):
        # Cells of other groups play no part, and there may be thousands.
        places = np.flatnonzero(members[[*batch]].any(axis=0))
        without = [members[group, places] & (part_of[places] != batch[group][:, np.newaxis]) for group in batch]
        sides = cells.take(places), baseline.take(places)
        rest = geometric_mean(*sides, np.concatenate(without), ratios=every.take(places)).ratios
        ends = np.cumsum([len(names) for names in batch.values()])
        columns = (np.split(column, ends[:-1]) for column in (np.sign(rest.log), rest.p()))
        for (group, names), signs, p in zip(batch.items(), *columns, strict=True):
            (column,) = weakest(np.where(signs == np.sign(whole.log[group]), p, 1.0)[np.newaxis], levels[group])
            found[group] = NONE if column == NONE else names[column]
    return found


def _batches(parts_of: dict[int, IntArray], length: int) -> Iterator[dict[int, IntArray]]:
    """The groups with their parts, as many together as `TOGETHER` allows, because each step of NumPy has its price."""
    batch: dict[int, IntArray] = {}
    for group, names in parts_of.items():
        if batch and length * (len(names) + sum(map(len, batch.values()))) > TOGETHER:
            yield batch
            batch = {}
        batch[group] = names
    if batch:
        yield batch


def _rounds(logarithms: FloatArray, members: BoolArray, count: IntArray) -> FloatArray:
    """The mean of each column of (C, k) over the cells of each group, (G, k); NaN if one of them lacks it."""
    weights = members.astype(np.float64)
    lacking = weights @ np.isnan(logarithms)
    total = weights @ np.nan_to_num(logarithms)
    return np.where(lacking == 0, divide(total, count[:, np.newaxis]), np.nan)


def _paired(first: Blocked, second: Blocked, members: BoolArray, count: IntArray) -> Moments:
    """Moments of the differences of each group's paired rounds or campaigns; n = 0 if the group is not paired."""
    found = moments(_rounds(differences(first, second), members, count))
    of_several = (members & first.several).any(axis=1)
    fewest = np.where(of_several, FEWEST_CAMPAIGNS, FEWEST_ROUNDS)
    fits = (found.n >= fewest) & (found.sd > NO_VARIATION)
    if of_several.any():
        fits &= ~of_several | _alike(first, members)
    return found._replace(n=np.where(fits, found.n, 0))


def _alike(side: Blocked, members: BoolArray) -> BoolArray:
    """Flags of groups whose cells all have the same blocks: else the columns of a group are of unlike campaigns."""
    _, kind = np.unique(side.blocks, axis=0, return_inverse=True)
    kind = kind.reshape(-1)
    lowest = np.where(members, kind, len(kind)).min(axis=1, initial=len(kind))
    highest = np.where(members, kind, -1).max(axis=1, initial=-1)
    return np.asarray(lowest == highest, dtype=bool)


def _mean(ratios: Ratio, members: BoolArray, count: IntArray) -> Ratio:
    """The mean of the logarithms of each group, with independent errors of the cells.

    Variances add; degrees of freedom by Welch–Satterthwaite over all cells.
    """

    def total(column: FloatArray) -> FloatArray:
        return np.asarray(np.where(members, column, 0.0).sum(axis=1), dtype=np.float64)

    # Only the ratios of the variances matter; as shares of the largest they stay in the range of floating point.
    largest = np.where(members, ratios.error, 0.0).max(axis=1, initial=0.0)
    shares = divide(np.where(members, ratios.error, 0.0), largest[:, np.newaxis]) ** 2
    variance = shares.sum(axis=1)
    doubt = np.where(members, divide(shares**2, np.broadcast_to(ratios.degrees, shares.shape)), 0.0).sum(axis=1)
    return Ratio(
        log=divide(total(ratios.log), count),
        error=divide(largest * np.sqrt(variance), count),
        degrees=divide(variance**2, doubt),
    )

"""The data of a comparison: columns for computing, rows for showing and storing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np

from benchdb.stats.arrays import BoolArray, FloatArray, IntArray, optional
from benchdb.stats.intervals import CONFIDENCE, Interval
from benchdb.stats.version import STATISTICS_VERSION
from benchdb.stats.warning import StatisticsWarning

from .ratio import Ratio
from .verdict import NoVerdict, Verdict


class Method(StrEnum):
    """The test and its ratio; NONE without a verdict.

    WELCH_ON_LOGARITHMS: Welch's t on the logarithms of the values, and the ratio of geometric means.
    PAIRED_BY_CAMPAIGN: the paired t on the logarithms of the runs' means of each campaign, and the same ratio.
    WELCH_ON_MOMENTS: Welch's t from n, mean and sd by the delta method, and the ratio of arithmetic means.
    """

    WELCH_ON_LOGARITHMS = "welch_on_logarithms"
    PAIRED_BY_CAMPAIGN = "paired_by_campaign"
    WELCH_ON_MOMENTS = "welch_on_moments"
    NONE = "none"


class ComparisonRow(NamedTuple):
    """One cell against its baseline in plain Python; None for figures that do not exist.

    `ratio` is cell ÷ baseline of the figure itself, whatever direction is better. `low` and `high` bound its 95 %
    interval, and `p` tests that it is 1; p below 0.05 means an interval without 1. Both are not corrected for the
    number of cells. `p_of_claims` is p corrected for few rounds and for the `look` at a growing run, and `p_adjusted`
    is that one corrected for the number of cells.
    `ratio_of_means` is that of the arithmetic means; `method` names the one that decides. `rounds_for_precision` is set
    only if `verdict` is inconclusive and a number exists: the further rounds on each side that determine the ratio
    within the margin, 0 if it is known as precisely already. `rounds_to_decide` is likewise the number that gives the
    cell a verdict in four cases of five, where its interval does not contain 1 and only the correction leaves it
    undecided. `reason` is set only if the verdict is none.
    """

    verdict: Verdict
    reason: NoVerdict | None
    ratio: float | None
    low: float | None
    high: float | None
    ratio_of_means: float | None
    p: float | None
    p_of_claims: float | None
    p_adjusted: float | None
    p_ranks: float | None
    look: int
    method: Method
    rounds_for_precision: int | None
    rounds_to_decide: int | None
    warnings: tuple[StatisticsWarning, ...]


@dataclass(frozen=True)
class Comparisons:
    """Columns of length C. NaN for figures that do not exist, -1 in numbers of rounds.

    `p_of_claims` is the p of each cell for all families of tests: `p` with the conditions on few rounds and on looks at
    growing runs. `looks` is 0 if no side can grow.

    Columns that a caller may not need are computed at their first use.
    """

    verdict: tuple[Verdict, ...]
    reason: tuple[NoVerdict | None, ...]
    ratios: Ratio
    equivalence_interval: Interval
    p: FloatArray
    p_of_claims: FloatArray
    p_adjusted: FloatArray
    p_ranks: FloatArray
    on_logarithms: BoolArray
    paired: BoolArray
    ratio_of_means: FloatArray
    looks: IntArray
    margin: float
    rounds_for_precision: IntArray
    rounds_to_decide: IntArray
    warnings: tuple[tuple[StatisticsWarning, ...], ...]
    version: int = STATISTICS_VERSION

    def __len__(self) -> int:
        return len(self.verdict)

    @cached_property
    def ratio(self) -> FloatArray:
        """The ratios of the cells to their baselines: of geometric means where `on_logarithms`, else of means."""
        return self.ratios.value()

    @cached_property
    def interval(self) -> Interval:
        """The ratio's 95 % interval, not corrected for the number of cells."""
        return self.ratios.interval(CONFIDENCE)

    @property
    def method(self) -> tuple[Method, ...]:
        """The deciding test of each cell."""
        methods = (Method.NONE, Method.PAIRED_BY_CAMPAIGN, Method.WELCH_ON_LOGARITHMS, Method.WELCH_ON_MOMENTS)
        none = np.array([reason is not None for reason in self.reason], dtype=bool)
        return tuple(methods[i] for i in np.select([none, self.paired, self.on_logarithms], [0, 1, 2], 3).tolist())

    @property
    def valid(self) -> BoolArray:
        """Flags of ratios for geometric means: those that exist, without a failed test or too coarse a clock.

        A cell that measured memory has no ratio to one that measured the device.
        """
        free = [code not in (NoVerdict.FAILED, NoVerdict.CLOCK) for code in self.reason]
        return np.asarray(np.isfinite(self.ratio) & np.array(free, dtype=bool), dtype=bool)

    def rows(self) -> Iterator[ComparisonRow]:
        """One `ComparisonRow` per cell, in order."""
        ps = (self.p, self.p_of_claims, self.p_adjusted, self.p_ranks)
        floats = (self.ratio, *self.interval, self.ratio_of_means, *ps)
        rounds = (
            [number if number >= 0 else None for number in numbers.tolist()]
            for numbers in (self.rounds_for_precision, self.rounds_to_decide)
        )
        columns = (
            self.verdict,
            self.reason,
            *map(optional, floats),
            self.looks.tolist(),
            self.method,
            *rounds,
            self.warnings,
        )
        return map(ComparisonRow._make, zip(*columns, strict=True))

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
    WELCH_ON_MOMENTS: the same from n, mean and sd by the delta method, and the ratio of arithmetic means.
    """

    WELCH_ON_LOGARITHMS = "welch_on_logarithms"
    WELCH_ON_MOMENTS = "welch_on_moments"
    NONE = "none"


class ComparisonRow(NamedTuple):
    """One cell against its baseline in plain Python; None for figures that do not exist.

    `ratio` is cell ÷ baseline of the figure itself, whatever direction is better. `low` and `high` bound its 95 %
    interval, and `p` tests that it is 1; p below 0.05 means an interval without 1. Both are not corrected for the
    number of cells, `p_adjusted` is. `ratio_of_means` is that of the arithmetic means; `method` names the one that
    decides.
    `further_rounds` is set only if `verdict` is inconclusive and a number exists, `reason` only if it is none.
    """

    verdict: Verdict
    reason: NoVerdict | None
    ratio: float | None
    low: float | None
    high: float | None
    ratio_of_means: float | None
    p: float | None
    p_adjusted: float | None
    p_ranks: float | None
    method: Method
    further_rounds: int | None
    warnings: tuple[StatisticsWarning, ...]


@dataclass(frozen=True)
class Comparisons:
    """Columns of length C. NaN for figures that do not exist, 0 in `further_rounds`.

    Columns that a caller may not need are computed at their first use.
    """

    verdict: tuple[Verdict, ...]
    reason: tuple[NoVerdict | None, ...]
    ratios: Ratio
    equivalence_interval: Interval
    p: FloatArray
    p_adjusted: FloatArray
    p_ranks: FloatArray
    on_logarithms: BoolArray
    ratio_of_means: FloatArray
    further_rounds: IntArray
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
        return tuple(
            Method.NONE if reason else Method.WELCH_ON_LOGARITHMS if logs else Method.WELCH_ON_MOMENTS
            for reason, logs in zip(self.reason, self.on_logarithms.tolist(), strict=True)
        )

    @property
    def valid(self) -> BoolArray:
        """Flags of ratios for geometric means: those that exist, without a failed test or too coarse a clock.

        A cell that measured memory has no ratio to one that measured the device.
        """
        free = [code not in (NoVerdict.FAILED, NoVerdict.CLOCK) for code in self.reason]
        return np.asarray(np.isfinite(self.ratio) & np.array(free, dtype=bool), dtype=bool)

    def rows(self) -> Iterator[ComparisonRow]:
        """One `ComparisonRow` per cell, in order."""
        floats = (self.ratio, *self.interval, self.ratio_of_means, self.p, self.p_adjusted, self.p_ranks)
        further = (rounds or None for rounds in self.further_rounds.tolist())
        columns = (self.verdict, self.reason, *map(optional, floats), self.method, further, self.warnings)
        return map(ComparisonRow._make, zip(*columns, strict=True))

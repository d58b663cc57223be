"""The statistics of BenchDB: NumPy and SciPy, nothing of Django or of the rest of BenchDB.

One result
    `summarise` (values in, (R, n) with NaN where a round failed) and `summarise_moments` (published mean, sd, n) give
    `Summaries`: columns, and `rows()` for storing. `matrix` makes the array from rows of unequal length.
A table
    `compare` sets `Cells` against baseline `Cells` and gives `Comparisons` with ratio, interval, p and `Verdict`;
    `best_set` finds the best cell or the tie for best of one row, `best_sets` of many rows. `geometric_mean` makes one
    ratio of many. `several_runs` makes the figures of cells in which several runs meet.
A cell's worth
    `clock_verdicts` and `elapsed_from_throughput` judge the clock, `cache_verdict` the cache (`access_of` knows the
    tests). Bar cells that the clock spoils: `Cells.of_values(values, barred=[NoVerdict.CLOCK, …])`.
Showing
    `digits` and `to_places` decide how many digits a figure deserves; `sentences` says warnings and reasons in words.

`scipy.stats` takes half the time that a process of ours needs to start, and few need it: written `scipy.stats.x` after
`import scipy`, SciPy imports it at its first use.

Missing figures are NaN in columns and None in rows. Warnings are `StatisticsWarning` data beside the figures.
Formulas, references and assumptions: docs/statistics.md. `STATISTICS_VERSION` is stored with every summary.
"""

from __future__ import annotations

from benchdb.stats.comparing.baseline import compare
from benchdb.stats.comparing.best import BestSet, NoBest, best_set, best_sets
from benchdb.stats.comparing.cells import Cells
from benchdb.stats.comparing.geometric import GeometricMeans, geometric_mean
from benchdb.stats.comparing.multiple import Correction
from benchdb.stats.comparing.rows import ComparisonRow, Comparisons, Method
from benchdb.stats.comparing.several_runs import SeveralRuns, several_runs
from benchdb.stats.comparing.verdict import NoVerdict, Verdict
from benchdb.stats.summary.descriptive import summarise, summarise_moments
from benchdb.stats.summary.rows import Summaries, SummaryRow
from benchdb.stats.trust.access import Access, access_of
from benchdb.stats.trust.cache import CacheFacts, CacheJudgement, CacheReason, CacheVerdict, cache_verdict
from benchdb.stats.trust.clock import (
    ClockJudgement,
    ClockVerdict,
    clock_verdicts,
    elapsed_from_throughput,
)

from .arrays import matrix, optional
from .rounding import digits, to_places
from .sentences import cache_sentence, clock_sentence, reason_sentence, warning_sentence
from .version import STATISTICS_VERSION
from .warning import StatisticsWarning, WarningCode

__all__ = [
    "STATISTICS_VERSION",
    "Access",
    "BestSet",
    "CacheFacts",
    "CacheJudgement",
    "CacheReason",
    "CacheVerdict",
    "Cells",
    "ClockJudgement",
    "ClockVerdict",
    "ComparisonRow",
    "Comparisons",
    "Correction",
    "GeometricMeans",
    "Method",
    "NoBest",
    "NoVerdict",
    "SeveralRuns",
    "StatisticsWarning",
    "Summaries",
    "SummaryRow",
    "Verdict",
    "WarningCode",
    "access_of",
    "best_set",
    "best_sets",
    "cache_sentence",
    "cache_verdict",
    "clock_sentence",
    "clock_verdicts",
    "compare",
    "digits",
    "elapsed_from_throughput",
    "geometric_mean",
    "matrix",
    "optional",
    "reason_sentence",
    "several_runs",
    "summarise",
    "summarise_moments",
    "to_places",
    "warning_sentence",
]

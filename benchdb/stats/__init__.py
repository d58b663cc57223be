"""The statistics of BenchDB: NumPy and SciPy, nothing of Django or of the rest of BenchDB.

One result
    `summarise` (values, (R, n) with NaN for failed rounds) and `summarise_moments` (published mean, sd, n) return
    `Summaries`: columns, and `rows()` for storing. `matrix` builds the array from rows of unequal length.
A table
    `compare` compares `Cells` with baseline `Cells` and returns `Comparisons` with ratio, interval, p and `Verdict`;
    `best_sets` finds the best cell or the tie for best of each row. `geometric_mean` combines many ratios into one,
    and `random_effects` the ratios on several machines.
    `several_runs` computes the figures of cells with several runs.
Trust
    `clock_verdicts` and `elapsed_from_throughput` judge the clock, `cache_verdict` the cache (`access_of` classifies
    the tests, `direct_access` and `compresses` the file systems); `faster_reads` finds contradictions inside a run. Bar
    cells with too coarse a clock: `Cells.of_values(values, barred=[NoVerdict.CLOCK, …])`.
Text
    `digits` and `to_places` choose the number of digits of a figure; `sentences` has the texts of warnings and reasons.

`scipy.special` takes a fifth of a second to import, and few processes need it. Write `scipy.special.x` after `import
scipy`: SciPy then imports the module at its first use. `scipy.stats` is not used: it takes another second and 49 MB.

Missing figures are NaN in columns and None in rows. Warnings are `StatisticsWarning` data beside the figures.
Formulas, references and assumptions: docs/statistics.md. `STATISTICS_VERSION` is stored with every summary.
"""

from __future__ import annotations

from benchdb.stats.comparing.baseline import compare
from benchdb.stats.comparing.best_cells import BestSet, NoBest, best_sets
from benchdb.stats.comparing.cells import Cells
from benchdb.stats.comparing.comparisons import ComparisonRow, Comparisons, Method
from benchdb.stats.comparing.geometric_means import (
    GeometricMeans,
    MeanVerdicts,
    geometric_mean,
    judge_means,
    part_it_rests_on,
    rounds_for_means,
)
from benchdb.stats.comparing.multiple_testing import Correction
from benchdb.stats.comparing.paired import NO_BLOCK
from benchdb.stats.comparing.random_effects import RandomEffects, random_effects
from benchdb.stats.comparing.robustness import NONE
from benchdb.stats.comparing.several_runs import SeveralRuns, several_runs
from benchdb.stats.comparing.verdict import NoVerdict, Verdict
from benchdb.stats.summary.descriptive import summarise, summarise_moments
from benchdb.stats.summary.summaries import Summaries, SummaryRow
from benchdb.stats.trust.access import WRITES, Access, access_of
from benchdb.stats.trust.cache import CacheFacts, CacheJudgement, CacheReason, CacheVerdict, cache_verdict
from benchdb.stats.trust.clock import (
    ClockJudgement,
    ClockVerdict,
    clock_verdicts,
    elapsed_from_throughput,
)
from benchdb.stats.trust.consistency import FasterReads, faster_reads
from benchdb.stats.trust.direct import Direct, compresses, direct_access

from .arrays import matrix, optional
from .rounding import digits, to_places
from .sentences import cache_sentence, clock_sentence, too_few_sentence, warning_sentence
from .version import STATISTICS_VERSION
from .warning import StatisticsWarning, WarningCode

__all__ = [
    "NONE",
    "NO_BLOCK",
    "STATISTICS_VERSION",
    "WRITES",
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
    "Direct",
    "FasterReads",
    "GeometricMeans",
    "MeanVerdicts",
    "Method",
    "NoBest",
    "NoVerdict",
    "RandomEffects",
    "SeveralRuns",
    "StatisticsWarning",
    "Summaries",
    "SummaryRow",
    "Verdict",
    "WarningCode",
    "access_of",
    "best_sets",
    "cache_sentence",
    "cache_verdict",
    "clock_sentence",
    "clock_verdicts",
    "compare",
    "compresses",
    "digits",
    "direct_access",
    "elapsed_from_throughput",
    "faster_reads",
    "geometric_mean",
    "judge_means",
    "matrix",
    "optional",
    "part_it_rests_on",
    "random_effects",
    "rounds_for_means",
    "several_runs",
    "summarise",
    "summarise_moments",
    "to_places",
    "too_few_sentence",
    "warning_sentence",
]

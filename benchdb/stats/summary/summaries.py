"""The data of a summary: columns for computing, rows for storing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from benchdb.stats.arrays import BoolArray, FloatArray, IntArray, optional
from benchdb.stats.intervals import Interval
from benchdb.stats.version import STATISTICS_VERSION
from benchdb.stats.warning import StatisticsWarning

from .autocorrelation import Autocorrelation
from .drift import Drift
from .modes import Modes


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """One result's summary in plain Python, in the units of the values; None for figures that do not exist.

    n is 0 if nothing was measured, or if a publication gives a mean without n. `outliers` are indices of rounds,
    counted from 0. Definitions of the figures: docs/statistics.md.
    """

    n: int
    mean: float | None
    sd: float | None
    cv: float | None
    median: float | None
    minimum: float | None
    maximum: float | None
    mean_low: float | None
    mean_high: float | None
    median_low: float | None
    median_high: float | None
    drift_tau: float | None
    drift_p: float | None
    drift_change: float | None
    autocorrelation: float | None
    autocorrelation_p: float | None
    modes_p: float | None
    outliers: tuple[int, ...]
    warnings: tuple[StatisticsWarning, ...]


@dataclass(frozen=True)
class Summaries:
    """Columns of length R in the order of the results; `outliers` is (R, n). NaN for figures that do not exist."""

    n: IntArray
    mean: FloatArray
    sd: FloatArray
    cv: FloatArray
    median: FloatArray
    minimum: FloatArray
    maximum: FloatArray
    mean_interval: Interval
    median_interval: Interval
    drift: Drift
    autocorrelation: Autocorrelation
    modes: Modes
    outliers: BoolArray
    warnings: tuple[tuple[StatisticsWarning, ...], ...] = ()
    version: int = STATISTICS_VERSION

    def __len__(self) -> int:
        return len(self.n)

    @property
    def figures(self) -> dict[str, FloatArray]:
        """All figures that are floats, by their names in `SummaryRow`."""
        names = ("mean", "sd", "cv", "median", "minimum", "maximum")
        return {
            **{name: getattr(self, name) for name in names},
            **dict(zip(("mean_low", "mean_high"), self.mean_interval, strict=True)),
            **dict(zip(("median_low", "median_high"), self.median_interval, strict=True)),
            **dict(zip(("drift_tau", "drift_p", "drift_change"), self.drift, strict=True)),
            **dict(zip(("autocorrelation", "autocorrelation_p"), self.autocorrelation, strict=True)),
            "modes_p": self.modes.p,
        }

    def rows(self) -> Iterator[SummaryRow]:
        """One `SummaryRow` per result, in order."""
        flagged = (tuple(flags.nonzero()[0].tolist()) for flags in self.outliers)
        for row in zip(self.n.tolist(), *map(optional, self.figures.values()), flagged, self.warnings, strict=True):
            yield SummaryRow(*row)

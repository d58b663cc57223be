"""The content of a trend (schema `benchdb.trend/1`), read by pages, exports and permalinks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from benchdb.compare.content import ChangedFact, Content, Measure, Placed
from benchdb.runs.cells.cell import Cell

SCHEMA = "benchdb.trend/1"


@dataclass(frozen=True, slots=True)
class TrendChange:
    """What changed between run `at` and the run before it, also as text."""

    at: int
    items: list[ChangedFact]
    text: str


@dataclass(frozen=True, slots=True)
class TrendPoint:
    """A change point: from run `at` on the level is `ratio` times the one before, with its 95 % interval.

    `certain` if it also holds for dependent days, and however often the history is looked at. `kind` is then better or
    worse, otherwise inconclusive. `change` is the ratio in words. `near` are the indices of the nearest changes. Of a
    drift, `drift` are its first and its last run, and `ratio` is its whole change.
    """

    at: int
    ratio: float
    low: float
    high: float
    p: float
    p_adjusted: float
    certain: bool
    kind: str
    change: str
    near: list[int]
    text: str
    drift: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class TrendSegment:
    """Runs `first` to `last` with one level in base units and its 95 % interval; `text` has the shown unit."""

    first: int
    last: int
    level: float
    low: float
    high: float
    text: str


@dataclass(frozen=True, slots=True)
class OtherRuns:
    """The number of runs of the file system that differ in just these settings."""

    names: list[str]
    label: str
    runs: int


@dataclass(frozen=True, slots=True)
class TrendSeries:
    """A line of the chart: `cells[i]` belongs to the run `runs[i]`, and all indices are those of `runs`.

    `noise` is the variation from day to day as a share of the level, `days` the number of days with a figure.
    `correlation` is that of successive days, None unless it is proven. `unsearched` is the reason why nobody looked for
    change points.
    """

    label: str
    runs: list[str]
    cells: list[Cell]
    changes: list[TrendChange]
    change_points: list[TrendPoint]
    segments: list[TrendSegment]
    outliers: list[int]
    noise: float | None
    days: int
    correlation: float | None
    unsearched: str | None
    others: list[OtherRuns]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrendContent(Content):
    """One result of one workload on one machine, by time or by kernel; `older` is the id of its first run if there are
    runs before it."""

    by: str
    test: str
    label: str
    metric: str
    metric_label: str
    higher_is_better: bool
    unit: str
    base_unit: str
    per: float
    series: list[TrendSeries]
    older: str | None

    @property
    def measure(self) -> Measure:
        """The measure of all cells."""
        return Measure(self.metric, self.unit, self.base_unit, self.per, self.higher_is_better)


def cells(content: TrendContent) -> Iterator[Placed]:
    """Every cell, by series and run: split is the file system, row the start of the run, column the test."""
    measure, started = content.measure, {line.id: line.started_at for line in content.run_list}
    for s, series in enumerate(content.series):
        for r, (run, cell) in enumerate(zip(series.runs, series.cells, strict=True)):
            yield Placed(f"{s}-{r}-0", series.label, started[run], content.label, cell, measure)

"""The suspected changes in a trend. Pure functions of its content."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

import numpy as np

from benchdb.compare.trend.content import TrendContent, TrendSeries
from benchdb.compare.trend.history import UNCERTAIN
from benchdb.stats.change_points import SMALLEST_SEGMENT
from benchdb.stats.days import days_of
from benchdb.wording.times import earliest


@dataclass(frozen=True, slots=True)
class Suspect:
    """A change point: `run` is the first run after it, `before` the last one of the level before it.

    `near` are the runs whose days are so close that a change point there is the same change.
    """

    run: UUID
    before: UUID
    near: frozenset[UUID]
    kind: str
    ratio: float
    change: str
    certain: bool


def suspects_in(content: TrendContent) -> list[Suspect]:
    """All change points of all lines, certain or not."""
    started = {line.id: earliest(line.started_at).timestamp() for line in content.run_list}
    return [
        _suspect(content, series, i, [started[run] for run in series.runs])
        for series in content.series
        for i in range(len(series.change_points))
    ]


def _suspect(content: TrendContent, series: TrendSeries, i: int, started: list[float]) -> Suspect:
    point = series.change_points[i]
    text = point.text.removesuffix(UNCERTAIN)
    return Suspect(
        run=UUID(series.runs[point.at]),
        before=UUID(series.runs[series.segments[i].last]),
        near=_near(series, point.at, started),
        kind="better" if (point.ratio > 1) == content.higher_is_better else "worse",
        ratio=point.ratio,
        change=f"{series.label}: {text}" if len(content.series) > 1 else text,
        certain=point.certain,
    )


def _near(series: TrendSeries, at: int, started: list[float]) -> frozenset[UUID]:
    """The runs of fewer than SMALLEST_SEGMENT days away, counting only days with runs."""
    _, day = np.unique(days_of(started), return_inverse=True)
    close = np.flatnonzero(np.abs(day - day[at]) < SMALLEST_SEGMENT)
    return frozenset(UUID(series.runs[index]) for index in close)


def level_before(content: TrendContent, before: UUID) -> list[float]:
    """The figures of the days in the level that ends with the run `before`; empty if the trend lacks this run."""
    name = str(before)
    for series in content.series:
        if name in series.runs:
            at = series.runs.index(name)
            first = max((segment.first for segment in series.segments if segment.first <= at), default=0)
            return _by_day(content, series, [i for i in range(first, at + 1) if i not in series.outliers])
    return []


def _by_day(content: TrendContent, series: TrendSeries, indices: list[int]) -> list[float]:
    """The geometric mean of the runs of each day, for runs with a figure."""
    started = {line.id: earliest(line.started_at).timestamp() for line in content.run_list}
    with_mean = [(started[series.runs[i]], mean) for i in indices if (mean := series.cells[i].mean) and mean > 0]
    if not with_mean:
        return []
    times, means = zip(*with_mean, strict=True)
    _, day = np.unique(days_of(times), return_inverse=True)
    sums, counts = np.bincount(day, weights=np.log(means)), np.bincount(day)
    levels: list[float] = np.exp(sums / counts).tolist()
    return levels

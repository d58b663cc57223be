"""Removes the figures of deleted runs from the content of a trend. Pure functions."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from .content import TrendContent, TrendSeries

UNSEARCHED = "A run of this history was deleted, and with it went the change points, which had rested on all runs."


def without_runs(content: TrendContent, deleted: Collection[str]) -> TrendContent | None:
    """The trend without the runs in `deleted` (their ids); None if no run is left.

    A series with a deleted run loses everything that was computed from all of its runs.
    """
    left = [series for series in (_without(series, deleted) for series in content.series) if series.runs]
    if not left:
        return None
    return replace(content, series=left, older=None if content.older in deleted else content.older)


def _without(series: TrendSeries, deleted: Collection[str]) -> TrendSeries:
    left = [i for i, run in enumerate(series.runs) if run not in deleted]
    if len(left) == len(series.runs):
        return series
    new_index = {old: new for new, old in enumerate(left)}
    return replace(
        series,
        runs=[series.runs[i] for i in left],
        cells=[series.cells[i] for i in left],
        # A change from one run to the next is kept if both runs are left.
        changes=[
            replace(change, at=new_index[change.at])
            for change in series.changes
            if change.at in new_index and change.at - 1 in new_index
        ],
        change_points=[],
        segments=[],
        outliers=[],
        noise=None,
        days=0,
        correlation=None,
        unsearched=UNSEARCHED,
    )

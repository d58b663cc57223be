"""Trends as a kind of comparison."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from uuid import UUID

from django.http import QueryDict

from benchdb.compare.kind import ComparisonKind, MadePage, PageOptions
from benchdb.compare.page_parts.actions import live_parts
from benchdb.compare.page_parts.menus import settle
from benchdb.compare.query.visible import readable_beside, visible_runs
from benchdb.http.requests import Reader
from benchdb.runs.models import RunQuerySet
from benchdb.wording.times import say_start

from .content import TrendContent, TrendSeries, cells
from .evaluate import evaluate_trend
from .page import DEPENDENT, choices_form, live_trend, trend_page
from .selection import TrendSelection


def _live(query: QueryDict, reader: Reader) -> MadePage:
    content, menus = evaluate_trend(TrendSelection.from_query(query), reader)
    live, of_trend = live_parts(content, choices_form(content, menus)), live_trend(content)
    parts = (trend_page(content, PageOptions()), of_trend, live)
    return MadePage("compare/trend.html", parts, content, watch=str(of_trend["watch"]))


def _reads(query: QueryDict, reader: Reader) -> RunQuerySet:
    selection = TrendSelection.from_query(query)
    return readable_beside(selection.run, selection.machine, reader)


def _evaluate_visible(query: str, runs: Sequence[UUID], reader: Reader) -> tuple[TrendContent, int]:
    """The trend of its run; if the reader may not see this run, that of the newest run of the permalink."""
    selection = TrendSelection.parse(query)
    visible = visible_runs(runs, reader)
    origin = selection.run if selection.run in visible else max(visible)
    content, _ = evaluate_trend(selection.replace(run=origin), reader)
    return content, len(runs) - len(visible)


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


TREND = ComparisonKind(
    name="trend",
    content=TrendContent,
    path="trend",
    live=_live,
    settled=lambda query: settle(query, DEPENDENT),
    evaluate=lambda query, reader: evaluate_trend(TrendSelection.from_query(query), reader)[0],
    reads=_reads,
    evaluate_visible=_evaluate_visible,
    cells=cells,
    without_runs=without_runs,
    page=trend_page,
    body="compare/trend_body.html",
    embedded="compare/trend_body.html",
    say_row=say_start,
)

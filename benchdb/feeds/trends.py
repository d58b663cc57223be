"""The feed of a trend: its established change points, found anew at each request."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlencode
from uuid import UUID, uuid5

from django.contrib.auth.models import AnonymousUser
from django.http import QueryDict
from django.urls import reverse

from benchdb.compare.trend.content import TrendContent, TrendPoint, TrendSeries
from benchdb.compare.trend.evaluate import evaluate_trend
from benchdb.compare.trend.selection import TrendSelection
from benchdb.wording.times import earliest

from .atom import PAGE, Entry, FeedPage

# What changes in an address while the trend stays the same.
NOT_OF_TREND = ("run", "machine", "tool", "unit", "before")


def trend_feed(query: QueryDict) -> FeedPage:
    """The newest change points of the trend that everybody sees. Raises ImpossibleSelection."""
    selection = TrendSelection.from_query(query)
    content, _ = evaluate_trend(selection, AnonymousUser())
    address = f"{reverse('trend-feed')}?{selection.query()}"
    entries = sorted(_entries(content), key=lambda entry: entry.updated, reverse=True)
    return FeedPage(
        title=f"Changes: {content.title}",
        page=f"{reverse('trend')}?{selection.query()}",
        first=address,
        here=address,
        following="",
        entries=entries[:PAGE],
    )


def _entries(content: TrendContent) -> Iterator[Entry]:
    started = {line.id: line.started_at for line in content.run_list}
    for series in content.series:
        for point in series.change_points:
            if point.certain:
                yield _entry(content, series, point, started[series.runs[point.at]])


def _entry(content: TrendContent, series: TrendSeries, point: TrendPoint, started: str) -> Entry:
    """A change point; its time is the start of the first run after it."""
    run, time = UUID(series.runs[point.at]), earliest(started)
    return Entry(
        id=uuid5(run, _identity(content, series)).urn,
        title=f"{content.label} · {series.label}: {point.text}",
        path=f"{reverse('trend')}?{content.query}",
        published=time,
        updated=time,
        lines=[content.subtitle],
        categories=[point.kind],
    )


def _identity(content: TrendContent, series: TrendSeries) -> str:
    """The trend and its line, however the address names the workload and the unit."""
    pairs = TrendSelection.parse(content.query).pairs()
    kept = [(name, value) for name, value in pairs if name not in (*NOT_OF_TREND, "file_system")]
    return urlencode([*sorted(kept), ("file_system", series.label)])

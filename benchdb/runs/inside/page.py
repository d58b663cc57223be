"""The page inside a run: one round, chosen by a link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from benchdb.runs.models import Run
from benchdb.runs.page.run_title import RunTitle, title_of
from benchdb.runs.queries import measured
from benchdb.runs.store.round_series import ReadSeries, rounds_with_series, series_of_round
from benchdb.wording.numbers import say_duration

from .chart import TimeAxis, TimeChart, chart, time_axis
from .panels import panels_of
from .settled import sentences

MOST_LINKS = 100  # to rounds


@dataclass(frozen=True, slots=True)
class RoundLink:
    """A link to a round, counted from 1."""

    number: int
    href: str
    current: bool


@dataclass(frozen=True, slots=True)
class InsidePage:
    """The context of runs/inside.html. `quiet` are the headings of panels in which nothing happened,
    `settled` are sentences about the tool's own series.

    `step` and `length` of the round are in words; `median` if the round is the one that is shown without a choice.
    """

    run: Run
    title: RunTitle
    number: int
    median: bool
    rounds: Sequence[RoundLink]
    more: int
    axis: TimeAxis | None
    charts: Sequence[TimeChart]
    quiet: Sequence[str]
    settled: Sequence[str]
    length: str
    step: str
    csv: str
    json: str
    section: str = "runs"


def inside_page(run: Run, chosen: int | None) -> InsidePage | None:
    """The page of round `chosen`, counted from 1, or of the median round; None if there is no such round."""
    rounds = rounds_with_series(run.pk)
    if chosen is not None and chosen - 1 not in rounds:
        return None
    number = chosen - 1 if chosen is not None else _median(run, rounds) if rounds else 0
    series = series_of_round(run.pk, number) if rounds else []
    axis = time_axis(series) if series else None
    panels = panels_of(series)
    return InsidePage(
        run=run,
        title=title_of(run),
        number=number + 1,
        median=chosen is None,
        rounds=[RoundLink(each + 1, _address(run, each + 1), each == number) for each in rounds[:MOST_LINKS]],
        more=max(0, len(rounds) - MOST_LINKS),
        axis=axis,
        charts=[chart(panel, axis) for panel in panels if axis is not None and not panel.is_empty],
        quiet=[panel.kind.heading for panel in panels if panel.is_empty],
        settled=sentences(series),
        length=say_duration(axis.end) if axis else "",
        step=_steps(series),
        csv=f"{reverse('run-inside-data', args=[run.id])}?{urlencode({'round': number + 1})}",
        json=f"{reverse('api-1:get_series', args=[str(run.id)])}?{urlencode({'round': number})}",
    )


def _address(run: Run, number: int) -> str:
    return f"{reverse('run-inside', args=[run.id])}?{urlencode({'round': number})}"


def _median(run: Run, rounds: Sequence[int]) -> int:
    """The round whose elapsed time is the median of those with series; the middle one if times are unknown."""
    elapsed = _elapsed(run)
    known = sorted((elapsed[number], number) for number in rounds if number in elapsed)
    return known[len(known) // 2][1] if known else rounds[len(rounds) // 2]


def _elapsed(run: Run) -> Mapping[int, float]:
    """The elapsed time of the tool by round, in seconds."""
    for result in measured([run.pk], {"test": ["run"], "metric": ["elapsed"]}):
        return {number: value for number, value in enumerate(result.values or ()) if value is not None}
    return {}


def _steps(series: Sequence[ReadSeries]) -> str:
    return say_duration(min(each.step for each in series)) if series else ""

"""The history of one series: its change points in words, and the changes of the environment from run to run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from benchagent.formats.vocabulary import METRICS, test_label
from benchdb.compare.content import ChangedFact
from benchdb.compare.guard import changed, changes
from benchdb.compare.verdicts.pairs import stack
from benchdb.runs.cells.cell import Cell
from benchdb.runs.models import Run
from benchdb.stats.change_points import (
    SMALLEST_SERIES,
    ChangePoint,
    History,
    NoHistory,
    Segment,
    change_points,
)
from benchdb.stats.days import days_of
from benchdb.wording.changes import effect_in_words
from benchdb.wording.numbers import plural, say_mean_and_sd
from benchdb.wording.units import UNITS
from benchdb.wording.words import metric_label

from .content import TrendChange, TrendPoint, TrendSegment
from .selection import TrendSelection

# The position of a change point is uncertain by about two runs, so a change at this distance may be its cause.
LARGEST_DISTANCE = 2
MOST_LISTED = 3
UNCERTAIN = (
    " Not certain yet: a history that is looked at after each run shows such a change by chance. Wait for more days."
)
# Facts that differ from run to run without a change of the machine; the page of the run shows them.
PASSING = {"disturbances", "load", "ended_by", "files", "extents", "free_fragments"}


@dataclass(frozen=True)
class SeriesHistory:
    """The changes of the environment and the change points of a series; the fields are those of `TrendSeries`."""

    changes: list[TrendChange]
    change_points: list[TrendPoint]
    segments: list[TrendSegment]
    outliers: list[int]
    noise: float | None
    days: int
    correlation: float | None
    unsearched: str | None


def history(selection: TrendSelection, runs: Sequence[Run], cells: Sequence[Cell]) -> SeriesHistory:
    """The history of a series. A run whose clock was too coarse for a verdict is skipped, like one without a figure."""
    figures = stack(cells)
    means = np.where([reason is None for reason in figures.barred], figures.mean, np.nan)
    days = days_of([run.started_at.timestamp() for run in runs])
    searched = change_points(means, figures.sd, figures.n, days)
    events = _events(runs)
    return SeriesHistory(
        changes=events,
        change_points=[_point(selection, point, runs, events) for point in searched.points],
        segments=[_segment(selection, segment) for segment in searched.segments],
        outliers=list(searched.outliers),
        noise=searched.noise,
        days=searched.days,
        correlation=searched.correlation if searched.dependent else None,
        unsearched=_unsearched(searched),
    )


def _events(runs: Sequence[Run]) -> list[TrendChange]:
    """The changes before each run according to the guard."""
    events = []
    for at in changed(runs, PASSING):
        items = [item for item in changes(runs[at - 1], runs[at]) if item.name not in PASSING]
        if items:
            events.append(TrendChange(at, items, _say_changes(items)))
    return events


def _unsearched(searched: History) -> str | None:
    sentences = {
        NoHistory.TOO_FEW: (
            f"Too few runs to look for change points: it takes {SMALLEST_SERIES} with a figure that can be used."
        ),
        NoHistory.TOO_FEW_DAYS: (
            f"Too few days to look for change points: runs of one day count once, and it takes {SMALLEST_SERIES} days."
        ),
        NoHistory.NOT_POSITIVE: "Not searched for change points: a figure is 0 or less and has no logarithm.",
    }
    return sentences[searched.reason] if searched.reason else None


def _point(
    selection: TrendSelection, point: ChangePoint, runs: Sequence[Run], events: Sequence[TrendChange]
) -> TrendPoint:
    """The change point with its sentence; `near` are the indices in `changes` of the nearest changes."""
    better = (point.ratio > 1) == METRICS[selection.metric].higher_is_better
    kind = "better" if better else "worse"
    near = [] if point.drift else _near(point.at, events)
    quantity = f"{metric_label(selection.metric)} of {test_label(selection.test).lower()}"
    words = effect_in_words(selection.metric, point.ratio, point.low, point.high)
    change = f"{words.change} (95 % interval {words.interval})"
    if point.drift:
        first, last = (runs[at].started_at for at in point.drift)
        days = (last.date() - first.date()).days
        length = plural(days, "day") if days else plural(point.drift[1] - point.drift[0] + 1, "run")
        text = f"{quantity} drifts: {change} over {length}, from {first:%-d %b %Y} to {last:%-d %b %Y}."
    else:
        text = f"{quantity}: {change} from {_when(selection, runs, point.at)} on{_reason(point.at, near)}"
    return TrendPoint(
        **asdict(point),
        kind=kind if point.certain else "inconclusive",
        change=words.change,
        near=[events.index(event) for event in near],
        text=text[:1].upper() + text[1:] + ("" if point.certain else UNCERTAIN),
    )


def _near(at: int, events: Sequence[TrendChange]) -> list[TrendChange]:
    """The nearest events, on one or both sides; none if all are more than LARGEST_DISTANCE runs away."""
    distance = min((abs(event.at - at) for event in events), default=LARGEST_DISTANCE + 1)
    return [event for event in events if abs(event.at - at) == distance] if distance <= LARGEST_DISTANCE else []


def _reason(at: int, near: Sequence[TrendChange]) -> str:
    """The nearby changes as the end of a sentence; they need not be the cause."""
    if not near:
        return "; no recorded change there."
    if near[0].at == at:
        return f"; changed there: {near[0].text}."
    texts = []
    for event in near:
        distance = event.at - at
        runs = f"{abs(distance)} run{'s' if abs(distance) > 1 else ''} {'later' if distance > 0 else 'earlier'}"
        texts.append(f"{runs} {event.text}")
    return f"; {'; '.join(texts)}."


def _when(selection: TrendSelection, runs: Sequence[Run], at: int) -> str:
    """`20 Nov 2026`, with the time if the run before is of that day; by kernel `kernel 6.1.0-31`, with the date if
    earlier runs have the same kernel."""
    start, kernel = runs[at].started_at, runs[at].environment.kernel_release or "unknown"
    date = f"{start:%-d %b %Y}" + (f", {start:%H:%M} UTC" if runs[at - 1].started_at.date() == start.date() else "")
    if selection.by == "time":
        return date
    before = runs[at - 1].environment.kernel_release or "unknown"
    return f"kernel {kernel}" if before != kernel else f"kernel {kernel}, run of {date},"


def _say_changes(items: Sequence[ChangedFact]) -> str:
    """`kernel 6.1.0-30 → 6.1.0-31; read-ahead 128 KiB → 2 MiB; 3 more`: the first and strongest changes."""
    texts = [f"{item.label} {item.before} → {item.after}" for item in items[:MOST_LISTED]]
    return "; ".join([*texts, f"{len(items) - MOST_LISTED} more"] if len(items) > MOST_LISTED else texts)


def _segment(selection: TrendSelection, segment: Segment) -> TrendSegment:
    """The level with its interval in base units, and as text in the shown unit with the digits that are significant."""
    half = (segment.high - segment.low) / 2
    text = say_mean_and_sd(segment.level, half / 2, None, UNITS[selection.unit])["mean"]
    return TrendSegment(**asdict(segment), text=text)

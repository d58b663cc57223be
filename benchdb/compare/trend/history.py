"""The history of one series: its change points in words, and what changed in the environment from run to run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from benchagent.formats.vocabulary import METRICS, test_label
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
from benchdb.wording.numbers import say_change, say_mean_and_sd
from benchdb.wording.units import UNITS
from benchdb.wording.words import metric_label

from .selection import TrendSelection

NEAR = 2  # a change point is known to about two runs, so what changed so near may be its cause
MOST_SAID = 3
# What is another each time, whatever anybody does: no change of the machine, and in the table of the run itself.
PASSING = {"disturbances", "load", "ended_by", "files", "extents", "free_fragments"}

ChangedSetting = Mapping[str, Any]


def history(selection: TrendSelection, runs: Sequence[Run], cells: Sequence[Cell]) -> dict[str, Any]:
    """`changes`, `change_points`, `segments`, `outliers`, `noise` and `unsearched`, the reason where it has one.

    Indices are those of `runs`. A run whose clock was too coarse for a verdict is passed over, as one without a figure.
    """
    figures = stack(cells)
    means = np.where([reason is None for reason in figures.barred], figures.mean, np.nan)
    found = change_points(means, figures.sd, figures.n)
    events = _events(runs)
    return {
        "changes": events,
        "change_points": [_point(selection, point, runs, events) for point in found.points],
        "segments": [_segment(selection, segment) for segment in found.segments],
        "outliers": list(found.outliers),
        "noise": found.noise,
        "unsearched": _unsearched(found),
    }


def _events(runs: Sequence[Run]) -> list[dict[str, Any]]:
    """`[{"at", "items", "text"}]`: what changed before run `at`, as the guard has it."""
    found = []
    for at in changed(runs, PASSING):
        items = [item for item in changes(runs[at - 1], runs[at]) if item["name"] not in PASSING]
        if items:
            found.append({"at": at, "items": items, "text": _said(items)})
    return found


def _unsearched(found: History) -> str | None:
    sentences = {
        NoHistory.TOO_FEW: (
            f"Too few runs to look for change points: it takes {SMALLEST_SERIES} with a figure that can be used."
        ),
        NoHistory.NOT_POSITIVE: "Not searched for change points: a figure is 0 or less and has no logarithm.",
    }
    return sentences[found.reason] if found.reason else None


def _point(
    selection: TrendSelection, point: ChangePoint, runs: Sequence[Run], events: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """The change point with its sentence; `near` are the places in `changes` of what changed nearest to it."""
    better = (point.ratio > 1) == METRICS[selection.metric].higher_is_better
    near = _near(point.at, events)
    quantity = f"{metric_label(selection.metric)} of {test_label(selection.test).lower()}"
    between = f"95 % interval {say_change(point.low)} to {say_change(point.high)}"
    text = f"{quantity} {say_change(point.ratio)} ({between}) from {_when(selection, runs, point.at)} on"
    return {
        **asdict(point),
        "kind": "better" if better else "worse",
        "change": say_change(point.ratio),
        "near": [events.index(event) for event in near],
        "text": text[:1].upper() + text[1:] + _reason(point.at, near),
    }


def _near(at: int, events: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those at the least distance, of one side or of both; none where nothing changed within NEAR runs."""
    distance = min((abs(event["at"] - at) for event in events), default=NEAR + 1)
    return [event for event in events if abs(event["at"] - at) == distance] if distance <= NEAR else []


def _reason(at: int, near: Sequence[dict[str, Any]]) -> str:
    """What changed, which need not be the cause."""
    if not near:
        return "; nothing that BenchDB knows of changed there."
    if near[0]["at"] == at:
        return f"; changed there: {near[0]['text']}."
    said = []
    for event in near:
        distance = event["at"] - at
        runs = f"{abs(distance)} run{'s' if abs(distance) > 1 else ''} {'later' if distance > 0 else 'earlier'}"
        said.append(f"{runs} {event['text']}")
    return f"; {'; '.join(said)}."


def _when(selection: TrendSelection, runs: Sequence[Run], at: int) -> str:
    """`20 Nov 2026`; by kernel `kernel 6.1.0-31`, and with the date where the kernel began before."""
    date, kernel = f"{runs[at].started_at:%-d %b %Y}", runs[at].environment.kernel_release or "unknown"
    if selection.by == "time":
        return date
    before = runs[at - 1].environment.kernel_release or "unknown"
    return f"kernel {kernel}" if before != kernel else f"kernel {kernel}, run of {date},"


def _said(items: Sequence[ChangedSetting]) -> str:
    """`kernel 6.1.0-30 → 6.1.0-31; read-ahead 128 KiB → 2 MiB; 3 more`: the strongest, which come first."""
    said = [f"{item['label']} {item['before']} → {item['after']}" for item in items[:MOST_SAID]]
    return "; ".join([*said, f"{len(items) - MOST_SAID} more"] if len(items) > MOST_SAID else said)


def _segment(selection: TrendSelection, segment: Segment) -> dict[str, Any]:
    """The level with its interval, in base units, and as text in the shown unit, as many digits as it deserves."""
    half = (segment.high - segment.low) / 2
    text = say_mean_and_sd(segment.level, half / 2, None, UNITS[selection.unit])["mean"]
    return {**asdict(segment), "text": text}

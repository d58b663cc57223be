"""The two lines about all runs together: when they were measured, and what is not known everywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import accumulate, pairwise
from typing import Any

from benchdb.runs.models import Run

from .fact import GuardedColumn

APART = timedelta(days=1)
MOST_LABELS = 6
# What not every file system can tell.
QUIET = {"files", "extents", "free_fragments"}


def days_apart(runs: Sequence[Run], where: Sequence[str]) -> list[dict[str, Any]]:
    """When the runs began, where some labels' runs all lie more than a day after the others': more may have changed."""
    times: dict[str, list[datetime]] = {}
    for run, place in zip(runs, where, strict=True):
        times.setdefault(place, []).append(run.started_at)
    spans = sorted((min(own), max(own), place) for place, own in times.items())
    ends = accumulate((end for _, end, _ in spans), max)
    if not any(after[0] - end > APART for end, (_, after) in zip(ends, pairwise(spans), strict=False)):
        return []
    listed: dict[str, list[str]] = {}
    for first, last, place in spans:
        listed.setdefault(_dates(first, last), []).append(place)
    return [_line("started", "measured on", listed)]


def not_known(columns: Sequence[GuardedColumn], where: Sequence[str]) -> list[dict[str, Any]]:
    """What is known of some runs and not of others: whether it differs nobody can say."""
    missing: dict[str, list[str]] = {}
    for column in columns:
        if column.known and not column.differs and column.name not in QUIET:
            for place in dict.fromkeys(p for p, value in zip(where, column.values, strict=True) if value is None):
                missing.setdefault(place, []).append(column.label)
    listed: dict[str, list[str]] = {}
    for place, labels in missing.items():
        more = f" and {len(labels) - MOST_LABELS} more" if len(labels) > MOST_LABELS else ""
        listed.setdefault(", ".join(labels[:MOST_LABELS]) + more, []).append(place)
    return [_line("unknown", "not known", listed)] if listed else []


def _line(name: str, label: str, listed: Mapping[str, list[str]]) -> dict[str, Any]:
    values = [{"value": text, "where": places} for text, places in listed.items()]
    return {"name": name, "label": label, "severe": False, "values": values, "inside": []}


def _dates(first: datetime, last: datetime) -> str:
    """`20 Nov 2026`, `20 Nov 2026 to 3 Dec 2026` (UTC)."""
    return " to ".join(dict.fromkeys(f"{time.day} {time:%b %Y}" for time in (first, last)))

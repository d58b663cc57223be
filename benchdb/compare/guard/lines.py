"""The two lines about all runs together: the dates of measurement, and the facts that are unknown for some runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import accumulate, pairwise

from benchdb.compare.content import Difference, DifferentValue
from benchdb.facts.guarding import Column
from benchdb.runs.models import Run, Source, source_of
from benchdb.wording.times import known_start, say_start

LONGEST_GAP = timedelta(days=1)
MOST_LABELS = 6
# Facts that not every file system has.
QUIET = {"files", "extents", "free_fragments"}


def days_apart(runs: Sequence[Run], run_labels: Sequence[str]) -> list[Difference]:
    """The dates of the runs, if more than a day separates some labels from others: more may have changed.

    Nobody knows when published figures were measured, only when they were published.
    """
    times: dict[str, list[datetime]] = {}
    listed: dict[str, list[str]] = {}
    for run, label in zip(runs, run_labels, strict=True):
        if source_of(run) is Source.PUBLISHED:  # its date is that of the article
            published = f"unknown, published {say_start(known_start(run.started_at, run.finished_at))}"
            listed.setdefault(published, []).append(label)
        else:
            times.setdefault(label, []).append(run.started_at)
    spans = sorted((min(started), max(started), label) for label, started in times.items())
    ends = accumulate((end for _, end, _ in spans), max)
    apart = any(after[0] - end > LONGEST_GAP for end, (_, after) in zip(ends, pairwise(spans), strict=False))
    if not apart and len(listed) + bool(spans) < 2:
        return []
    for first, last, label in spans:
        listed.setdefault(_dates(first, last), []).append(label)
    return [_line("started", "measured on", {text: list(dict.fromkeys(labels)) for text, labels in listed.items()})]


def not_known(columns: Sequence[Column], run_labels: Sequence[str]) -> list[Difference]:
    """The facts that are known for some runs only, so that a difference may be hidden."""
    missing: dict[str, list[str]] = {}
    for column in columns:
        if column.known and not column.differs and column.name not in QUIET:
            for label in dict.fromkeys(
                run_label for run_label, value in zip(run_labels, column.values, strict=True) if value is None
            ):
                missing.setdefault(label, []).append(column.label)
    listed: dict[str, list[str]] = {}
    for label, labels in missing.items():
        more = f" and {len(labels) - MOST_LABELS} more" if len(labels) > MOST_LABELS else ""
        listed.setdefault(", ".join(labels[:MOST_LABELS]) + more, []).append(label)
    return [_line("unknown", "not known", listed)] if listed else []


def _line(name: str, label: str, listed: Mapping[str, list[str]]) -> Difference:
    values = [DifferentValue(text, labels) for text, labels in listed.items()]
    return Difference(name, label, severe=False, values=values, inside=[])


def _dates(first: datetime, last: datetime) -> str:
    """`20 Nov 2026`, `20 Nov 2026 to 3 Dec 2026` (UTC)."""
    return " to ".join(dict.fromkeys(f"{time.day} {time:%b %Y}" for time in (first, last)))

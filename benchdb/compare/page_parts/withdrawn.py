"""The runs of a table, surface or trend that were withdrawn, as the page lists them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import TypedDict
from uuid import UUID

from benchdb.compare.content import Content
from benchdb.runs.cells.links import run_href
from benchdb.runs.models import RunState


class Withdrawn(TypedDict):
    """A withdrawn run, with the time (ISO 8601) and the reason, which may be empty."""

    run: str
    at: str
    reason: str


def now(content: Content) -> list[Withdrawn]:
    """The runs of the content that are withdrawn at this moment; one query."""
    states = RunState.objects.filter(pk__in=map(UUID, content.runs), withdrawn_at__isnull=False).order_by("pk")
    rows = states.values_list("pk", "withdrawn_at", "withdrawn_reason")
    return [{"run": str(run), "at": at.isoformat(), "reason": reason} for run, at, reason in rows if at]


def since(content: Content) -> dict[str, object]:
    """The runs of a live page that are withdrawn; one query."""
    # What compare/became.html shows on a live page.
    return {"frozen": {"withdrawn": show(now(content), content), "deleted": None}}


def show(withdrawn_runs: Iterable[Withdrawn], content: Content) -> list[dict[str, object]]:
    """Each run with its label in the content, and the reason."""
    names = {line.id: " · ".join(filter(None, [line.label, line.machine])) for line in content.run_list}
    return [
        {
            "text": names.get(withdrawn["run"], "A run"),
            "href": run_href(withdrawn["run"]),
            "at": datetime.fromisoformat(withdrawn["at"]),
            "reason": withdrawn["reason"] or "no reason given",
        }
        for withdrawn in withdrawn_runs
    ]

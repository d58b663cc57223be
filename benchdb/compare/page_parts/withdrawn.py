"""The runs of a table, surface or trend that their owners withdrew, as the page lists them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from benchdb.runs.cells.links import run_href
from benchdb.runs.models import RunState

Withdrawn = Mapping[str, Any]  # {"run": id, "at": ISO 8601, "reason"}


def now(content: Mapping[str, Any]) -> list[Withdrawn]:
    """The runs of the content that are withdrawn at this moment; one query."""
    states = RunState.objects.filter(pk__in=content["runs"], withdrawn_at__isnull=False).order_by("pk")
    rows = states.values_list("pk", "withdrawn_at", "withdrawn_reason")
    return [{"run": str(run), "at": at.isoformat(), "reason": reason} for run, at, reason in rows if at]


def show(withdrawn_runs: Iterable[Withdrawn], content: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The context of compare/became.html: each run with its label in the content, and the reason."""
    names = {line["id"]: " · ".join(filter(None, [line["label"], line["machine"]])) for line in content["run_list"]}
    return [
        {
            "text": names.get(withdrawn["run"], "A run"),
            "href": run_href(withdrawn["run"]),
            "at": datetime.fromisoformat(withdrawn["at"]),
            "reason": withdrawn["reason"] or "no reason given",
        }
        for withdrawn in withdrawn_runs
    ]

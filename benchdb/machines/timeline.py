"""How a machine changed: between which of its runs another environment was found, and what differs between the two."""

from __future__ import annotations

from typing import Any

from django.db.models import F, Q, Window
from django.db.models.functions import Lag

from benchdb.catalog.models import Environment
from benchdb.compare.guard import machine_changes
from benchdb.runs.models import Run, RunQuerySet

from . import hardware

Context = dict[str, Any]
MOST_CHANGES = 30


def timeline(runs: RunQuerySet, before: Any = None) -> Context:
    """The context of machines/partials/timeline.html, from the runs of one machine; two queries.

    `{"changes": [{"at", "run", "items": [{label, before, after, severe}]}], "first": the first run's time or None,
    "older": where the next page goes on, or None}`. What two environments differ in and nobody could name is no change.
    `before` shows what changed before this time.
    """
    placed = runs.annotate(former=Window(Lag("environment_id"), order_by=[F("started_at").asc(), F("id").asc()]))
    turned = placed.filter(Q(former=None) | ~Q(former=F("environment_id")))
    if before is not None:
        turned = turned.filter(started_at__lt=before)
    rows = turned.order_by("-started_at", "-id").values_list("id", "started_at", "environment_id", "former")
    found = list(rows[: MOST_CHANGES + 1])
    shown = found[:MOST_CHANGES]
    wanted = {pk for _, _, *environments in shown for pk in environments if pk is not None}
    environments = Environment.objects.in_bulk(wanted)
    changes = [
        {"at": at, "run": run, "items": items}
        for run, at, now, former in shown
        if former is not None and (items := between(environments[former], environments[now]))
    ]
    first = next((at for _, at, _, former in shown if former is None), None)
    return {"changes": changes, "first": first, "older": shown[-1][1] if len(found) > MOST_CHANGES else None}


def between(before: Environment, after: Environment) -> list[Context]:
    """What is known of both and differs, what explains most first: processor, memory, kernel, then the storage."""
    machine = machine_changes(Run(environment=before), Run(environment=after))
    return [*machine, *({**each, "severe": False} for each in hardware.changes(before.facts, after.facts))]

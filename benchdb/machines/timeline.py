"""How a machine changed: between which of its runs another environment was found, and what differs between the two."""

from __future__ import annotations

from typing import Any

from django.db.models import F, Q, Window
from django.db.models.functions import Lag

from benchdb.catalog.models import Environment
from benchdb.compare.guard import machine_changes
from benchdb.runs.models import Run, RunQuerySet
from benchdb.wording.times import known_time

from . import hardware

Context = dict[str, Any]
MOST_CHANGES = 30


def timeline(runs: RunQuerySet, before: Any = None) -> Context:
    """The context of machines/partials/timeline.html, from the runs of one machine; two queries.

    `{"changes": [{"at", "run", "items": [{label, before, after, severe}]}], "first": the first run's time or None,
    "tied": whether runs of the same time tell different things, "older": where the next page goes on, or None}`.
    What two environments differ in and nobody could name is no change, and of figures that articles print with one date
    nobody knows the order. `before` shows what changed before this time.
    """
    order = [F("started_at").asc(), F("id").asc()]
    placed = runs.annotate(
        former=Window(Lag("environment_id"), order_by=order), former_at=Window(Lag("started_at"), order_by=order)
    )
    turned = placed.filter(Q(former=None) | ~Q(former=F("environment_id")))
    if before is not None:
        turned = turned.filter(started_at__lt=before)
    columns = ("id", "started_at", "finished_at", "environment_id", "former", "former_at")
    found = list(turned.order_by("-started_at", "-id").values_list(*columns, named=True)[: MOST_CHANGES + 1])
    shown = found[:MOST_CHANGES]
    known = [row for row in shown if row.former is not None and row.former_at != row.started_at]
    environments = Environment.objects.in_bulk({pk for row in known for pk in (row.former, row.environment_id)})
    changes = [
        {"at": known_time(row.started_at, row.finished_at), "run": row.id, "items": items}
        for row in known
        if (items := between(environments[row.former], environments[row.environment_id]))
    ]
    return {
        "changes": changes,
        "first": next((known_time(row.started_at, row.finished_at) for row in shown if row.former is None), None),
        "tied": any(row.former_at == row.started_at for row in shown),
        "older": shown[-1].started_at if len(found) > MOST_CHANGES else None,
    }


def between(before: Environment, after: Environment) -> list[Context]:
    """What is known of both and differs, what explains most first: processor, memory, kernel, then the storage."""
    machine = machine_changes(Run(environment=before), Run(environment=after))
    return [*machine, *({**each, "severe": False} for each in hardware.changes(before.facts, after.facts))]

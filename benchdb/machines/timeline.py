"""The changes of a machine: runs with a new environment, and its differences from the former one."""

from __future__ import annotations

from dataclasses import asdict
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
    "tied": whether runs of the same time have different environments, "older": the start of the next page, or None}`.
    Differences without a name are left out, and so are runs with the same time, as in articles, whose order is unknown.
    `before` limits the changes to those before this time.
    """
    order = [F("started_at").asc(), F("id").asc()]
    with_former = runs.annotate(
        former=Window(Lag("environment_id"), order_by=order), former_at=Window(Lag("started_at"), order_by=order)
    )
    turned = with_former.filter(Q(former=None) | ~Q(former=F("environment_id")))
    if before is not None:
        turned = turned.filter(started_at__lt=before)
    columns = ("id", "started_at", "finished_at", "environment_id", "former", "former_at")
    rows = list(turned.order_by("-started_at", "-id").values_list(*columns, named=True)[: MOST_CHANGES + 1])
    shown = rows[:MOST_CHANGES]
    ordered = [row for row in shown if row.former is not None and row.former_at != row.started_at]
    environments = Environment.objects.in_bulk({pk for row in ordered for pk in (row.former, row.environment_id)})
    changes = [
        {"at": known_time(row.started_at, row.finished_at), "run": row.id, "items": items}
        for row in ordered
        if (items := between(environments[row.former], environments[row.environment_id]))
    ]
    return {
        "changes": changes,
        "first": next((known_time(row.started_at, row.finished_at) for row in shown if row.former is None), None),
        "tied": any(row.former_at == row.started_at for row in shown),
        "older": shown[-1].started_at if len(rows) > MOST_CHANGES else None,
    }


def between(before: Environment, after: Environment) -> list[Context]:
    """The known differences, the most important first: processor, memory, kernel, then storage."""
    machine = machine_changes(Run(environment=before), Run(environment=after))
    return [
        *map(asdict, machine),
        *({**change, "severe": False} for change in hardware.changes(before.facts, after.facts)),
    ]

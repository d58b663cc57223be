"""The changes of a machine: runs with a new environment, and its differences from the former one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import F, Q, Window
from django.db.models.functions import Lag

from benchdb.catalog.models import Environment
from benchdb.compare.content import ChangedFact
from benchdb.compare.guard import machine_changes
from benchdb.runs.models import Run, RunQuerySet
from benchdb.wording.times import known_time

from . import hardware

MOST_CHANGES = 30


@dataclass(frozen=True, slots=True)
class Timeline:
    """The context of machines/partials/timeline.html: the newest changes first, and the time of the first run.

    `tied`: runs of the same time have different environments. `older` is the start of the next page. `first` and
    `older` are None if they are not on this page.
    """

    changes: Sequence[dict[str, object]]
    first: datetime | date | str | None
    tied: bool
    older: datetime | None


def timeline(runs: RunQuerySet, before: datetime | None = None) -> Timeline:
    """The changes in the runs of one machine, only those before a time if it is given; two queries.

    Differences without a name are left out, and so are runs with the same time, as in articles, whose order is unknown.
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
    # The differences of a run's environment from the former one.
    changes = [
        {"at": known_time(row.started_at, row.finished_at), "run": row.id, "items": items}
        for row in ordered
        if (items := between(environments[row.former], environments[row.environment_id]))
    ]
    return Timeline(
        changes=changes,
        first=next((known_time(row.started_at, row.finished_at) for row in shown if row.former is None), None),
        tied=any(row.former_at == row.started_at for row in shown),
        older=shown[-1].started_at if len(rows) > MOST_CHANGES else None,
    )


def between(before: Environment, after: Environment) -> list[ChangedFact | hardware.HardwareChange]:
    """The known differences, the most important first: processor, memory, kernel, then storage."""
    machine = machine_changes(Run(environment=before), Run(environment=after))
    return [*machine, *hardware.changes(before.facts, after.facts)]

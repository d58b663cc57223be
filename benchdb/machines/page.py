"""The context of a machine's page: facts, changes, histories of workloads, and current work."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import cast
from urllib.parse import urlencode

from django.db.models import Count, F, Min, Q, Window
from django.db.models.functions import Lag
from django.urls import reverse

from benchdb.catalog.models import Environment, Machine
from benchdb.compare.content import ChangedFact
from benchdb.compare.guard import machine_changes
from benchdb.http.requests import Reader
from benchdb.plans import listing as plans
from benchdb.plans.command_lines import PageVisit, agent_start
from benchdb.plans.models import ENDED, Campaign, Job
from benchdb.runs.facts import machine as facts
from benchdb.runs.listing.columns import USUAL
from benchdb.runs.listing.headlines import kept_overviews
from benchdb.runs.listing.query import RunListQuery
from benchdb.runs.listing.search import RunPage
from benchdb.runs.listing.table import runs_table
from benchdb.runs.models import Run, RunQuerySet
from benchdb.wording.numbers import plural
from benchdb.wording.sizes import say_size
from benchdb.wording.times import known_time

from . import hardware, history

NEWEST = 10  # runs and campaigns


@dataclass(frozen=True)
class PageQuery:
    """The positions of the paged parts: the first workload, and changes before a time."""

    workload: int = 0
    before: datetime | None = None


def find(machine_id: int, reader: Reader) -> Machine | None:
    """The machine, for its owner and for readers who may list one of its runs; otherwise None."""
    machine = Machine.objects.select_related("listener", "owner").filter(pk=machine_id).first()
    if machine is None or machine.owner_id == reader.pk:
        return machine
    return machine if Run.objects.listed_for(reader).filter(machine=machine).exists() else None


def page_of(machine: Machine, reader: Reader, query: PageQuery, visit: PageVisit) -> dict[str, object]:
    """The page of a machine; `visit` has the address for its agent."""
    runs = Run.objects.listed_for(reader).filter(machine=machine)
    newest = list(runs.with_context().defer("rounds", "extra").order_by("-id")[:NEWEST])
    is_owner = machine.owner_id == reader.pk
    here = reverse("machine", args=[machine.pk])
    campaigns = plans.campaigns_page(Campaign.objects.listed_for(reader).filter(machine=machine), reader, None)
    changes = timeline(runs, query.before)
    older = cast("datetime | None", changes["older"])
    workloads = history.workloads(runs)
    start = query.workload if query.workload < len(workloads) else 0
    end = start + history.PAGE
    # The context of machines/machine.html. Parts that need a run are None or empty without one. `workloads` is the
    # number of workloads in words. The addresses of pages are None if there is no such page.
    return {
        "title": {"parts": _title(machine, newest), "time": None, "state": None},
        "tally": _tally(machine, runs) if newest else None,
        "links": _links(machine, newest[0]) if newest else [],
        "facts": facts.machine(newest[0])[1:] if newest else [],  # without the first, its name
        "disks": hardware.disks(newest[0].environment.facts) if newest else [],
        "arrays": hardware.arrays(newest[0].environment.facts) if newest else [],
        "newest": _newest(newest[0]) if newest else None,
        "timeline": changes,
        "older_changes": f"{here}?{urlencode({'before': older.isoformat()})}#changes" if older else None,
        "newest_changes": f"{here}#changes" if query.before else None,
        "histories": history.histories(runs, workloads[start:end]) if workloads else [],
        "workloads": plural(len(workloads), "workload"),
        "more_histories": f"{here}?{urlencode({'workload': end})}#history" if end < len(workloads) else None,
        "fewer_histories": f"{here}#history" if start else None,
        "campaigns": campaigns["campaigns"][:NEWEST],
        "campaigns_href": f"{reverse('campaigns')}?{urlencode({'machine': machine.pk})}",
        "runs": _runs_table(machine, newest) if newest else None,
        "queue": _queue(machine, visit) if is_owner else None,
        "section": "machines",
    }


def _runs_table(machine: Machine, newest: list[Run]) -> dict[str, object]:
    """The newest runs, with a column for the kernel instead of the machine; heads order all runs of this machine."""
    columns = tuple("kernel" if name == "machine" else name for name in USUAL)
    runs_of_machine = RunListQuery(facets={"machine": (str(machine.pk),)}, columns=columns)
    return runs_table(RunPage(newest, ""), kept_overviews(newest), runs_of_machine)


def _title(machine: Machine, newest: list[Run]) -> list[str]:
    if not newest:
        return [machine.name]
    environment = newest[0].environment
    memory = say_size(environment.memory) if environment.memory else None
    return [text for text in (machine.name, environment.cpu_model, memory) if text]


def _tally(machine: Machine, runs: RunQuerySet) -> dict[str, object]:
    counts = runs.aggregate(runs=Count("id"), first=Min("started_at"), tools=Count("tool", distinct=True))
    owner = machine.owner.get_full_name() or machine.owner.get_username()
    text = f"{plural(counts['runs'], 'run')} of {plural(counts['tools'], 'tool')} added by {owner}"
    return {"text": text, "since": known_time(counts["first"], counts["first"])}  # only its day is shown


def _newest(run: Run) -> dict[str, object]:
    return {"href": run.get_absolute_url(), "at": known_time(run.started_at, run.finished_at)}


def _links(machine: Machine, newest: Run) -> list[dict[str, object]]:
    named = urlencode({"machine": machine.pk})
    return [
        {"text": "Its runs", "href": f"{reverse('runs')}?{named}"},
        {"text": "Over time", "href": f"{reverse('trend')}?{urlencode({'run': str(newest.pk)})}"},
    ]


def _queue(machine: Machine, visit: PageVisit) -> dict[str, object]:
    jobs = Job.objects.filter(machine=machine).exclude(state__in=ENDED).for_pages().defer("plan_text", "files")
    return {
        "machine": plans.machine_row(machine),
        "jobs": [plans.job_row(job) for job in jobs.order_by("queued_at")[:NEWEST]],
        "new": f"{reverse('plan-new')}?{urlencode({'machine': machine.pk})}",
        "all": reverse("queue"),
        "start": agent_start(visit),
    }


MOST_CHANGES = 30


def timeline(runs: RunQuerySet, before: datetime | None = None) -> dict[str, object]:
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
    return {
        "changes": changes,
        "first": next((known_time(row.started_at, row.finished_at) for row in shown if row.former is None), None),
        "tied": any(row.former_at == row.started_at for row in shown),
        "older": shown[-1].started_at if len(rows) > MOST_CHANGES else None,
    }


def between(before: Environment, after: Environment) -> list[ChangedFact | dict[str, object]]:
    """The known differences, the most important first: processor, memory, kernel, then storage."""
    machine = machine_changes(Run(environment=before), Run(environment=after))
    return [*machine, *hardware.changes(before.facts, after.facts)]

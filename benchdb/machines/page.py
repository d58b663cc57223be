"""The context of a machine's page: facts, changes, histories of workloads, and current work."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, Min
from django.urls import reverse

from benchdb.catalog.models import Machine
from benchdb.plans import listing as plans
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
from .timeline import Context, timeline

PageReader = User | AnonymousUser
NEWEST = 10  # runs and campaigns


@dataclass(frozen=True)
class PageQuery:
    """The positions of the paged parts: the first workload, and changes before a time."""

    workload: int = 0
    before: datetime | None = None


def find(machine_id: int, reader: PageReader) -> Machine | None:
    """The machine, for its owner and for readers who may list one of its runs; otherwise None."""
    machine = Machine.objects.select_related("listener", "owner").filter(pk=machine_id).first()
    if machine is None or machine.owner_id == reader.pk:
        return machine
    return machine if Run.objects.listed_for(reader).filter(machine=machine).exists() else None


def machine_context(machine: Machine, reader: PageReader, query: PageQuery, server: str) -> Context:
    """The context of `machines/machine.html`."""
    runs = Run.objects.listed_for(reader).filter(machine=machine)
    newest = list(runs.with_context().defer("rounds", "extra").order_by("-id")[:NEWEST])
    is_owner = machine.owner_id == reader.pk
    here = reverse("machine", args=[machine.pk])
    campaigns = plans.campaigns_context(Campaign.objects.listed_for(reader).filter(machine=machine), reader, None)
    return {
        "section": "machines",
        "title": {"parts": _title(machine, newest), "time": None, "state": None},
        "tally": _tally(runs) if newest else None,
        "links": _links(machine, newest[0]) if newest else [],
        "facts": facts.machine(newest[0])[1:] if newest else [],  # without the first, its name
        "disks": hardware.disks(newest[0].environment.facts) if newest else [],
        "arrays": hardware.arrays(newest[0].environment.facts) if newest else [],
        "newest": _newest(newest[0]) if newest else None,
        "timeline": _timeline(runs, query, here),
        **_histories(runs, query, here),
        "campaigns": campaigns["campaigns"][:NEWEST],
        "campaigns_href": f"{reverse('campaigns')}?{urlencode({'machine': machine.pk})}",
        "runs": _runs_table(machine, newest) if newest else None,
        "queue": _queue(machine, server) if is_owner else None,
    }


def _runs_table(machine: Machine, newest: list[Run]) -> Context:
    """The newest runs, with a column for the kernel instead of the machine; heads order all runs of this machine."""
    columns = tuple("kernel" if name == "machine" else name for name in USUAL)
    runs_of_machine = RunListQuery(facets={"machine": (machine.name,)}, columns=columns)
    return runs_table(RunPage(newest, ""), kept_overviews(newest), runs_of_machine)


def _title(machine: Machine, newest: list[Run]) -> list[str]:
    if not newest:
        return [machine.name]
    environment = newest[0].environment
    memory = say_size(environment.memory) if environment.memory else None
    return [text for text in (machine.name, environment.cpu_model, memory) if text]


def _tally(runs: RunQuerySet) -> Context:
    counts = runs.aggregate(runs=Count("id"), first=Min("started_at"), tools=Count("tool", distinct=True))
    return {
        "text": f"{plural(counts['runs'], 'run')} of {plural(counts['tools'], 'tool')}",
        "since": known_time(counts["first"], counts["first"]),  # only its day is shown
    }


def _newest(run: Run) -> Context:
    return {"href": run.get_absolute_url(), "at": known_time(run.started_at, run.finished_at)}


def _links(machine: Machine, newest: Run) -> list[Context]:
    named = urlencode({"machine": machine.name})
    return [
        {"text": "Its runs", "href": f"{reverse('runs')}?{named}"},
        {"text": "Over time", "href": f"{reverse('trend')}?{urlencode({'run': str(newest.pk)})}"},
    ]


def _timeline(runs: RunQuerySet, query: PageQuery, here: str) -> Context:
    context = timeline(runs, query.before)
    older = context["older"]
    return {
        **context,
        "older": f"{here}?{urlencode({'before': older.isoformat()})}#changes" if older else None,
        "newest": f"{here}#changes" if query.before else None,
    }


def _histories(runs: RunQuerySet, query: PageQuery, here: str) -> Context:
    """`histories`, the number of workloads, and the addresses of the pages before and after."""
    listed = history.workloads(runs)
    start = query.workload if query.workload < len(listed) else 0
    end = start + history.PAGE
    return {
        "histories": history.histories(runs, listed[start:end]) if listed else [],
        "workloads": plural(len(listed), "workload"),
        "more_histories": f"{here}?{urlencode({'workload': end})}#history" if end < len(listed) else None,
        "fewer_histories": f"{here}#history" if start else None,
    }


def _queue(machine: Machine, server: str) -> Context:
    """The part for the owner: whether the agent is online, and the plans that wait for it."""
    jobs = Job.objects.filter(machine=machine).exclude(state__in=ENDED).for_pages().defer("plan_text", "files")
    return {
        "machine": plans.machine_row(machine),
        "jobs": [plans.job_row(job) for job in jobs.order_by("queued_at")[:NEWEST]],
        "new": f"{reverse('plan-new')}?{urlencode({'machine': machine.pk})}",
        "all": reverse("queue"),
        "serve": plans.SERVE.format(server=server),
    }

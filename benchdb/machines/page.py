"""What the page of a machine shows: what it is now, how it changed, how its workloads fared, and what it does."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, Min
from django.urls import reverse

from benchdb.catalog.models import Machine
from benchdb.plans import listing as plans
from benchdb.plans.models import OVER, Campaign, Job
from benchdb.runs.facts import machine as facts
from benchdb.runs.listing.columns import USUAL
from benchdb.runs.listing.headlines import kept_overviews
from benchdb.runs.listing.query import RunListQuery as AskedRuns
from benchdb.runs.listing.search import RunPage
from benchdb.runs.listing.table import runs_table
from benchdb.runs.models import Run, RunQuerySet
from benchdb.wording.numbers import plural
from benchdb.wording.sizes import say_size
from benchdb.wording.times import known_time

from . import hardware, history
from .timeline import timeline

Context = dict[str, Any]
Reader = User | AnonymousUser
NEWEST = 10  # runs and campaigns


@dataclass(frozen=True)
class Asked:
    """Where the parts of the page that go on stand: the first workload shown, and changes before a time."""

    workload: int = 0
    before: datetime | None = None


def find(machine_id: int, reader: Reader) -> Machine | None:
    """The machine, for its owner, and for whoever may list a run of it."""
    machine = Machine.objects.select_related("listener", "owner").filter(pk=machine_id).first()
    if machine is None or machine.owner_id == reader.pk:
        return machine
    return machine if Run.objects.listed_for(reader).filter(machine=machine).exists() else None


def machine_context(machine: Machine, reader: Reader, asked: Asked, server: str) -> Context:
    """The context of `machines/machine.html`."""
    runs = Run.objects.listed_for(reader).filter(machine=machine)
    newest = list(runs.with_context().defer("rounds", "extra").order_by("-id")[:NEWEST])
    own = machine.owner_id == reader.pk
    here = reverse("machine", args=[machine.pk])
    campaigns = plans.campaigns_context(Campaign.objects.listed_for(reader).filter(machine=machine), reader, None)
    return {
        "section": "machines",
        "title": {"parts": _title(machine, newest), "time": None, "state": None},
        "tally": _tally(runs) if newest else None,
        "links": _links(machine, newest[0]) if newest else [],
        "facts": facts.machine(newest[0])[1:] if newest else [],  # the first is its name
        "disks": hardware.disks(newest[0].environment.facts) if newest else [],
        "arrays": hardware.arrays(newest[0].environment.facts) if newest else [],
        "newest": _newest(newest[0]) if newest else None,
        "timeline": _timeline(runs, asked, here),
        **_histories(runs, asked, here),
        "campaigns": campaigns["campaigns"][:NEWEST],
        "campaigns_href": f"{reverse('campaigns')}?{urlencode({'machine': machine.pk})}",
        "runs": _runs_table(machine, newest) if newest else None,
        "queue": _queue(machine, server) if own else None,
    }


def _runs_table(machine: Machine, newest: list[Run]) -> Context:
    """The newest runs, with the kernel where other lists have the machine; heads order all runs of this machine."""
    columns = tuple("kernel" if name == "machine" else name for name in USUAL)
    own = AskedRuns(facets={"machine": (machine.name,)}, columns=columns)
    return runs_table(RunPage(newest, ""), kept_overviews(newest), own)


def _title(machine: Machine, newest: list[Run]) -> list[str]:
    if not newest:
        return [machine.name]
    environment = newest[0].environment
    memory = say_size(environment.memory) if environment.memory else None
    return [each for each in (machine.name, environment.cpu_model, memory) if each]


def _tally(runs: RunQuerySet) -> Context:
    found = runs.aggregate(runs=Count("id"), first=Min("started_at"), tools=Count("tool", distinct=True))
    return {
        "text": f"{plural(found['runs'], 'run')} of {plural(found['tools'], 'tool')}",
        "since": known_time(found["first"], found["first"]),  # only its day is shown
    }


def _newest(run: Run) -> Context:
    return {"href": run.get_absolute_url(), "at": known_time(run.started_at, run.finished_at)}


def _links(machine: Machine, newest: Run) -> list[Context]:
    named = urlencode({"machine": machine.name})
    return [
        {"text": "Its runs", "href": f"{reverse('runs')}?{named}"},
        {"text": "Over time", "href": f"{reverse('trend')}?{urlencode({'run': str(newest.pk)})}"},
    ]


def _timeline(runs: RunQuerySet, asked: Asked, here: str) -> Context:
    found = timeline(runs, asked.before)
    older = found["older"]
    return {
        **found,
        "older": f"{here}?{urlencode({'before': older.isoformat()})}#changes" if older else None,
        "newest": f"{here}#changes" if asked.before else None,
    }


def _histories(runs: RunQuerySet, asked: Asked, here: str) -> Context:
    """`histories`, how many there are, and the addresses of those before and after."""
    listed = history.workloads(runs)
    start = asked.workload if asked.workload < len(listed) else 0
    end = start + history.PAGE
    return {
        "histories": history.histories(runs, listed[start:end]) if listed else [],
        "workloads": plural(len(listed), "workload"),
        "more_histories": f"{here}?{urlencode({'workload': end})}#history" if end < len(listed) else None,
        "fewer_histories": f"{here}#history" if start else None,
    }


def _queue(machine: Machine, server: str) -> Context:
    """What the owner alone sees: whether its agent asks for work, and the plans that wait for it."""
    jobs = Job.objects.filter(machine=machine).exclude(state__in=OVER).for_pages().defer("plan_text", "files")
    return {
        "machine": plans.machine_row(machine),
        "jobs": [plans.job_row(job) for job in jobs.order_by("queued_at")[:NEWEST]],
        "new": f"{reverse('plan-new')}?{urlencode({'machine': machine.pk})}",
        "all": reverse("queue"),
        "serve": plans.SERVE.format(server=server),
    }

"""The form that queues a plan, filled with a shipped plan, the plan of a run, or an earlier job."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.urls import reverse

from benchagent.plan.model import Plan
from benchdb.catalog.models import Machine
from benchdb.runs.models import Run, Visibility
from benchdb.runs.page.run_warnings import RunNote
from benchdb.wording.words import VISIBILITIES

from .again import NoPlan, plan_again, repetition_of
from .command_lines import PageVisit, agent_start
from .forms import QueueForm
from .listing import machine_row
from .models import Job
from .offers import MachineOffer, why_not
from .plan_texts import planned, shipped_plans, shipped_text, what_it_measures


@dataclass(frozen=True, slots=True)
class Start:
    """The first contents of the form: a plan's text, machines and visibility.

    `warning` is the reason of a missing text.
    """

    text: str = ""
    machines: Sequence[str] = ()
    visibility: str = Visibility.PRIVATE
    warning: RunNote | None = None


def start(query: QueryDict, reader: User) -> Start:
    """The start for an address: `plan` names a shipped plan, `again` a run, `job` one of the reader's queued plans.

    With a run, `beside` and `rounds` are as in `repetition_of`.
    """
    machines = query.getlist("machine")
    if name := query.get("plan"):
        text = shipped_text(name)
        return (
            Start(text, machines) if text else _without(f"BenchDB ships no plan “{name}”. Choose one, or paste yours.")
        )
    if run_id := query.get("again"):
        return _of_run(run_id, query, reader, machines)
    if job_id := query.get("job"):
        job = _job(job_id, reader)
        if job is None:
            return _without("You have no such queued plan. Choose a shipped plan, or paste your own.")
        return Start(job.plan_text, [*machines, str(job.machine_id)], job.visibility)
    return Start(machines=machines)


def new_page(form: QueueForm, filled: Start, visit: PageVisit) -> dict[str, object]:
    """The form; entered values stay, valid or not."""
    machines = list(form.offered)
    entered, plan = set(filled.machines), planned(filled.text)
    rows = [_machine(machine, entered, plan) for machine in machines]
    chosen = [machine for machine in machines if str(machine.pk) in entered] or machines
    # The context of plans/new.html; `faults` are sentences by field, `start` has the commands that start an agent.
    # `connected`: whether an agent of a listed machine is online.
    return {
        "shipped": [_shipped(name, text, entered, chosen) for name, text in shipped_plans().items()],
        "text": filled.text,
        "warnings": [filled.warning] if filled.warning else [],
        "machines": rows,
        "visibilities": [
            {"value": value, "text": text, "selected": value == filled.visibility}
            for value, text in VISIBILITIES.items()
        ],
        "faults": {name: [str(error) for error in errors] for name, errors in form.errors.items()},
        "start": agent_start(visit, plan),
        "connected": any(row["there"] for row in rows),
        "section": "machines",
    }


def _machine(machine: Machine, entered: set[str], plan: Plan | None) -> dict[str, object]:
    """A machine of the form; `reasons` tell why it cannot run the plan."""
    reasons = _reasons(machine, plan) if plan else []
    return machine_row(machine) | {"chosen": str(machine.pk) in entered and not reasons, "reasons": reasons}


def _reasons(machine: Machine, plan: Plan) -> list[str]:
    """Why a machine cannot run a plan; empty if it can, or if its agent never reported what it allows."""
    offer = MachineOffer.of(getattr(machine, "listener", None))
    return why_not(plan, offer) if offer else []


def _shipped(name: str, text: str, entered: Iterable[str], machines: Sequence[Machine]) -> dict[str, object]:
    """A shipped plan: its first sentence, and the address of the form with the chosen machines."""
    parameters = urlencode([("plan", name), *(("machine", machine) for machine in sorted(entered))])
    plan = planned(text)
    by_machine = [(machine.name, _reasons(machine, plan)) for machine in machines] if plan else []
    reasons = [f"{machine}: {'; '.join(why)}" for machine, why in by_machine]
    impossible = bool(by_machine) and all(why for _, why in by_machine)
    # A plan that BenchDB ships: what it measures, and the address of the form with its text. `reasons` are why none of
    # the chosen machines can run it, or none at all if none is chosen.
    return {
        "text": name,
        "what": what_it_measures(text),
        "href": f"{reverse('plan-new')}?{parameters}",
        "reasons": reasons if impossible else [],
    }


def _of_run(run_id: str, query: QueryDict, reader: User, machines: Sequence[str]) -> Start:
    try:
        run = Run.objects.visible_to(reader).with_context().defer("rounds").get(pk=UUID(run_id))
    except (ValueError, Run.DoesNotExist):
        return _without("There is no such run, or you may not see it. Choose a plan, or paste your own.")
    asked = repetition_of(run, query, reader)
    try:
        text = plan_again(run, asked.beside, asked.rounds)
    except NoPlan as error:
        few = "This run has too few recorded facts for a plan. Its page shows how to measure it again."
        why = f"This run cannot be queued: {error.reasons[0]}." if error.reasons else few
        return _without(why, reverse("run-again", args=[run.pk]))
    return Start(text, machines)


def _job(job_id: str, reader: User) -> Job | None:
    try:
        return Job.objects.filter(pk=job_id, owner=reader).first()
    except ValidationError:  # no UUID
        return None


def _without(why: str, href: str | None = None) -> Start:
    return Start(warning=RunNote(why, severe=True, href=href))

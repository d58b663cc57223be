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

from benchdb.runs.models import Run, Visibility
from benchdb.wording.words import VISIBILITIES

from .again import plan_again
from .forms import QueueForm
from .listing import SERVE, machine_row
from .matrix import Context
from .models import Job
from .plan_texts import shipped_plans, shipped_text, what_it_measures


@dataclass(frozen=True)
class Start:
    """The first contents of the form: a plan's text, machines and visibility.

    `warning` is the reason of a missing text, as in web/partials/warnings.html.
    """

    text: str = ""
    machines: Sequence[str] = ()
    visibility: str = Visibility.PRIVATE
    warning: Context | None = None


def start(query: QueryDict, reader: User) -> Start:
    """The start for an address: `plan` names a shipped plan, `again` a run, `job` one of the reader's queued plans."""
    machines = query.getlist("machine")
    if name := query.get("plan"):
        text = shipped_text(name)
        return (
            Start(text, machines) if text else _without(f"BenchDB ships no plan “{name}”. Choose one, or paste yours.")
        )
    if run_id := query.get("again"):
        return _of_run(run_id, reader, machines)
    if job_id := query.get("job"):
        job = _job(job_id, reader)
        if job is None:
            return _without("There is no such queued plan of yours. Choose one that is shipped, or paste yours.")
        return Start(job.plan_text, [*machines, str(job.machine_id)], job.visibility)
    return Start(machines=machines)


def new_context(form: QueueForm, filled: Start, server: str) -> Context:
    """The context of `plans/new.html`; entered values stay, valid or not."""
    queryset = form.fields["machines"].queryset  # type: ignore[attr-defined]
    entered = set(filled.machines)
    return {
        "section": "machines",
        "shipped": [_shipped(name, text, entered) for name, text in shipped_plans().items()],
        "text": filled.text,
        "warnings": [filled.warning] if filled.warning else [],
        "machines": [{**machine_row(machine), "chosen": str(machine.pk) in entered} for machine in queryset],
        "visibilities": [
            {"value": value, "text": text, "selected": value == filled.visibility}
            for value, text in VISIBILITIES.items()
        ],
        "faults": {name: list(errors) for name, errors in form.errors.items()} if form.is_bound else {},
        "serve": SERVE.format(server=server),
    }


def _shipped(name: str, text: str, machines: Iterable[str]) -> Context:
    """A shipped plan: its first sentence, and the address of the form with the chosen machines."""
    parameters = urlencode([("plan", name), *(("machine", machine) for machine in sorted(machines))])
    return {"text": name, "what": what_it_measures(text), "href": f"{reverse('plan-new')}?{parameters}"}


def _of_run(run_id: str, reader: User, machines: Sequence[str]) -> Start:
    try:
        run = Run.objects.visible_to(reader).with_context().get(pk=UUID(run_id))
    except (ValueError, Run.DoesNotExist):
        return _without("There is no such run, or it is not for you to see. Choose a plan, or paste yours.")
    text = plan_again(run)
    if text is None:
        why = "No plan can be written from what is known of this run. Its page says how it can be measured again."
        return _without(why, reverse("run-again", args=[run.pk]))
    return Start(text, machines)


def _job(job_id: str, reader: User) -> Job | None:
    try:
        return Job.objects.filter(pk=job_id, owner=reader).first()
    except ValidationError:  # no UUID
        return None


def _without(why: str, href: str | None = None) -> Start:
    return Start(warning={"text": why, "severe": True, "href": href})

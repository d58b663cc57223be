"""What the lists show: campaigns, queued plans, the machines that could take them, the form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib.auth.models import User
from django.urls import reverse

from benchdb.catalog.models import Machine
from benchdb.runs.facts import fact
from benchdb.runs.models import Visibility

from .forms import QueueForm
from .models import Campaign, CampaignQuerySet, Job
from .page import job_progress
from .queries import run_counts
from .reading import shipped_plans

Context = dict[str, Any]
PAGE = 50
SERVE = "benchagent serve --server {server} --token-file TOKEN"


def campaigns_context(listed: CampaignQuerySet, user: Any, after: UUID | None) -> Context:
    """The context of `plans/campaigns.html`: one page, the newest first, by keyset; two queries."""
    found = listed.select_related("machine").defer("plan_text", "targets", "workloads", "points").order_by("-id")
    if after is not None:
        found = found.filter(id__lt=after)
    page = list(found[: PAGE + 1])
    runs = run_counts(page[:PAGE], user)
    here = reverse("campaigns")
    return {
        "section": "runs",
        "campaigns": [_campaign_row(campaign, runs) for campaign in page[:PAGE]],
        "next": f"{here}?{urlencode({'after': page[PAGE - 1].pk})}" if len(page) > PAGE else None,
        "first": here if after else None,
    }


def _campaign_row(campaign: Campaign, runs: Mapping[UUID, int]) -> Context:
    return {
        "href": campaign.get_absolute_url(),
        "plan": campaign.plan_name,
        "machine": campaign.machine.name,
        "points": campaign.point_count,
        "runs": runs.get(campaign.pk, 0),
        "started_at": campaign.started_at,
        "state": campaign.state,
        "reason": (campaign.ended or {}).get("reason"),
    }


def queue_context(user: User, server: str) -> Context:
    """The context of `plans/queue.html`: the newest plans that the user queued, and the user's machines."""
    jobs = Job.objects.filter(owner=user).for_pages().defer("plan_text", "files").order_by("-queued_at")
    machines = Machine.objects.filter(owner=user).select_related("listener").order_by("name", "pk")
    return {
        "section": "runs",
        "jobs": [job_row(job) for job in jobs[:PAGE]],
        "machines": [_machine(machine) for machine in machines],
        "serve": SERVE.format(server=server),
    }


def job_row(job: Job) -> Context:
    """One queued plan in short; `job` comes with `for_pages`."""
    return {
        "href": job.get_absolute_url(),
        "plan": job.plan_name,
        "machine": job.machine.name,
        "state": "cancelling" if job.cancel and not job.is_over else job.state,
        "reason": job.reason,
        "progress": job_progress(job) if job.state == "running" else None,
        "campaign": reverse("campaign", args=[job.campaign_id]) if job.announced else None,
        "queued_at": job.queued_at,
    }


def job_context(job: Job) -> Context:
    """The context of `plans/job.html`."""
    facts = [("visibility of its runs", job.visibility), ("given to an agent", _times(job.claims))]
    return {
        "section": "runs",
        "job": job_row(job),
        "title": {"parts": [job.plan_name, job.machine.name], "time": job.queued_at, "state": job_row(job)["state"]},
        "facts": [fact(term, value) for term, value in facts],
        "machine": _machine(job.machine),
        "times": [
            (what, time)
            for what, time in (("Queued", job.queued_at), ("Taken", job.started_at), ("Over", job.ended_at))
            if time is not None
        ],
        "plan_text": job.plan_text,
        "files": sorted(job.files),
        "poll": None if job.is_over else {"href": reverse("api-1:job_state", args=[job.pk]), "version": job.version},
        "cancel": reverse("job-cancel", args=[job.pk]) if not job.is_over and not job.cancel else None,
        "over": job.is_over,
    }


def new_context(form: QueueForm, text: str, chosen: Iterable[str], visibility: str, server: str) -> Context:
    """The context of `plans/new.html`; what was entered stays, right or wrong."""
    queryset = form.fields["machines"].queryset  # type: ignore[attr-defined]
    entered = set(chosen)
    here = reverse("plan-new")
    return {
        "section": "runs",
        "shipped": [{"text": name, "href": f"{here}?{urlencode({'plan': name})}"} for name in shipped_plans()],
        "text": text,
        "machines": [{**_machine(machine), "chosen": str(machine.pk) in entered} for machine in queryset],
        "visibilities": [
            {"value": value, "text": label.lower(), "selected": value == visibility}
            for value, label in Visibility.choices
        ],
        "faults": {name: list(errors) for name, errors in form.errors.items()} if form.is_bound else {},
        "serve": SERVE.format(server=server),
    }


def _machine(machine: Machine) -> Context:
    listener = getattr(machine, "listener", None)
    return {
        "id": machine.pk,
        "name": machine.name,
        "there": listener is not None and listener.is_there,
        "seen_at": listener.seen_at if listener else None,
    }


def _times(number: int) -> str:
    return {0: "not yet", 1: "once", 2: "twice"}.get(number, f"{number} times")

"""The contexts of lists of campaigns, queued plans and machines, and of one queued plan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib.auth.models import User
from django.urls import reverse

from benchdb.catalog.models import Machine
from benchdb.runs.facts.terms import fact
from benchdb.wording.numbers import plural

from .matrix import Context
from .models import ENDED, Campaign, CampaignQuerySet, Job, JobState
from .page import job_progress
from .queries import run_counts

PAGE = 50
SERVE = "benchagent serve --server {server} --token-file TOKEN"


def campaigns_context(listed: CampaignQuerySet, user: Any, after: UUID | None, machine: int = 0) -> Context:
    """The context of `plans/campaigns.html`: one page, the newest first, by keyset; two queries.

    `machine` is the id of the machine of `listed`, 0 for all machines.
    """
    campaigns = listed.select_related("machine").defer("plan_text", "targets", "workloads", "points").order_by("-id")
    if after is not None:
        campaigns = campaigns.filter(id__lt=after)
    page = list(campaigns[: PAGE + 1])
    runs = run_counts(page[:PAGE], user)
    kept = {"machine": machine} if machine else {}
    here = reverse("campaigns")
    first = f"{here}?{urlencode(kept)}" if kept else here
    more = {**kept, "after": page[PAGE - 1].pk} if len(page) > PAGE else None
    return {
        "section": "machines",
        "campaigns": [_campaign_row(campaign, runs, user) for campaign in page[:PAGE]],
        "next": f"{here}?{urlencode(more)}" if more else None,
        "first": first if after else None,
        "all": here if kept else None,
    }


def _campaign_row(campaign: Campaign, runs: Mapping[UUID, int], user: Any) -> Context:
    """One campaign, with a link to its machine if the reader may see the machine."""
    may_see_machine = runs.get(campaign.pk) or campaign.owner_id == user.pk
    return {
        "href": campaign.get_absolute_url(),
        "plan": campaign.plan_name,
        "machine": campaign.machine.name,
        "machine_href": reverse("machine", args=[campaign.machine_id]) if may_see_machine else None,
        "points": campaign.point_count,
        "runs": runs.get(campaign.pk, 0),
        "started_at": campaign.started_at,
        "state": campaign.state,
        "reason": (campaign.ended or {}).get("reason"),
    }


def queue_context(user: User, server: str, after: UUID | None = None) -> Context:
    """The context of `plans/queue.html`: a page of the plans that the user queued, and the user's machines."""
    all_jobs = Job.objects.filter(owner=user)
    jobs = all_jobs.for_pages().defer("plan_text", "files").order_by("-queued_at", "-pk")
    if after is not None:
        jobs = jobs.filter(queued_at__lt=all_jobs.filter(pk=after).values("queued_at"))
    page = list(jobs[: PAGE + 1])
    machines = Machine.objects.filter(owner=user).select_related("listener").order_by("name", "pk")
    here = reverse("queue")
    return {
        "section": "machines",
        "jobs": [job_row(job) for job in page[:PAGE]],
        "next": f"{here}?{urlencode({'after': page[PAGE - 1].pk})}" if len(page) > PAGE else None,
        "first": here if after else None,
        "machines": [machine_row(machine) for machine in machines],
        "serve": SERVE.format(server=server),
    }


def job_row(job: Job) -> Context:
    """The row of one queued plan; `job` needs `for_pages`."""
    return {
        "href": job.get_absolute_url(),
        "plan": job.plan_name,
        "machine": job.machine.name,
        "machine_href": reverse("machine", args=[job.machine_id]),
        "state": "cancelling" if job.cancel and not job.is_over else job.state,
        "reason": job.reason,
        "progress": job_progress(job) if job.state == "running" else None,
        "campaign": reverse("campaign", args=[job.campaign_id]) if job.announced else None,
        "queued_at": job.queued_at,
    }


def job_context(job: Job, server: str) -> Context:
    """The context of `plans/job.html`."""
    waiting = job.state == JobState.WAITING
    before = Job.objects.filter(machine=job.machine_id, queued_at__lt=job.queued_at).exclude(state__in=ENDED).count()
    facts = [("visibility of its runs", job.visibility), ("given to an agent", _times(job.claims))]
    if waiting and before:
        facts.insert(0, ("before it", plural(before, "plan")))
    return {
        "section": "machines",
        "job": job_row(job),
        "title": {"parts": [job.plan_name, job.machine.name], "time": job.queued_at, "state": job_row(job)["state"]},
        "facts": [fact(term, value) for term, value in facts],
        "machine": machine_row(job.machine),
        "times": [
            (what, time)
            for what, time in (("Queued", job.queued_at), ("Taken", job.started_at), ("Over", job.ended_at))
            if time is not None
        ],
        "plan_text": job.plan_text,
        "files": sorted(job.files),
        "poll": None if job.is_over else {"href": reverse("api-1:job_state", args=[job.pk]), "version": job.version},
        "cancel": reverse("job-cancel", args=[job.pk]) if not job.is_over and not job.cancel else None,
        "again": f"{reverse('plan-new')}?{urlencode({'job': job.pk})}" if job.is_over else None,
        "over": job.is_over,
        "serve": SERVE.format(server=server) if waiting and not machine_row(job.machine)["there"] else None,
    }


def machine_row(machine: Machine) -> Context:
    """One of the reader's machines, and whether its agent is online."""
    listener = getattr(machine, "listener", None)
    return {
        "id": machine.pk,
        "href": reverse("machine", args=[machine.pk]),
        "name": machine.name,
        "there": listener is not None and listener.is_there,
        "seen_at": listener.seen_at if listener else None,
    }


def _times(number: int) -> str:
    return {0: "not yet", 1: "once", 2: "twice"}.get(number, f"{number} times")

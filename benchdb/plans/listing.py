"""The pages of lists of campaigns, queued plans and machines, and of one queued plan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib.auth.models import User
from django.urls import reverse

from benchdb.catalog.models import Machine
from benchdb.http.requests import Reader
from benchdb.runs.facts.terms import fact
from benchdb.wording.names import told_apart
from benchdb.wording.numbers import plural

from .campaign.page import job_progress
from .command_lines import PageVisit, agent_start
from .models import ENDED, Campaign, CampaignQuerySet, Job, JobState, Listener
from .offers import MachineOffer
from .plan_texts import planned
from .queries import queueable, run_counts
from .stored import StoredEnd

PAGE = 50


def campaigns_page(listed: CampaignQuerySet, user: Reader, after: UUID | None, machine: int = 0) -> dict[str, Any]:
    """One page, the newest first, by keyset; three queries.

    `machine` is the id of the machine of `listed`, 0 for all machines.
    """
    campaigns = listed.select_related("machine").defer("plan_text", "targets", "workloads", "points").order_by("-id")
    if after is not None:
        campaigns = campaigns.filter(id__lt=after)
    page = list(campaigns[: PAGE + 1])
    runs = run_counts(page[:PAGE], user)
    known = Campaign.objects.listed_for(user).order_by().values_list("machine_id", "machine__name").distinct()
    machines = told_apart(dict(known)) if page else {}
    kept = {"machine": machine} if machine else {}
    here = reverse("campaigns")
    first = f"{here}?{urlencode(kept)}" if kept else here
    more = {**kept, "after": page[PAGE - 1].pk} if len(page) > PAGE else None
    # The context of plans/campaigns.html; `all` is None unless the campaigns are those of one machine.
    return {
        "campaigns": [_campaign_row(campaign, machines, runs, user) for campaign in page[:PAGE]],
        "next": f"{here}?{urlencode(more)}" if more else None,
        "first": first if after else None,
        "all": here if kept else None,
        "feed": f"{reverse('campaigns-feed')}?{urlencode(kept)}".rstrip("?"),
        "section": "machines",
    }


def _campaign_row(
    campaign: Campaign, machines: Mapping[int, str], runs: Mapping[UUID, int], user: Reader
) -> dict[str, object]:
    """One campaign, with a link to its machine if the reader may see the machine."""
    may_see_machine = runs.get(campaign.pk) or campaign.owner_id == user.pk
    ended: StoredEnd | None = campaign.ended
    # A campaign; `machine_href` is None if the reader may not see its machine, `reason` unless it ended with one.
    return {
        "href": campaign.get_absolute_url(),
        "plan": campaign.plan_name,
        "machine": machines.get(campaign.machine_id, campaign.machine.name),
        "machine_href": reverse("machine", args=[campaign.machine_id]) if may_see_machine else None,
        "points": campaign.point_count,
        "runs": runs.get(campaign.pk, 0),
        "started_at": campaign.started_at,
        "state": campaign.state,
        "reason": ended["reason"] if ended else None,
    }


def queue_page_of(user: User, visit: PageVisit, after: UUID | None = None) -> dict[str, object]:
    """A page of the plans that the user queued, and the user's machines."""
    all_jobs = Job.objects.filter(owner=user)
    jobs = all_jobs.for_pages().defer("plan_text", "files").order_by("-queued_at", "-pk")
    if after is not None:
        jobs = jobs.filter(queued_at__lt=all_jobs.filter(pk=after).values("queued_at"))
    page = list(jobs[: PAGE + 1])
    machines = queueable(user)
    here = reverse("queue")
    # The context of plans/queue.html; `start` has the commands that start an agent.
    return {
        "jobs": [job_row(job) for job in page[:PAGE]],
        "next": f"{here}?{urlencode({'after': page[PAGE - 1].pk})}" if len(page) > PAGE else None,
        "first": here if after else None,
        "machines": [machine_row(machine) for machine in machines],
        "start": agent_start(visit),
        "section": "machines",
    }


def job_row(job: Job) -> dict[str, object]:
    """The row of one queued plan; `job` needs `for_pages`."""
    # A queued plan; `progress` is None unless it runs, `campaign` until it is announced.
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


def job_page_of(job: Job, visit: PageVisit) -> dict[str, object]:
    """The page of a queued plan; `job` needs `for_pages`."""
    row, machine = job_row(job), machine_row(job.machine)
    waiting = job.state == JobState.WAITING
    before = Job.objects.filter(machine=job.machine_id, queued_at__lt=job.queued_at).exclude(state__in=ENDED).count()
    facts = [("visibility of its runs", job.visibility), ("given to an agent", _times(job.claims))]
    if waiting and before:
        facts.insert(0, ("before it", plural(before, "plan")))
    # The context of plans/job.html. `times` are (what, when). `poll` and `cancel` are None if the job is over, `again`
    # until then; `start` is None unless the job waits for an agent that is not online.
    return {
        "job": row,
        "title": {"parts": [job.plan_name, job.machine.name], "time": job.queued_at, "state": str(row["state"])},
        "facts": [fact(term, value) for term, value in facts],
        "machine": machine,
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
        "start": agent_start(visit, planned(job.plan_text)) if waiting and not machine["there"] else None,
        "section": "machines",
    }


def machine_row(machine: Machine) -> dict[str, object]:
    """One of the reader's machines; `there` if its agent is online, `seen_at` is None if it never was.

    `allows` are the targets that its config file allows, in words.
    """
    listener: Listener | None = getattr(machine, "listener", None)
    offer = MachineOffer.of(listener)
    return {
        "id": machine.pk,
        "href": reverse("machine", args=[machine.pk]),
        "name": machine.name,
        "there": listener is not None and listener.is_there,
        "seen_at": listener.seen_at if listener else None,
        "allows": offer.text if offer else None,
    }


def _times(number: int) -> str:
    return {0: "not yet", 1: "once", 2: "twice"}.get(number, f"{number} times")

"""Reads over campaigns, runs and jobs: how every point of a campaign stands, in the same few queries for any number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count, F, IntegerField
from django.db.models.expressions import RawSQL

from benchdb.runs.models import Run, RunQuerySet, Visibility

from .models import Campaign, Job, JobQuerySet

# In the order in which they are counted on pages.
STATES = ("finished", "failed", "running", "waiting", "skipped", "missing", "private")
_FAILED = """jsonb_array_length(jsonb_path_query_array("runs_run"."rounds", '$[*] ? (@.status == "failed")'))"""


@dataclass(frozen=True)
class PointStatus:
    """One point: `state` is one of STATES, `reason` says why it is skipped, `run_id` is of a run that is to be seen.

    As agents count, a point has failed when any of its rounds has; what the other rounds measured is there.
    """

    id: str
    target: str
    workload: str
    state: str
    reason: str = ""
    run_id: UUID | None = None
    rounds: int = 0
    failed_rounds: int = 0


@dataclass(frozen=True)
class Standing:
    """A campaign as one reader may see it. `campaign` is None if its runs were sent without an announcement.

    `runs` is how many there are to be seen, also those of a point that was measured again.
    """

    id: UUID
    campaign: Campaign | None
    points: list[PointStatus]
    runs: int
    job: Job | None = None

    @property
    def tally(self) -> dict[str, int]:
        """How many points are in each state that occurs."""
        counts = Counter(point.state for point in self.points)
        return {state: counts[state] for state in STATES if counts[state]}

    @property
    def version(self) -> str:
        """Changes whenever the page would."""
        return f"{self.state}.{self.runs}.{self.job.reports if self.job else 0}"

    @property
    def state(self) -> str:
        """That of the campaign, or `unannounced`."""
        return self.campaign.state if self.campaign else "unannounced"


@dataclass(frozen=True)
class _Found:
    """A stored run of a point; `run_id` is None where this reader may not see it."""

    run_id: UUID | None
    rounds: int
    failed_rounds: int


def standing(campaign_id: UUID, user: Any) -> Standing | None:
    """How a campaign stands; None where there is none that `user` may see. At most four queries."""
    campaign = Campaign.objects.visible_to(user).select_related("machine", "owner").filter(pk=campaign_id).first()
    if campaign is None:
        return None if Campaign.objects.filter(pk=campaign_id).exists() else _unannounced(campaign_id, user)
    ids = set(_shown(campaign, user).values_list("id", flat=True))
    found = _by_point(_own(campaign), ids)
    job = _jobs(campaign).first()
    running = (job.progress or {}).get("point") if job and not job.is_over else None
    points = [_status(point, found.get(point["id"]), campaign, running) for point in campaign.points]
    return Standing(campaign_id, campaign, points, len(ids), job)


def in_short(campaign_id: UUID, user: Any) -> Standing | None:
    """The same without points, for who asks every second whether there is anything new. At most three queries."""
    campaign = Campaign.objects.visible_to(user).filter(pk=campaign_id).only("owner", "visibility", "state").first()
    if campaign is not None:
        job = _jobs(campaign).only("reports").first()
        return Standing(campaign_id, campaign, [], _shown(campaign, user).count(), job)
    if Campaign.objects.filter(pk=campaign_id).exists():
        return None
    runs = Run.objects.of_campaign(campaign_id).listed_for(user).count()
    return Standing(campaign_id, None, [], runs) if runs else None


def _own(campaign: Campaign) -> RunQuerySet:
    return Run.objects.filter(campaign_id=campaign.pk, runstate__owner=campaign.owner_id)


def _shown(campaign: Campaign, user: Any) -> RunQuerySet:
    """As visible as the campaign itself: a public page leads nobody to unlisted runs."""
    own = _own(campaign)
    return own.listed_for(user) if campaign.visibility == Visibility.PUBLIC else own.visible_to(user)


def _jobs(campaign: Campaign) -> JobQuerySet:
    return Job.objects.filter(campaign_id=campaign.pk, owner=campaign.owner_id)


def is_there(campaign_id: UUID, user: Any) -> bool:
    """Whether `standing` finds the campaign for `user`; at most three queries."""
    campaign = Campaign.objects.filter(pk=campaign_id)
    if campaign.visible_to(user).exists():
        return True
    return not campaign.exists() and Run.objects.of_campaign(campaign_id).listed_for(user).exists()


def run_counts(campaigns: list[Campaign], user: Any) -> dict[UUID, int]:
    """How many runs that lists show `user` each of these campaigns has; one query."""
    runs = Run.objects.listed_for(user).filter(campaign_id__in=[each.pk for each in campaigns])
    own = {each.pk: each.owner_id for each in campaigns}
    counted = runs.values("campaign_id", owner=F("runstate__owner")).annotate(number=Count("id")).order_by()
    return {pk: row["number"] for row in counted if (pk := row["campaign_id"]) and own[pk] == row["owner"]}


def _unannounced(campaign_id: UUID, user: Any) -> Standing | None:
    runs = Run.objects.of_campaign(campaign_id).listed_for(user)
    found = _by_point(runs, None)
    points = []
    for point, run in sorted(found.items()):
        target, _, workload = point.partition("/")
        points.append(_of_run(point, target, workload or "run", run))
    return Standing(campaign_id, None, points, runs.count()) if points else None


def _by_point(runs: RunQuerySet, shown: Collection[UUID] | None) -> dict[str, _Found]:
    """The newest run of each point; those that are not among `shown` (None: all are) without their ids."""
    failed = RawSQL(_FAILED, [], output_field=IntegerField())
    rows = runs.annotate(failed=failed).order_by("id").values_list("id", "campaign_point", "round_count", "failed")
    found: dict[str, _Found] = {}
    for run_id, point, rounds, failures in rows:
        found[point or ""] = _Found(run_id if shown is None or run_id in shown else None, rounds, failures)
    return found


def _status(point: dict[str, Any], run: _Found | None, campaign: Campaign, running: str | None) -> PointStatus:
    names = (point["id"], point["target"], point["workload"])
    if run is not None:
        return _of_run(*names, run)
    if point["state"] == "skipped":
        return PointStatus(*names, "skipped", point["reason"] or "")
    if campaign.is_over:
        return PointStatus(*names, "missing")
    return PointStatus(*names, "running" if point["id"] == running else "waiting")


def _of_run(point: str, target: str, workload: str, run: _Found) -> PointStatus:
    if run.run_id is None:
        return PointStatus(point, target, workload, "private")
    state = "failed" if run.failed_rounds else "finished"
    return PointStatus(point, target, workload, state, "", run.run_id, run.rounds, run.failed_rounds)

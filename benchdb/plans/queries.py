"""Reads over campaigns, runs and jobs: the state of every point of a campaign, in a fixed number of queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Count, Exists, F, IntegerField, OuterRef, QuerySet
from django.db.models.expressions import RawSQL

from benchdb.catalog.models import Machine
from benchdb.http.requests import Reader
from benchdb.runs.models import Facets, Run, RunQuerySet, Source, Visibility

from .models import Campaign, CampaignQuerySet, Job, JobQuerySet
from .stored import StoredPoint, StoredProgress

# In the order of pages.
STATES = ("finished", "failed", "running", "waiting", "skipped", "missing", "private")
_FAILED = """jsonb_array_length(jsonb_path_query_array("runs_run"."rounds", '$[*] ? (@.status == "failed")'))"""


@dataclass(frozen=True)
class PointStatus:
    """One point: `state` is one of STATES, `reason` that of a skipped point, `run_id` a run visible to the reader.

    A point with a failed round has failed, as agents count; its run has the values of the other rounds.
    """

    id: str
    target: str
    workload: str
    state: str
    reason: str = ""
    run_id: UUID | None = None
    rounds: int = 0
    failed_rounds: int = 0
    results: int = 0


@dataclass(frozen=True)
class CampaignStatus:
    """A campaign as one reader may see it. `campaign` is None if its runs were sent without an announcement.

    `runs` is the number of visible runs, including all runs of repeated points.
    """

    id: UUID
    campaign: Campaign | None
    points: list[PointStatus]
    runs: int
    job: Job | None = None
    owner: User | None = None

    @property
    def tally(self) -> dict[str, int]:
        """The number of points in each state that occurs."""
        counts = Counter(point.state for point in self.points)
        return {state: counts[state] for state in STATES if counts[state]}

    @property
    def run_ids(self) -> list[UUID]:
        """The ids of the points' runs that the reader may see."""
        return [point.run_id for point in self.points if point.run_id is not None]

    @property
    def version(self) -> str:
        """A text that changes with the page."""
        return f"{self.state}.{self.runs}.{self.job.reports if self.job else 0}"

    @property
    def state(self) -> str:
        """The state of the campaign, or `unannounced`."""
        return self.campaign.state if self.campaign else "unannounced"


@dataclass(frozen=True)
class _PointRun:
    """A stored run of a point; `run_id` is None if this reader may not see it."""

    run_id: UUID | None
    rounds: int
    failed_rounds: int
    results: int


def campaign_status(campaign_id: UUID, user: Reader) -> CampaignStatus | None:
    """The campaign with its points; None if there is none that `user` may see. At most five queries."""
    campaign = Campaign.objects.visible_to(user).select_related("machine", "owner").filter(pk=campaign_id).first()
    if campaign is None:
        return None if Campaign.objects.filter(pk=campaign_id).exists() else _unannounced(campaign_id, user)
    ids = set(_visible_runs(campaign, user).values_list("id", flat=True))
    by_point = _by_point(_runs(campaign), ids)
    job = _jobs(campaign).first()
    progress: StoredProgress = job.progress if job and job.progress and not job.is_over else {}
    points = [_status(point, by_point.get(point["id"]), campaign, progress.get("point")) for point in campaign.points]
    return CampaignStatus(campaign_id, campaign, points, len(ids), job, campaign.owner)


def in_short(campaign_id: UUID, user: Reader) -> CampaignStatus | None:
    """The campaign without points, for clients that poll every second. At most four queries."""
    campaign = Campaign.objects.visible_to(user).filter(pk=campaign_id).only("owner", "visibility", "state").first()
    if campaign is not None:
        job = _jobs(campaign).only("reports").first()
        return CampaignStatus(campaign_id, campaign, [], _visible_runs(campaign, user).count(), job)
    if Campaign.objects.filter(pk=campaign_id).exists():
        return None
    runs = Run.objects.of_campaign(campaign_id).listed_for(user).count()
    return CampaignStatus(campaign_id, None, [], runs) if runs else None


def _runs(campaign: Campaign) -> RunQuerySet:
    return Run.objects.filter(campaign_id=campaign.pk, runstate__owner=campaign.owner_id)


def _visible_runs(campaign: Campaign, user: Reader) -> RunQuerySet:
    """The runs that lists show; of a campaign that nothing public names, also unlisted ones.

    The document of a public run names its campaign, so everybody may have the address of an unlisted one.
    """
    runs = _runs(campaign)
    named = campaign.visibility == Visibility.PUBLIC or (
        campaign.owner_id != user.pk and runs.filter(runstate__visibility=Visibility.PUBLIC).exists()
    )
    return runs.listed_for(user) if named else runs.visible_to(user)


def _jobs(campaign: Campaign) -> JobQuerySet:
    return Job.objects.filter(campaign_id=campaign.pk, owner=campaign.owner_id)


def announced(campaign_id: UUID, run: Run, user: Reader) -> CampaignQuerySet:
    """The campaign of a run, if the run's owner announced it and what `user` reads of the run may name it.

    A public run names no campaign that lists do not show: it would lead everybody to an unlisted one.
    """
    found = Campaign.objects.filter(pk=campaign_id, owner=run.runstate.owner_id)
    return found.listed_for(user) if run.runstate.visibility == Visibility.PUBLIC else found.visible_to(user)


def is_there(campaign_id: UUID, run: Run, user: Reader) -> bool:
    """Whether `campaign_status` finds the campaign of a run, and what `user` reads of it may name it; three queries."""
    if announced(campaign_id, run, user).exists():
        return True
    runs = Run.objects.of_campaign(campaign_id).filter(runstate__owner=run.runstate.owner_id)
    return not Campaign.objects.filter(pk=campaign_id).exists() and runs.listed_for(user).exists()


def run_counts(campaigns: list[Campaign], user: Reader) -> dict[UUID, int]:
    """The number of runs of each campaign that `user` may list; one query."""
    runs = Run.objects.listed_for(user).filter(campaign_id__in=[campaign.pk for campaign in campaigns])
    owners = {campaign.pk: campaign.owner_id for campaign in campaigns}
    counted = runs.values("campaign_id", owner=F("runstate__owner")).annotate(number=Count("id")).order_by()
    return {pk: row["number"] for row in counted if (pk := row["campaign_id"]) and owners[pk] == row["owner"]}


def _unannounced(campaign_id: UUID, user: Reader) -> CampaignStatus | None:
    runs = Run.objects.of_campaign(campaign_id).listed_for(user)
    by_point = _by_point(runs, None)
    points = []
    for point, run in sorted(by_point.items()):
        target, _, workload = point.partition("/")
        points.append(_of_run(point, target, workload or "run", run))
    owner = User.objects.filter(pk__in=runs.values("runstate__owner"))
    return CampaignStatus(campaign_id, None, points, runs.count(), None, owner.first()) if points else None


def _by_point(runs: RunQuerySet, visible: Collection[UUID] | None) -> dict[str, _PointRun]:
    """The newest run of each point, of those in `visible` if there is one (None: all are); others without their ids."""
    failed = RawSQL(_FAILED, [], output_field=IntegerField())
    columns = ("id", "campaign_point", "round_count", "failed", "runstate__result_count")
    by_point: dict[str, _PointRun] = {}
    for run_id, point, *counts in runs.annotate(failed=failed).order_by("id").values_list(*columns):
        shown = visible is None or run_id in visible
        if shown or (point or "") not in by_point:
            by_point[point or ""] = _PointRun(run_id if shown else None, *counts)
    return by_point


def _status(point: StoredPoint, run: _PointRun | None, campaign: Campaign, running: str | None) -> PointStatus:
    names = (point["id"], point["target"], point["workload"])
    if run is not None:
        return _of_run(*names, run)
    if point["state"] == "skipped":
        return PointStatus(*names, "skipped", point["reason"] or "")
    if campaign.is_over:
        return PointStatus(*names, "missing")
    return PointStatus(*names, "running" if point["id"] == running else "waiting")


def _of_run(point: str, target: str, workload: str, run: _PointRun) -> PointStatus:
    if run.run_id is None:
        return PointStatus(point, target, workload, "private")
    state = "failed" if run.failed_rounds else "finished"
    return PointStatus(point, target, workload, state, "", run.run_id, run.rounds, run.failed_rounds, run.results)


def queueable(owner: User) -> QuerySet[Machine]:
    """The owner's machines that may have an agent, without machines that have only imported runs. One query."""
    runs = Facets.objects.filter(machine=OuterRef("pk"))
    imported = Exists(runs.filter(source=Source.IMPORTED)) & ~Exists(runs.filter(source=Source.MEASURED))
    own = Machine.objects.filter(owner=owner).exclude(imported, listener=None)
    return own.select_related("listener").order_by("name", "pk")

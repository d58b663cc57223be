"""Campaigns that agents announced, and the queue of plans that wait for a machine."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from benchdb.http.requests import Reader
from benchdb.runs.models import Visibility

LISTENS = timedelta(minutes=2)  # an agent is online so long after its last request


class CampaignState(models.TextChoices):
    """The state of a campaign, as its agent reports it; the next start of the agent finds `killed`."""

    RUNNING = "running"
    FINISHED = "finished"
    STOPPED = "stopped"
    KILLED = "killed"
    FAILED = "failed"


class CampaignQuerySet(models.QuerySet["Campaign"]):
    """Campaigns by visibility, as for runs."""

    def visible_to(self, user: Reader) -> CampaignQuerySet:
        """Campaigns that `user` may open by their address: public and unlisted ones, and the user's own."""
        allowed = models.Q(visibility__in=[Visibility.PUBLIC, Visibility.UNLISTED])
        if user.is_authenticated:
            allowed |= models.Q(owner=user)
        return self.filter(allowed)

    def listed_for(self, user: Reader) -> CampaignQuerySet:
        """Campaigns that lists show `user`: public ones, and the user's own."""
        allowed = models.Q(visibility=Visibility.PUBLIC)
        if user.is_authenticated:
            allowed |= models.Q(owner=user)
        return self.filter(allowed)


class Campaign(models.Model):
    """One execution of a plan. The announcement never changes; its end is added once."""

    id = models.UUIDField(primary_key=True, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="campaigns")
    visibility = models.CharField(max_length=16, choices=Visibility.choices)
    digest = models.BinaryField(max_length=32, help_text="SHA-256 of the document's canonical JSON without its end")
    document_bytes = models.BigIntegerField(db_default=0, help_text="bytes of the document, uncompressed JSON")
    machine = models.ForeignKey("catalog.Machine", models.PROTECT, related_name="campaigns")
    agent_version = models.CharField(max_length=200)
    plan_name = models.CharField(max_length=200)
    plan_text = models.TextField()
    plan_sha256 = models.CharField(max_length=64)
    settings = models.JSONField(help_text="order, cache, seed, rounds, …")
    targets = models.JSONField()
    workloads = models.JSONField()
    points = models.JSONField()
    point_count = models.IntegerField()
    started_at = models.DateTimeField()
    state = models.CharField(max_length=16, choices=CampaignState.choices, default=CampaignState.RUNNING)
    ended = models.JSONField(null=True, help_text="when, why, and how many points ended how")
    content_digest = models.BinaryField(
        max_length=32,
        null=True,
        help_text="of what the plan measures (plan_content.py); null until a worker computed it",
    )
    judged_at = models.DateTimeField(null=True, help_text="when a worker looked for campaigns of the same plan")
    judge_attempts = models.SmallIntegerField(db_default=0, help_text="to judge it, also those that were killed")

    objects = CampaignQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["owner", "visibility"]),
            models.Index(fields=["content_digest", "started_at"], name="campaigns_of_plan"),
            models.Index(fields=["id"], name="campaigns_to_judge", condition=models.Q(judged_at=None)),
        ]

    def __str__(self) -> str:
        return f"{self.plan_name} {self.id}"

    def get_absolute_url(self) -> str:
        return reverse("campaign", args=[self.id])

    @property
    def is_over(self) -> bool:
        return self.state != CampaignState.RUNNING


class JobState(models.TextChoices):
    """The state of a queued plan on its machine."""

    WAITING = "waiting"
    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"
    REFUSED = "refused"
    CANCELLED = "cancelled"


ENDED = (JobState.FINISHED, JobState.FAILED, JobState.REFUSED, JobState.CANCELLED)


class JobQuerySet(models.QuerySet["Job"]):
    """Jobs with data for pages."""

    def for_pages(self) -> JobQuerySet:
        """With the machine, and `announced`: whether the campaign of the job and its owner is stored."""
        campaigns = Campaign.objects.filter(pk=models.OuterRef("campaign_id"), owner=models.OuterRef("owner"))
        announced = {"announced": models.Exists(campaigns)}
        return self.select_related("machine__listener").annotate(**announced)


class Job(models.Model):
    """A plan that waits for one machine or runs on it. An agent keeps the lease as long as it reports."""

    announced: bool  # from `for_pages`

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="jobs")
    machine = models.ForeignKey("catalog.Machine", models.CASCADE, related_name="jobs")
    plan_name = models.CharField(max_length=200)
    plan_text = models.TextField()
    files = models.JSONField(default=dict, help_text="texts of the files that the plan names, by their names")
    document_bytes = models.BigIntegerField(db_default=0, help_text="bytes of the plan and its files")
    visibility = models.CharField(max_length=16, choices=Visibility.choices, default=Visibility.PRIVATE)
    state = models.CharField(max_length=16, choices=JobState.choices, default=JobState.WAITING)
    reason = models.TextField(blank=True, help_text="why the state is what it is")
    cancel = models.BooleanField(default=False, help_text="the agent shall stop when it reports")
    claims = models.SmallIntegerField(default=0, help_text="how often an agent took it")
    lease = models.UUIDField(null=True, help_text="of the agent that took it last")
    lease_ends_at = models.DateTimeField(null=True)
    progress = models.JSONField(null=True, help_text="what the agent reported last")
    reports = models.IntegerField(default=0)
    campaign_id = models.UUIDField(null=True)
    queued_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["machine", "queued_at"], name="waiting_jobs", condition=models.Q(state="waiting")),
            models.Index(fields=["lease_ends_at"], name="running_jobs", condition=models.Q(state="running")),
            models.Index(fields=["owner", "-queued_at"], name="jobs_of_owner"),
            models.Index(fields=["campaign_id"], name="job_by_campaign"),
        ]

    def __str__(self) -> str:
        return f"{self.plan_name} on {self.machine_id}: {self.state}"

    def get_absolute_url(self) -> str:
        return reverse("job", args=[self.id])

    @property
    def is_over(self) -> bool:
        return self.state in ENDED

    @property
    def version(self) -> str:
        """A text that changes with the job's page."""
        return f"{self.state}.{self.claims}.{self.reports}.{int(self.cancel)}"


class Listener(models.Model):
    """The agent of a machine that asks for work, with its last request."""

    machine = models.OneToOneField("catalog.Machine", models.CASCADE, primary_key=True, related_name="listener")
    agent_version = models.CharField(max_length=200)
    seen_at = models.DateTimeField()
    offer = models.JSONField(null=True, help_text="what its config file allows, and what it can use")

    def __str__(self) -> str:
        return f"{self.machine_id}: {self.seen_at}"

    @property
    def is_there(self) -> bool:
        return timezone.now() - self.seen_at < LISTENS

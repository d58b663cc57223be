"""A run, which never changes; its state, which may; and the tombstone of a deleted run."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Coalesce
from django.urls import reverse

from benchdb.http.requests import Reader
from benchdb.stats import STATISTICS_VERSION

from .facets import Facets, Source


class Visibility(models.TextChoices):
    """The readers of a run: its owner; everybody with its address; everybody, with the run in lists."""

    PRIVATE = "private"
    UNLISTED = "unlisted"
    PUBLIC = "public"

    def within(self) -> list[Visibility]:
        """The visibilities for at least as many readers as this one."""
        ascending = list(Visibility)
        return ascending[ascending.index(self) :]


class PermalinkReader(AnonymousUser):
    """A reader of a permalink: sees the runs that it shows and, of all others, only public ones."""

    def __init__(self, runs: list[UUID]) -> None:
        super().__init__()
        self.runs = runs


class State(models.TextChoices):
    """The server's progress with a stored run."""

    RECEIVED = "received"
    COMPUTING = "computing"
    READY = "ready"
    FAILED = "failed"


UNFINISHED, FINISHED = (State.RECEIVED, State.COMPUTING), (State.READY, State.FAILED)


def _named(user: Reader, path: str) -> models.Q:
    """The condition for runs whose ids may be told to `user`; `path` leads to the state of a run."""
    allowed = models.Q(**{f"{path}visibility": Visibility.PUBLIC})
    if user.is_authenticated:
        allowed |= models.Q(**{f"{path}owner": user})
    elif isinstance(user, PermalinkReader):
        allowed |= models.Q(pk__in=user.runs)
    return allowed


def _listed(user: Reader, path: str) -> models.Q:
    """The condition for runs in lists and searches of `user`."""
    return _named(user, path) & models.Q(**{f"{path}withdrawn_at": None})


def _campaign_owner(campaign_id: UUID | models.OuterRef) -> Coalesce:
    """The owner of a campaign: the user who announced it, else the owner of its first stored run."""
    announced = User.objects.filter(campaigns=campaign_id).values("pk")  # `plans.Campaign`, which imports this module
    runs = Run.objects.filter(campaign_id=campaign_id).order_by("received_at", "id")
    return Coalesce(models.Subquery(announced), models.Subquery(runs.values("runstate__owner")[:1]))


def in_own_campaign() -> models.Q:
    """Whether a run is in a campaign of its owner. Anybody can name any id as the campaign of a run."""
    return models.Q(campaign_id__isnull=False, runstate__owner=_campaign_owner(models.OuterRef("campaign_id")))


def in_hidden_campaign(user: Reader) -> models.Exists:
    """Whether the campaign of a run was announced, and lists do not show it to `user`."""
    hidden = [Visibility.PRIVATE, Visibility.UNLISTED]
    announced = User.objects.filter(campaigns=models.OuterRef("campaign_id"), campaigns__visibility__in=hidden)
    return models.Exists(announced.exclude(pk=user.pk or 0))


class RunQuerySet(models.QuerySet["Run"]):
    """Queries for runs. Every read starts with `visible_to` or `listed_for`."""

    def visible_to(self, user: Reader) -> RunQuerySet:
        """Runs that `user` may open by their address: public and unlisted runs, and the user's own."""
        if isinstance(user, PermalinkReader):
            return self.filter(models.Q(runstate__visibility=Visibility.PUBLIC) | models.Q(pk__in=user.runs))
        allowed = models.Q(runstate__visibility__in=[Visibility.PUBLIC, Visibility.UNLISTED])
        if user.is_authenticated:
            allowed |= models.Q(runstate__owner=user)
        return self.filter(allowed)

    def named_to(self, user: Reader) -> RunQuerySet:
        """Runs that other runs may name to `user`: public runs and the user's own, also withdrawn ones."""
        return self.filter(_named(user, "runstate__"))

    def listed_for(self, user: Reader) -> RunQuerySet:
        """Runs in lists and searches of `user`: public runs and the user's own, unless withdrawn."""
        return self.filter(_listed(user, "runstate__"))

    def of_campaign(self, campaign_id: UUID) -> RunQuerySet:
        """The runs of a campaign that belong to its owner; runs of others that name it are left out."""
        return self.filter(campaign_id=campaign_id, runstate__owner=_campaign_owner(campaign_id))

    def of_campaigns(self) -> RunQuerySet:
        """The runs that belong to a campaign of their owner."""
        return self.filter(in_own_campaign())

    def with_context(self) -> RunQuerySet:
        """Runs with their machine, environment, target and state in one query."""
        return self.select_related("machine", "environment", "target", "runstate")


class Run(models.Model):
    """All rounds of one point by one agent in one environment, exactly as in the document."""

    id = models.UUIDField(primary_key=True, editable=False)
    digest = models.BinaryField(max_length=32, help_text="SHA-256 of the document's canonical JSON")
    schema = models.CharField(max_length=64)
    agent_version = models.CharField(max_length=200)
    machine = models.ForeignKey("catalog.Machine", models.PROTECT, related_name="runs")
    environment = models.ForeignKey("catalog.Environment", models.PROTECT, related_name="runs")
    target = models.ForeignKey("catalog.Target", models.PROTECT, related_name="runs")
    tool = models.CharField(max_length=64)
    tool_version = models.CharField(max_length=200, null=True)
    command = ArrayField(models.TextField())
    parameters = models.JSONField()
    clock_resolution = models.FloatField(null=True, help_text="seconds of one tick of the tool's clock")
    protocol = models.JSONField()
    cache_regime = models.CharField(max_length=16, null=True)
    rounds = models.JSONField()
    round_count = models.IntegerField()
    state_before = models.JSONField()
    campaign_id = models.UUIDField(null=True)
    campaign_point = models.CharField(max_length=200, null=True)
    continues = models.UUIDField(null=True, unique=True, help_text="the run whose rounds come first in this one")
    look = models.SmallIntegerField(
        default=1, help_text="how often the growing run was looked at, this one included; 0: it cannot grow"
    )
    extra = models.JSONField()
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField()
    received_at = models.DateTimeField(auto_now_add=True)

    objects = RunQuerySet.as_manager()

    class Meta:
        # Lists are sorted by id: a UUIDv7 starts with the agent's time, so the newest run has the greatest id.
        indexes = [
            models.Index(fields=["tool", "-id"], name="run_by_tool"),
            models.Index(fields=["campaign_id", "received_at", "id"], name="run_by_campaign"),
            models.Index(fields=["started_at", "id"], name="run_by_start"),
        ]

    def __str__(self) -> str:
        return f"{self.tool} {self.id}"

    def get_absolute_url(self) -> str:
        return reverse("run", args=[self.id])


def source_of(run: Run) -> Source:
    """The origin of a run, from the entries that imports and articles have in `extra`; store/facets.py has the SQL."""
    if "publication" in run.extra:
        return Source.PUBLISHED
    return Source.IMPORTED if "import" in run.extra else Source.MEASURED


class RunStateQuerySet(models.QuerySet["RunState"]):
    """Queries for the states of runs; also the queries of lists, which do not read whole runs."""

    def listed_for(self, user: Reader) -> RunStateQuerySet:
        """The states of the runs in lists and searches of `user`; the rule is that of `RunQuerySet.listed_for`."""
        return self.filter(_listed(user, ""))

    def of_campaign(self, campaign_id: UUID) -> RunStateQuerySet:
        """The states of the runs of a campaign; the rule is that of `RunQuerySet.of_campaign`."""
        return self.filter(run__campaign_id=campaign_id, owner=_campaign_owner(campaign_id))

    def outdated(self) -> RunStateQuerySet:
        """Finished runs with summaries of an older statistics version, newest statistics and newest runs first."""
        finished = self.filter(state__in=FINISHED, statistics_version__lt=STATISTICS_VERSION)
        return finished.order_by("-statistics_version", "-run_id")


class RunState(models.Model):
    """The part of a run that may change."""

    run = models.OneToOneField(Run, models.CASCADE, primary_key=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="runs")
    visibility = models.CharField(max_length=16, choices=Visibility.choices)
    labels = models.JSONField(default=dict)
    facets = models.ForeignKey(Facets, models.PROTECT, null=True, related_name="states", db_index=False)
    state = models.CharField(max_length=16, choices=State.choices, default=State.RECEIVED)
    failure = models.TextField(blank=True, help_text="why the state is failed")
    changed_at = models.DateTimeField(auto_now=True, help_text="of the state")
    attempts = models.SmallIntegerField(
        db_default=0, help_text="how often computing it began since it was finished last"
    )
    current_parse = models.SmallIntegerField(default=1)
    result_count = models.IntegerField(default=0, help_text="of the current parse")
    statistics_version = models.SmallIntegerField(
        default=0, help_text="the newest one that this run was computed with, or failed with; 0 where none was yet"
    )
    withdrawn_at = models.DateTimeField(null=True)
    withdrawn_reason = models.TextField(blank=True)
    withdrawn_by_staff = models.BooleanField(db_default=False, help_text="the owner may then not reinstate it")
    visibility_limit = models.CharField(
        max_length=16,
        null=True,
        choices=Visibility.choices,
        help_text="set by staff: the owner may not show it to more people",
    )
    sent_with = models.BigIntegerField(
        null=True, help_text="id of the token that uploaded it, which no later token gets; null for imports"
    )
    # For quotas; the transaction that deletes the run subtracts both from the use of its owner.
    value_count = models.BigIntegerField(db_default=0, help_text="values of the document")
    document_bytes = models.BigIntegerField(db_default=0, help_text="bytes of its document, uncompressed JSON")

    objects = RunStateQuerySet.as_manager()

    class Meta:
        verbose_name = "run"  # in the admin, RunState is the page of a run
        indexes = [
            models.Index(fields=["owner", "visibility"]),
            models.Index(fields=["facets", "run"], name="runs_by_facets"),
            # Read backwards: after an upgrade the sweep looks for runs of older statistics.
            models.Index(fields=["statistics_version", "run"], name="runs_by_statistics"),
            # Workers and the sweep look for the few runs that are not finished.
            models.Index(
                fields=["owner", "state", "changed_at", "run"],
                name="unfinished_runs",
                condition=models.Q(state__in=list(map(str, UNFINISHED))),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.run_id}: {self.state}"


class Tombstone(models.Model):
    """The id of a deleted run; the API answers 410 for it and accepts no document under it again.

    As soon as a tombstone exists, no page shows figures of the run. `redacted_at` is the time when the figures were
    removed from shared tables.
    """

    run_id = models.UUIDField(primary_key=True)
    deleted_at = models.DateTimeField(auto_now_add=True)
    redacted_at = models.DateTimeField(null=True)
    archived = ArrayField(
        models.CharField(max_length=200), null=True, help_text="what is still there of its raw output"
    )

    class Meta:
        indexes = [
            models.Index(fields=["deleted_at"], name="not_redacted_yet", condition=models.Q(redacted_at=None)),
            models.Index(fields=["run_id"], name="still_archived", condition=models.Q(archived__isnull=False)),
        ]

    def __str__(self) -> str:
        return str(self.run_id)


class Artifact(models.Model):
    """Raw output of a tool, byte for byte as the agent sent it."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="artifacts", db_index=False)
    ordinal = models.IntegerField()
    name = models.CharField(max_length=200)
    media_type = models.CharField(max_length=100)
    sha256 = models.BinaryField(max_length=32)
    size = models.BigIntegerField(help_text="bytes")
    content = models.BinaryField(null=True, help_text="NULL where it is in the archive; read it by archive.content_of")
    archived = models.CharField(max_length=200, null=True, help_text="its name in the archive")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "name"], name="artifact_name_once_per_run")]

    def __str__(self) -> str:
        return f"{self.run_id} {self.name}"

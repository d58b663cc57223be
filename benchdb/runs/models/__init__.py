"""Runs and what they measured. A `Run` is immutable; what may change about it is its `RunState`."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Cast, Coalesce
from django.urls import reverse

from benchagent import formats
from benchdb.stats import STATISTICS_VERSION


class Source(models.TextChoices):
    """Where the figures of a run are from: an agent, a file that somebody imported, an article."""

    MEASURED = "measured"
    IMPORTED = "imported"
    PUBLISHED = "published"


def source_of(run: Run) -> Source:
    """By what the server itself notes when it stores imports and articles; `_FOUND` below asks the same in SQL."""
    if "publication" in run.extra:
        return Source.PUBLISHED
    return Source.IMPORTED if "import" in run.extra else Source.MEASURED


class Facets(models.Model):
    """Runs of which all of this is the same share a row, so that lists count a row for many runs.

    `digest` is the SHA-256 of the other columns. A row that no run uses any more goes with its environment or target.
    """

    digest = models.BinaryField(max_length=32, unique=True)
    machine = models.ForeignKey("catalog.Machine", models.CASCADE, related_name="+")
    environment = models.ForeignKey("catalog.Environment", models.CASCADE, related_name="+")
    target = models.ForeignKey("catalog.Target", models.CASCADE, related_name="+")
    tool = models.CharField(max_length=64)
    tool_version = models.CharField(max_length=200, null=True)
    cache_regime = models.CharField(max_length=16)
    source = models.CharField(max_length=16, choices=Source.choices)
    article = models.CharField(max_length=200, null=True, help_text="slug of the publication that has the figures")
    tests = ArrayField(models.CharField(max_length=64), help_text="of the current parse, sorted")

    class Meta:
        verbose_name_plural = "facets"

    def __str__(self) -> str:
        return f"{self.tool} {self.pk}"


class Visibility(models.TextChoices):
    """Who may read a run: its owner; whoever has the address; everybody, and lists show it."""

    PRIVATE = "private"
    UNLISTED = "unlisted"
    PUBLIC = "public"


class State(models.TextChoices):
    """How far the server is with a stored run."""

    RECEIVED = "received"
    COMPUTING = "computing"
    READY = "ready"
    FAILED = "failed"


def _listed(user: Any, path: str) -> models.Q:
    """What lists and searches show `user`; `path` leads to the state of a run."""
    allowed = models.Q(**{f"{path}visibility": Visibility.PUBLIC})
    if user.is_authenticated:
        allowed |= models.Q(**{f"{path}owner": user})
    return allowed & models.Q(**{f"{path}withdrawn_at": None})


class RunQuerySet(models.QuerySet["Run"]):
    """Questions about runs. Every read starts from `visible_to` or `listed_for`."""

    def visible_to(self, user: Any) -> RunQuerySet:
        """Runs that `user` may open by their address: public and unlisted ones, and the user's own."""
        allowed = models.Q(runstate__visibility__in=[Visibility.PUBLIC, Visibility.UNLISTED])
        if user.is_authenticated:
            allowed |= models.Q(runstate__owner=user)
        return self.filter(allowed)

    def listed_for(self, user: Any) -> RunQuerySet:
        """Runs that lists and searches show `user`: public ones, and the user's own."""
        return self.filter(_listed(user, "runstate__"))

    def of_campaign(self, campaign_id: UUID) -> RunQuerySet:
        """The runs of a campaign. It belongs to the owner of its first stored run; what others add is not in it."""
        first = Run.objects.filter(campaign_id=campaign_id).order_by("received_at", "id")
        return self.filter(campaign_id=campaign_id, runstate__owner=first.values("runstate__owner")[:1])

    def with_context(self) -> RunQuerySet:
        """With machine, environment, target and state, in the same query."""
        return self.select_related("machine", "environment", "target", "runstate")


class Run(models.Model):
    """All rounds of one point by one agent in one environment, exactly as the document said."""

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
    cache_regime = models.CharField(max_length=16)
    rounds = models.JSONField()
    round_count = models.IntegerField()
    state_before = models.JSONField()
    campaign_id = models.UUIDField(null=True)
    campaign_point = models.CharField(max_length=200, null=True)
    extra = models.JSONField()
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField()
    received_at = models.DateTimeField(auto_now_add=True)

    objects = RunQuerySet.as_manager()

    class Meta:
        # Lists are sorted by id: a UUIDv7 begins with the agent's time, so the newest run has the greatest id.
        indexes = [
            models.Index(fields=["tool", "-id"], name="run_by_tool"),
            models.Index(fields=["campaign_id"], name="run_by_campaign"),
            models.Index(fields=["started_at", "id"], name="run_by_start"),
        ]

    def __str__(self) -> str:
        return f"{self.tool} {self.id}"

    def get_absolute_url(self) -> str:
        return reverse("run", args=[self.id])


class RunStateQuerySet(models.QuerySet["RunState"]):
    """Questions about how far the server is with its runs, and those of lists, which need not read whole runs."""

    def listed_for(self, user: Any) -> RunStateQuerySet:
        """The states of the runs that lists and searches show `user`; the same rule as of runs."""
        return self.filter(_listed(user, ""))

    def outdated(self) -> RunStateQuerySet:
        """Finished runs whose summaries are of an older statistics version, the newest runs first."""
        finished = self.filter(state__in=[State.READY, State.FAILED], statistics_version__lt=STATISTICS_VERSION)
        return finished.order_by("-statistics_version", "-run_id")


class RunState(models.Model):
    """What may change about a run."""

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
    statistics_version = models.SmallIntegerField(
        default=0, help_text="the newest one that this run was computed with, or failed with; 0 where none was yet"
    )
    withdrawn_at = models.DateTimeField(null=True)
    withdrawn_reason = models.TextField(blank=True)

    objects = RunStateQuerySet.as_manager()

    class Meta:
        verbose_name = "run"  # to whom it is shown: what may change about a run
        indexes = [
            models.Index(fields=["owner", "visibility"]),
            models.Index(fields=["facets", "run"], name="runs_by_facets"),
            # Read backwards: after an upgrade the sweep looks for runs of older statistics.
            models.Index(fields=["statistics_version", "run"], name="runs_by_statistics"),
            # The sweep looks for the few runs that are not finished.
            models.Index(
                fields=["changed_at"], name="unfinished_runs", condition=models.Q(state__in=["received", "computing"])
            ),
        ]

    def __str__(self) -> str:
        return f"{self.run_id}: {self.state}"


class ParseQuerySet(models.QuerySet["Parse"]):
    """Questions about readings."""

    def unread(self) -> ParseQuerySet:
        """Current parses of raw output that the parsers of today have not looked at, of the newest runs first."""
        tools = [each.TOOL for each in formats.FORMATS]
        current = self.filter(number=models.F("run__runstate__current_parse"), run__tool__in=tools)
        unseen = current.exclude(parser_version=formats.PARSER_VERSION).exclude(checked_by=formats.PARSER_VERSION)
        return unseen.order_by("-run_id")


class Parse(models.Model):
    """One reading of a run's raw output. A better parser adds a parse; results hang on a parse, so nothing is lost."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="parses")
    number = models.SmallIntegerField()
    parser_version = models.CharField(max_length=64)
    sources = models.JSONField(null=True, help_text="names of artifacts by round, as `lines` of results count them")
    created_at = models.DateTimeField(auto_now_add=True)
    checked_by = models.CharField(
        max_length=64, blank=True, help_text="the parser version that read the same text again and added no parse"
    )
    refusal = models.TextField(blank=True, help_text="why `checked_by` could not read it; empty where it read the same")

    objects = ParseQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "number"], name="parse_number_once_per_run")]

    def __str__(self) -> str:
        return f"{self.run_id} parse {self.number}"


class Status(models.TextChoices):
    """Whether a quantity was measured."""

    OK = "ok"
    FAILED = "failed"
    UNMEASURABLE = "unmeasurable"


class SingleField(models.FloatField):  # type: ignore[type-arg]  # which Django has for type checkers only
    """A float of four bytes."""

    def db_type(self, connection: Any) -> str:
        return "real"


class Result(models.Model):
    """One measured quantity. Value i belongs to the run's round i, null where the round has none: ask for VALUES."""

    pk = models.CompositePrimaryKey("run_id", "parse", "ordinal")
    run = models.ForeignKey(Run, models.CASCADE, related_name="results", db_index=False)
    parse = models.SmallIntegerField()
    ordinal = models.IntegerField(help_text="place in the document, from 0")
    test = models.CharField(max_length=64)
    metric = models.CharField(max_length=64)
    unit = models.CharField(max_length=8)
    file_size = models.BigIntegerField(null=True, help_text="bytes")
    record_size = models.BigIntegerField(null=True, help_text="bytes")
    threads = models.IntegerField(null=True)
    params = models.JSONField(default=dict)
    values = ArrayField(models.FloatField(null=True), null=True)
    singles = ArrayField(
        SingleField(null=True), null=True, help_text="the values, where four bytes hold each of them exactly"
    )
    given = models.JSONField(null=True, help_text="n, mean and sd that somebody else computed")
    status = models.CharField(max_length=16, choices=Status.choices)
    error = models.TextField(null=True)
    evidence = models.JSONField(null=True)
    lines = models.TextField(
        null=True, help_text="where the values stand in the raw output: runs/store/value_places.py"
    )

    class Meta:
        # That no quantity stands twice in a run is seen to by the check of documents, and by the merging of readings:
        # a unique index over all that makes a quantity would be a fifth of what a run takes on the disk.
        indexes = [models.Index(fields=["run", "test"], name="results_by_test")]

    def __str__(self) -> str:
        return f"{self.run_id} {self.test} {self.metric}"


# The values of a result, wherever they are.
VALUES = Coalesce("values", Cast("singles", ArrayField(models.FloatField(null=True))))


class Summary(models.Model):
    """Statistics of one result, in the result's unit; current and previous statistics version are kept."""

    pk = models.CompositePrimaryKey("run_id", "parse", "ordinal", "statistics_version")
    run = models.ForeignKey(Run, models.CASCADE, related_name="summaries", db_index=False)
    parse = models.SmallIntegerField()
    ordinal = models.IntegerField()
    statistics_version = models.SmallIntegerField()
    n = models.IntegerField()
    mean = models.FloatField(null=True)
    sd = models.FloatField(null=True)
    median = models.FloatField(null=True)
    minimum = models.FloatField(null=True)
    maximum = models.FloatField(null=True)
    mean_low = models.FloatField(null=True, help_text="95 % interval of the mean (Student t)")
    mean_high = models.FloatField(null=True)
    median_low = models.FloatField(null=True, help_text="95 % interval of the median (order statistics)")
    median_high = models.FloatField(null=True)
    outliers = ArrayField(models.IntegerField(), null=True, help_text="rounds whose value Tukey's fences flag, if any")
    drift_tau = models.FloatField(null=True, help_text="Kendall's tau of value and round")
    drift_p = models.FloatField(null=True)
    drift_change = models.FloatField(null=True)
    autocorrelation = models.FloatField(null=True, help_text="lag 1")
    autocorrelation_p = models.FloatField(null=True)
    modes_p = models.FloatField(null=True, help_text="Hartigan's dip test: p of one mode")
    warnings = models.JSONField(null=True)

    class Meta:
        verbose_name_plural = "summaries"

    def __str__(self) -> str:
        return f"{self.run_id} {self.ordinal}: {self.mean}"


class Artifact(models.Model):
    """A tool's raw output, byte for byte as the agent sent it."""

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


class Tombstone(models.Model):
    """A deleted run's id: it answers 410 and takes no document again.

    From the moment it is there nothing shows figures of the run. `redacted_at` is when they were taken out of what was
    shared, too.
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

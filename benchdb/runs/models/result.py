"""The readings of a run's raw output, their results and the statistics of these."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.functions import Cast, Coalesce

from benchagent import formats

from .run import Run


class ParseQuerySet(models.QuerySet["Parse"]):
    """Queries for parses."""

    def unread(self) -> ParseQuerySet:
        """Current parses that the present parser version has not checked, newest runs first."""
        tools = [tool_format.TOOL for tool_format in formats.all_formats().text]
        current = self.filter(number=models.F("run__runstate__current_parse"), run__tool__in=tools)
        unseen = current.exclude(parser_version=formats.PARSER_VERSION).exclude(checked_by=formats.PARSER_VERSION)
        return unseen.order_by("-run_id")


class Parse(models.Model):
    """One reading of a run's raw output. A better parser adds a parse, and the results of older parses are kept."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="parses")
    number = models.SmallIntegerField()
    parser_version = models.CharField(max_length=64)
    sources = models.JSONField(
        null=True, help_text="lists of artifact names by round; `source` of a result is an index"
    )
    dimensions = models.JSONField(default=dict, help_text="the values of each dimension of the results, each once")
    codes = models.BinaryField(default=b"", help_text="ordinals and dimensions of the results: packed_quantities.py")
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


class SingleField(models.FloatField):  # type: ignore[type-arg]  # generic for type checkers only
    """A four-byte float."""

    def db_type(self, connection: BaseDatabaseWrapper) -> str:
        return "real"


class Result(models.Model):
    """One measured quantity. Value i belongs to round i of the run, null if the round has no value; read `VALUES`."""

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
    source = models.IntegerField(null=True, help_text="index in the parse's `sources`: the artifact of each round")
    line = models.IntegerField(null=True, help_text="the line of the raw output, if it is the same in all rounds")
    lines = ArrayField(
        models.IntegerField(null=True), null=True, help_text="the line of the raw output by round, if they differ"
    )

    # The check of documents and the merging of readings keep a quantity unique in its run: a unique index for it would
    # take a fifth of the disk space of a run.

    def __str__(self) -> str:
        return f"{self.run_id} {self.test} {self.metric}"


class Histogram(models.Model):
    """The distributions of the latencies of one result, whose values are their means.

    Distribution i belongs to round i of the run, in HdrHistogram's encoding V2 and in ns; null if the round has none.
    """

    pk = models.CompositePrimaryKey("run_id", "parse", "ordinal")
    run = models.ForeignKey(Run, models.CASCADE, related_name="histograms", db_index=False)
    parse = models.SmallIntegerField()
    ordinal = models.IntegerField(help_text="of the result")
    packed = ArrayField(models.BinaryField(null=True))

    def __str__(self) -> str:
        return f"{self.run_id} {self.ordinal}"


# The values of a result, from whichever of its two columns has them.
VALUES = Coalesce("values", Cast("singles", ArrayField(models.FloatField(null=True))))


class Summary(models.Model):
    """Statistics of one result in its unit; the current and the previous statistics version are kept.

    Seven digits are enough for what is no figure of the result: p, correlations and relative changes.
    """

    # In this order an entry of the index takes 32 bytes; with `parse` before `ordinal` it would take 40.
    pk = models.CompositePrimaryKey("run_id", "ordinal", "parse", "statistics_version")
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
    drift_tau = SingleField(null=True, help_text="Kendall's tau of value and round")
    drift_p = SingleField(null=True)
    drift_change = SingleField(null=True)
    autocorrelation = SingleField(null=True, help_text="lag 1")
    autocorrelation_p = SingleField(null=True)
    modes_p = SingleField(null=True, help_text="Hartigan's dip test: p of one mode")
    warnings = models.JSONField(null=True)

    class Meta:
        verbose_name_plural = "summaries"

    def __str__(self) -> str:
        return f"{self.run_id} {self.ordinal}: {self.mean}"


class RoundSeries(models.Model):
    """The S series of one round, in arrays of equal lengths; a row for each of them would need a third more bytes.

    Point i of a series is of the time `start` + (i + 1) · `step`, in seconds after the beginning of the round, and is
    its packed integer i times `scale`, in the unit of `names` (benchagent/formats/sampled.py).
    """

    pk = models.CompositePrimaryKey("run_id", "round")
    run = models.ForeignKey(Run, models.CASCADE, related_name="series", db_index=False)
    round = models.IntegerField(help_text="counted from 0")
    names = ArrayField(models.CharField(max_length=64))
    tests = ArrayField(models.CharField(max_length=64, null=True), help_text="of series of a tool; else null")
    devices = ArrayField(
        models.CharField(max_length=64, null=True),
        null=True,
        help_text="of series of one disk; else null; null before 0.2",
    )
    sources = ArrayField(models.CharField(max_length=200))
    starts = ArrayField(models.FloatField())
    steps = ArrayField(models.FloatField())
    scales = ArrayField(models.FloatField())
    packed = ArrayField(models.BinaryField(), help_text="zlib of the zigzag LEB128 of the differences")
    totals = ArrayField(
        models.FloatField(), null=True, help_text="sums of counters and means of levels, in the unit of their names"
    )
    seconds = models.FloatField(null=True, help_text="the end of the last series, after the beginning of the round")

    def __str__(self) -> str:
        return f"{self.run_id} round {self.round + 1}"

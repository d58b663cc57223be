"""The series of a run's rounds: samples over time."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models

from .run import Run


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

"""The values by which lists filter runs, one row for all runs with the same values."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models


class Source(models.TextChoices):
    """The origin of a run's figures: an agent, an imported file or an article."""

    MEASURED = "measured"
    IMPORTED = "imported"
    PUBLISHED = "published"


class Facets(models.Model):
    """One row for all runs with the same facets, so that lists count few rows instead of many runs.

    `digest` is the SHA-256 of the other columns. A row is deleted with its last run, or with its environment or
    target.
    """

    digest = models.BinaryField(max_length=32, unique=True)
    machine = models.ForeignKey("catalog.Machine", models.CASCADE, related_name="+")
    environment = models.ForeignKey("catalog.Environment", models.CASCADE, related_name="+")
    target = models.ForeignKey("catalog.Target", models.CASCADE, related_name="+")
    tool = models.CharField(max_length=64)
    tool_version = models.CharField(max_length=200, null=True)
    cache_regime = models.CharField(max_length=16, null=True)
    source = models.CharField(max_length=16, choices=Source.choices)
    article = models.CharField(max_length=200, null=True, help_text="slug of the publication that has the figures")
    tests = ArrayField(models.CharField(max_length=64), help_text="of the current parse, sorted")

    class Meta:
        verbose_name_plural = "facets"

    def __str__(self) -> str:
        return f"{self.tool} {self.pk}"

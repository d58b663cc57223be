"""The servers that this one reads, and the runs of theirs that it refused."""

from __future__ import annotations

from django.conf import settings
from django.db import models

LONGEST_NAME = 60


class Source(models.Model):
    """Another server. Its public runs are stored for `owner`, whose quotas count them."""

    name = models.CharField(max_length=LONGEST_NAME, unique=True, help_text="also in `RunState.read_from`")
    address = models.CharField(max_length=500, unique=True, help_text="without a slash at the end")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="sources")
    after = models.BigIntegerField(default=0, help_text="number of the last change that was followed")
    read_at = models.DateTimeField(null=True, help_text="when all changes of the source had been followed")
    error = models.TextField(blank=True, help_text="why the last reading ended early; empty if it did not")

    def __str__(self) -> str:
        return self.name


class RefusedRun(models.Model):
    """A run of a source that was not stored, with the reasons; gone when it is stored or leaves the source."""

    source = models.ForeignKey(Source, models.CASCADE, related_name="refused")
    run_id = models.UUIDField()
    reason = models.TextField()
    refused_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["source", "run_id"], name="refused_run_once")]

    def __str__(self) -> str:
        return f"{self.run_id}: {self.reason}"

"""What workers make for readers: files of permalinks, and parts of live comparisons (`runs.kept`)."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone


class Export(models.Model):
    """A file or part that a worker makes or has made. It may be deleted at any time; the next request makes it again.

    The digest of a file covers everything that goes into it, so it is never served for another content, even after a
    redaction or an upgrade. That of a part is the key under which it is kept; it has no `data` and no `runs` here.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        READY = "ready"
        FAILED = "failed"
        REFUSED = "refused"  # the selection is impossible

    digest = models.CharField(max_length=64, primary_key=True)
    form = models.CharField(max_length=8, help_text="the extension of the file, or the maker of the part")
    state = models.CharField(max_length=8, choices=State, default=State.WAITING)
    source = models.BinaryField(help_text="what it is made of, as gzipped JSON; empty once a file is made")
    data = models.BinaryField(null=True, help_text="the file, gzipped")
    size = models.BigIntegerField(default=0, help_text="bytes of `source` and `data` as they are stored")
    failure = models.TextField(default="", blank=True)
    attempts = models.SmallIntegerField(default=0)
    runs = ArrayField(models.UUIDField(), help_text="whose figures are in it")
    asked_at = models.DateTimeField(help_text="when a worker was last asked for it")
    seconds = models.FloatField(default=0, help_text="of a processor that a worker is expected to need")
    due_at = models.DateTimeField(default=timezone.now, help_text="waiting ones are made in this order")
    used_at = models.DateTimeField(help_text="when it was last served, give or take an hour")

    class Meta:
        indexes = [models.Index(fields=["state", "asked_at"]), models.Index(fields=["used_at"])]

    def __str__(self) -> str:
        return f"{self.form} {self.digest[:12]} ({self.state})"

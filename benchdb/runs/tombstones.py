"""What is left of a deleted run."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models


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

"""What was evaluated from runs and kept; the order of their changes, and the turns of accounts at the workers."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models


class KeptPart(models.Model):
    """A content of a comparison or a rendered part of its page, without anything of a reader (`runs.kept`).

    `key` covers the selection and the runs that were read. A trigger deletes the row in the transaction that changes or
    deletes one of its runs.
    """

    key = models.BinaryField(primary_key=True, max_length=32)
    runs = ArrayField(models.UUIDField(), help_text="all that may have been read")
    data = models.BinaryField(help_text="compressed with zlib")
    used_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [
            GinIndex(fields=["runs"], name="kept_parts_of_run", fastupdate=False),
            models.Index(fields=["used_at"], name="kept_parts_by_use"),
        ]

    def __str__(self) -> str:
        return bytes(self.key).hex()


class Turn(models.Model):
    """The last times that a worker began to compute a run of an account, and to read or store one of its imports."""

    owner = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+")
    taken_at = models.DateTimeField(null=True)
    import_taken_at = models.DateTimeField(null=True)
    import_slow_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.owner_id}: {self.taken_at}"


class RunChange(models.Model):
    """The last change of a run that is public, or was public once; one row for each run, for good.

    The row has no relation to the run, which may have been deleted. What is public about the run now is in its state.
    """

    run_id = models.UUIDField(primary_key=True)
    number = models.BigIntegerField(
        null=True, unique=True, help_text="place in the order of changes; null until `number_changes` gives it"
    )
    changed_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["changed_at"], name="changes_to_number", condition=models.Q(number=None))]

    def __str__(self) -> str:
        return f"{self.run_id} {self.number}"

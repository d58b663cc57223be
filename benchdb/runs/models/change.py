"""The order in which runs became public, changed and left, for feeds and for servers that follow this one."""

from __future__ import annotations

from django.db import models


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

"""The turns of accounts at the workers, for a fair order."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Turn(models.Model):
    """The last times that a worker began to compute a run of an account, and to read or store one of its imports."""

    owner = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+")
    taken_at = models.DateTimeField(null=True)
    import_taken_at = models.DateTimeField(null=True)
    import_slow_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.owner_id}: {self.taken_at}"

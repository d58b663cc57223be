"""What was evaluated from runs, kept for the next reader who may see the same runs."""

from __future__ import annotations

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

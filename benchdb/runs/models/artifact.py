"""The raw output of a run."""

from __future__ import annotations

from django.db import models

from .run import Run


class Artifact(models.Model):
    """Raw output of a tool, byte for byte as the agent sent it."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="artifacts", db_index=False)
    ordinal = models.IntegerField()
    name = models.CharField(max_length=200)
    media_type = models.CharField(max_length=100)
    sha256 = models.BinaryField(max_length=32)
    size = models.BigIntegerField(help_text="bytes")
    content = models.BinaryField(null=True, help_text="NULL where it is in the archive; read it by archive.content_of")
    archived = models.CharField(max_length=200, null=True, help_text="its name in the archive")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "name"], name="artifact_name_once_per_run")]

    def __str__(self) -> str:
        return f"{self.run_id} {self.name}"

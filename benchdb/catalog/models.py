"""The tested systems: machines, their environments and the targets on them.

Environments and targets are content-addressed per owner: equal snapshots are stored once. The facets that people filter
by are columns; all facts from the agent are in `facts`.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models


class Machine(models.Model):
    """A system under test. `machine_id` is the agent's HMAC of the machine's id, never the id itself."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="machines")
    machine_id = models.CharField(max_length=64)
    name = models.CharField(max_length=200)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["owner", "machine_id"], name="machine_once_per_owner")]

    def __str__(self) -> str:
        return self.name


class Snapshot(models.Model):
    """Facts stored once per owner, found by the SHA-256 of their canonical JSON; the digest appears in no URL."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    digest = models.BinaryField(max_length=32)
    facts = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True


class Environment(Snapshot):
    """The state of a machine. `fingerprints` maps a component (cpu, memory, kernel, …) to the digest of its facts."""

    fingerprints = models.JSONField()
    cpu_model = models.CharField(max_length=200, null=True)
    cpu_threads = models.IntegerField(null=True)
    memory = models.BigIntegerField(null=True, help_text="bytes")
    kernel_release = models.CharField(max_length=200, null=True)
    os_name = models.CharField(max_length=200, null=True)
    virtualization = models.CharField(max_length=200, null=True)
    governor = models.CharField(max_length=200, null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["owner", "digest"], name="environment_once_per_owner")]
        indexes = [
            models.Index(fields=["kernel_release"]),
            models.Index(fields=["cpu_model"]),
            models.Index(fields=["memory"]),
        ]

    def __str__(self) -> str:
        return f"{self.cpu_model or 'unknown CPU'}, Linux {self.kernel_release or 'unknown'}"


class Target(Snapshot):
    """The storage under a workload, with every tunable from the directory to the disks."""

    kind = models.CharField(max_length=32)
    file_system = models.CharField(max_length=64, null=True)
    block_size = models.BigIntegerField(null=True, help_text="bytes")
    mkfs_options = models.TextField(help_text="options of the mkfs command, sorted, without the type and without force")
    mount_options = ArrayField(
        models.CharField(max_length=4096), null=True, help_text="effective, as the kernel lists them"
    )
    raid_level = models.CharField(max_length=200, null=True)
    raid_chunk = models.BigIntegerField(null=True, help_text="bytes")
    raid_members = models.BigIntegerField(null=True)
    layers = models.CharField(max_length=400, null=True, help_text="kinds between file system and disks: `lvm crypt`")
    disk_model = models.CharField(max_length=200, null=True)
    transport = models.CharField(max_length=200, null=True, help_text="of the first disk: nvme, sata, virtio, …")
    scheduler = models.CharField(max_length=200, null=True)
    read_ahead = models.BigIntegerField(null=True, help_text="bytes")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["owner", "digest"], name="target_once_per_owner")]
        indexes = [
            models.Index(fields=["file_system"]),
            models.Index(fields=["raid_level"]),
            models.Index(fields=["raid_chunk"]),
            models.Index(fields=["disk_model"]),
        ]

    def __str__(self) -> str:
        return self.file_system or "unknown file system"

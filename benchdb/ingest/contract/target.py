"""What the workload ran on: directory, mount, file system and everything below it. Settings only."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from .field_types import (
    Bytes,
    Contradiction,
    Count,
    Extra,
    Name,
    PositiveBytes,
    Provenance,
    Quantity,
    Scalar,
    Section,
    ShortName,
    Text,
)

MOST_OPTIONS = 64  # of a mount; NFS and CIFS, which list most, have 40


class FileSystem(Section):
    type: ShortName | None
    options: list[Text] = Field(default_factory=list, max_length=256)  # settings inside the file system: tune2fs, …
    features: list[Name] = Field(default_factory=list, max_length=256)
    block_size: PositiveBytes | None = None
    inode_size: PositiveBytes | None = None
    size: Bytes | None = None
    stride: Bytes | None = None
    stripe_width: Bytes | None = None
    mkfs_command: list[Text] | None = None  # program and arguments, as it was run


class Mount(Section):
    point: Text | None = None
    options: list[Text] | None = Field(default=None, max_length=MOST_OPTIONS)  # effective, as the kernel lists them


class Layer(Section):
    """One layer of the storage stack. Facts that only some kinds of layer have go into `facts`."""

    kind: Name  # image, loop, partition, lvm, crypt, multipath, raid, zfs, btrfs, bcache, disk, zram, pmem, network, …
    name: Name | None = None
    model: Name | None = None
    size: Bytes | None = None
    level: Name | None = None  # RAID level: raid0, raid1, raid5, raid6, raid10, …
    chunk: PositiveBytes | None = None
    layout: Name | None = None
    members: Count | None = None
    rotational: bool | None = None
    transport: Name | None = None
    scheduler: Name | None = None
    read_ahead: Bytes | None = None
    nr_requests: Count | None = None
    facts: dict[Name, Scalar] = Field(default_factory=dict, max_length=128)


class Target(Section):
    kind: Literal["directory", "image", "device"] = "directory"
    file_system: FileSystem
    mount: Mount
    stack: list[Layer] = Field(max_length=64)  # from the mount down to the disks
    read_ahead: Bytes | None = None  # of the block device that is mounted
    scheduler: Name | None = None
    nr_requests: Count | None = None
    provenance: Provenance = Field(default_factory=dict, max_length=1024)
    contradictions: list[Contradiction] = Field(default_factory=list, max_length=256)
    extra: Extra = Field(default_factory=dict)


class Layout(Section):
    extents_per_file: Quantity | None = None
    free_fragments: Count | None = None


class ArrayState(Section):
    """Whether an array of the machine is whole and at rest."""

    kind: Name  # raid, zfs, btrfs
    name: Name | None = None
    state: Name | None  # healthy, or the problem or activity: degraded, recovering
    done: Quantity | None = Field(default=None, le=1)  # the finished share of the activity


class StateBefore(Section):
    """Measured before the run: no part of the target's identity."""

    size: Bytes | None = None
    used: Bytes | None = None
    fill: Quantity | None = Field(default=None, le=1)
    files: Count | None = None
    layout: Layout | None = None
    aging: dict[Name, Scalar] | None = None
    arrays: list[ArrayState] = Field(default_factory=list, max_length=256)

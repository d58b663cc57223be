"""The target: everything between a directory and the disks under it, and its fill level before a run."""

from __future__ import annotations

from collections.abc import Callable

from benchagent.filesystems import named
from benchagent.filesystems.reading import Format
from benchagent.inventory.storage import raid
from benchagent.inventory.storage.block import tunables
from benchagent.inventory.storage.network import NETWORK
from benchagent.inventory.storage.stack import MEMORY, bdi_of, first_name, mounted_devices, options_of, stack

from .facts import DeviceTunables, Facts, TargetFacts, TargetState, cleaned
from .merging import merge_stack
from .mounts import MountInfo, mount_of, parse_mountinfo
from .source import PathFacts, Source

MOST_LAYERS = 64  # limit of the contract


def target(path: str, source: Source, scrub: Callable[[str], str]) -> tuple[TargetFacts, TargetState]:
    """The target of `path` and its state, in the shapes of the contract's `target` and `state_before`.

    Raises FileNotFoundError if the path does not exist.
    """
    real = source.resolve(path)
    status = source.path(real)
    if status is None:
        raise FileNotFoundError(real)
    mounts = parse_mountinfo(source.text("/proc/self/mountinfo") or "")
    # mountinfo was read with U+FFFD in place of bytes that are not UTF-8; the path needs the same spelling.
    mount = mount_of(mounts, real.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
    devices = mounted_devices(source, mount, status.device)
    settings = _settings(source, mounts, mount, devices, status, scrub)
    return settings, {**state(status), "arrays": _arrays(source, mount, devices)}


def state(status: PathFacts) -> TargetState:
    """`{size, used, fill, files}`: bytes, ratio of all blocks (root's reserve counts as free), inodes in use."""
    size, used = status.file_system_size, status.file_system_size - status.file_system_free
    return {
        "size": size,
        "used": used,
        "fill": used / size if size else None,
        "files": status.files - status.files_free if status.files else None,
    }


def _arrays(source: Source, mount: MountInfo | None, devices: list[str]) -> list[Facts]:
    """Whether the machine's arrays and the target's pool are complete and idle."""
    return raid.states(source) + (named(mount.type).states(source, mount, first_name(devices)) if mount else [])


def _settings(
    source: Source,
    mounts: list[MountInfo],
    mount: MountInfo | None,
    devices: list[str],
    status: PathFacts,
    scrub: Callable[[str], str],
) -> TargetFacts:
    layers, merge = merge_stack(stack(source, mounts, mount, devices), source, scrub)
    image = bool(devices) and source.exists(f"{devices[0]}/loop/backing_file")
    kind = mount.type if mount else None
    geometry = named(kind).settings(source, mount, first_name(devices)) if mount else Format()
    featureless = kind is not None and (MEMORY.fullmatch(kind) or NETWORK.fullmatch(kind) or kind == "overlay")
    queue = _tunables(source, mount, devices)
    details = {key: value for key, value in cleaned(geometry.details).items() if value is not None}
    facts: TargetFacts = {
        "kind": "image" if image else "directory",
        "file_system": {
            "type": kind,
            "options": [],
            "features": geometry.features or [],
            "block_size": geometry.block_size or status.block_size,
            "inode_size": geometry.inode_size,
            "stride": geometry.stride,
            "stripe_width": geometry.stripe_width,
            # That of a pooled one depends on the free space of the pool, so it is not a setting.
            "size": None if named(kind).pooled else status.file_system_size,
            "mkfs_command": None,
        },
        "mount": {
            # The mount point of an image is different each time.
            "point": scrub(mount.point) if mount and not image else None,
            "options": [scrub(option) for option in options_of(source, mount, devices)] if mount else [],
        },
        "stack": layers[:MOST_LAYERS],
        "scheduler": queue["scheduler"],
        "read_ahead": queue["read_ahead"],
        "nr_requests": queue["nr_requests"],
        "provenance": {} if geometry.features is not None or featureless else {"/file_system/features": "unknown"},
        "extra": {"file_system": details} if details else {},
    }
    if len(layers) > MOST_LAYERS:
        facts["extra"]["layers_left_out"] = len(layers) - MOST_LAYERS
    merge.into(facts)
    return facts


def _tunables(source: Source, mount: MountInfo | None, devices: list[str]) -> DeviceTunables:
    """`{read_ahead, scheduler, nr_requests}` of the mounted file system.

    btrfs and NFS have a read-ahead setting of their own. A pool has none, and no single device that is mounted.
    """
    facts: DeviceTunables = {"scheduler": None, "read_ahead": None, "nr_requests": None}
    if mount is not None and named(mount.type).pooled:
        return facts
    if devices:
        facts.update(tunables(source, devices[0]))
    mount_kib = source.integer(f"{bdi_of(source, mount, devices)}/read_ahead_kb") if mount else None
    if mount_kib is not None:
        facts["read_ahead"] = mount_kib * 1024
    return facts

"""The target: everything between a directory and the disks under it, and how full it is before a run."""

from __future__ import annotations

from collections.abc import Callable

from benchagent.inventory.storage import btrfs, raid, zfs
from benchagent.inventory.storage.block import name_of, tunables
from benchagent.inventory.storage.file_systems import file_system
from benchagent.inventory.storage.network import NETWORK
from benchagent.inventory.storage.stack import MEMORY, mounted_devices, options_of, stack

from .facts import Facts
from .merging import merge_stack
from .mounts import Mount, mount_of, parse_mountinfo
from .source import PathFacts, Source

MOST_LAYERS = 64  # of the contract
SHARED_SIZE = frozenset({"zfs"})  # its size is what the pool has left, so a measurement


def target(path: str, source: Source, scrub: Callable[[str], str]) -> tuple[Facts, Facts]:
    """The target that `path` is on and its state, in the shapes of the contract's `target` and `state_before`.

    Raises FileNotFoundError where there is no such path.
    """
    real = source.resolve(path)
    status = source.path(real)
    if status is None:
        raise FileNotFoundError(real)
    mounts = parse_mountinfo(source.text("/proc/self/mountinfo") or "")
    # mountinfo was read with U+FFFD for what is not UTF-8; the path must be spelled alike to be found in it.
    mount = mount_of(mounts, real.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
    devices = mounted_devices(source, mount, status.device)
    found = _settings(source, mounts, mount, devices, status, scrub)
    return found, {**state(status), "arrays": _arrays(source, mount, devices)}


def state(status: PathFacts) -> Facts:
    """`{size, used, fill, files}`: bytes, ratio of all blocks (root's reserve counts as free), inodes in use."""
    size, used = status.file_system_size, status.file_system_size - status.file_system_free
    return {
        "size": size,
        "used": used,
        "fill": used / size if size else None,
        "files": status.files - status.files_free if status.files else None,
    }


def _arrays(source: Source, mount: Mount | None, devices: list[str]) -> list[Facts]:
    """Whether the machine's arrays, and the target's pool, are whole and at rest."""
    found = raid.states(source)
    if mount is not None and mount.type == "zfs":
        found.append(zfs.state(source, mount.source))
    if mount is not None and mount.type == "btrfs" and devices:
        found += btrfs.states(source, name_of(devices[0]))
    return found


def _settings(
    source: Source,
    mounts: list[Mount],
    mount: Mount | None,
    devices: list[str],
    status: PathFacts,
    scrub: Callable[[str], str],
) -> Facts:
    layers, merge = merge_stack(stack(source, mounts, mount, devices), source, scrub)
    image = bool(devices) and source.exists(f"{devices[0]}/loop/backing_file")
    kind = mount.type if mount else None
    device = name_of(devices[0]) if devices else None
    made = file_system(source, kind, device, mount.point if mount else "", mount.source if mount else "")
    featureless = kind is not None and (MEMORY.fullmatch(kind) or NETWORK.fullmatch(kind) or kind == "overlay")
    details, features = made.pop("details"), made.pop("features")
    found: Facts = {
        "kind": "image" if image else "directory",
        "file_system": {
            **made,
            "type": kind,
            "options": [],
            "features": features or [],
            "block_size": made.get("block_size") or status.block_size,
            "size": None if kind in SHARED_SIZE else status.file_system_size,
            "mkfs_command": None,
        },
        "mount": {
            # An image is mounted where there is room, a different place each time.
            "point": scrub(mount.point) if mount and not image else None,
            "options": [scrub(option) for option in options_of(source, mount, devices)] if mount else [],
        },
        "stack": layers[:MOST_LAYERS],
        **_tunables(source, mount, devices),
        "provenance": {} if features is not None or featureless else {"/file_system/features": "unknown"},
        "extra": {"file_system": details} if details else {},
    }
    if len(layers) > MOST_LAYERS:
        found["extra"]["layers_left_out"] = len(layers) - MOST_LAYERS
    merge.into(found)
    return found


def _tunables(source: Source, mount: Mount | None, devices: list[str]) -> Facts:
    """`{read_ahead, scheduler, nr_requests}` of what is mounted. btrfs and NFS read ahead by a setting of their own,
    ZFS by none, and no one device is mounted there."""
    found: Facts = {"scheduler": None, "read_ahead": None, "nr_requests": None}
    if mount is not None and mount.type == "zfs":
        return found
    if devices:
        found.update(tunables(source, devices[0]))
    if mount is not None and mount.type == "btrfs" and devices:
        own = source.integer(f"{btrfs.directory(source, name_of(devices[0]))}/bdi/read_ahead_kb")
    elif mount is not None:
        own = source.integer(f"/sys/class/bdi/{mount.device}/read_ahead_kb")
    else:
        own = None
    if own is not None:
        found["read_ahead"] = own * 1024
    return found

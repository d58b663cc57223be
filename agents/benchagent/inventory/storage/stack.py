"""The storage stack, walked from the mounted file system down to the disks."""

from __future__ import annotations

import re
from collections import deque

from benchagent.filesystems import named
from benchagent.inventory.facts import Facts, clean, cleaned
from benchagent.inventory.mounts import MountInfo, effective_options, mount_of
from benchagent.inventory.source import Source

from . import bcache, raid
from .block import (
    SECTOR,
    device_by_name,
    device_by_number,
    is_partition,
    lower_devices,
    name_of,
    size_of,
    tunables,
)
from .disks import disk, memory_settings
from .journal import side_devices
from .mapper import is_mapped, mapped
from .network import NETWORK, network

MEMORY = re.compile(r"tmpfs|ramfs|rootfs|devtmpfs|hugetlbfs")
DISK_FACTS = ("model", "size", "rotational", "transport", "scheduler", "read_ahead", "nr_requests")
UNKNOWN: Facts = {"kind": "unknown", "facts": {}}
DISK_DETAILS = [
    *("vendor", "firmware", "link", "queue_depth", "write_cache", "logical_block_size", "physical_block_size"),
    *("zoned", "zone_size"),
]


def mounted_devices(source: Source, mount: MountInfo | None, number: str) -> list[str]:
    """The block devices that hold the file system: several for btrfs and ZFS, none for memory and network.

    `number` is the device number of the path from stat, for mounts that the table of mounts does not list (chroot).
    """
    names = named(mount.type).devices(source, mount) if mount else None
    if names is None:
        devices = [device_by_number(source, mount.device if mount else number)]
    else:
        devices = [device_by_name(source, name) for name in names]
    return [device for device in devices if device]


def first_name(devices: list[str]) -> str | None:
    """The kernel's name of the first device."""
    return name_of(devices[0]) if devices else None


def bdi_of(source: Source, mount: MountInfo, devices: list[str]) -> str:
    """The directory with the read-ahead of the mount; it may not exist."""
    return named(mount.type).bdi(source, mount, first_name(devices)) or f"/sys/class/bdi/{mount.device}"


def stack(source: Source, mounts: list[MountInfo], mount: MountInfo | None, devices: list[str]) -> list[Facts]:
    """The layers under a mount, level by level: an array, then its members, then the devices below these.

    A journal or log on a device of its own follows, with its role.

    Layers have the shape of `target.stack`, without fields that do not apply to their kind. Loop devices, volumes and
    image files have no names, because these change from one round to the next.
    """
    layers = _above_devices(source, mounts, mount, devices) if mount is not None else []
    visited: set[str] = set()
    layers += _walk(source, mounts, devices, visited)
    for role, device in side_devices(source, mount, devices):
        first, *others = (_walk(source, mounts, [device], visited) if device else []) or [UNKNOWN]
        layers += [{**first, "facts": {**first["facts"], "role": role}}, *others]
    return layers


def _walk(source: Source, mounts: list[MountInfo], devices: list[str], visited: set[str]) -> list[Facts]:
    """The layers of these devices and of those below them that were not visited before."""
    layers: list[Facts] = []
    waiting = deque(device for device in devices if device not in visited)
    visited.update(devices)
    while waiting:
        found_layers, lower = _describe(source, mounts, waiting.popleft())
        layers += found_layers
        waiting.extend(device for device in lower if device not in visited)
        visited.update(lower)
    return layers


def _above_devices(source: Source, mounts: list[MountInfo], mount: MountInfo, devices: list[str]) -> list[Facts]:
    """The layers between a mount and its block devices, or in place of these."""
    layers = named(mount.type).layers(source, mount, first_name(devices))
    if layers or devices:
        return [{**layer, "facts": cleaned(layer["facts"])} for layer in layers]
    return _without_device(source, mounts, mount)


def _describe(source: Source, mounts: list[MountInfo], device: str) -> tuple[list[Facts], list[str]]:
    """The layer of one device, for a loop device also those of its image file, and the devices below it."""
    backing = source.text(f"{device}/loop/backing_file")
    if backing is not None:
        layers, lower = _image(source, mounts, backing.rstrip("\n"))
        return [_loop(source, device), *layers], lower
    lower = lower_devices(source, device)
    common = {"size": size_of(source, device), **tunables(source, device)}
    if is_partition(source, device):
        return [_with_role(source, device, _partition(source, device))], lower
    if raid.is_array(source, device):
        geometry, facts = raid.geometry(source, device), raid.details(source, device)
        return [{"kind": "raid", "name": name_of(device), **geometry, **common, "facts": facts}], lower
    if is_mapped(source, device):
        return [{**mapped(source, device), **common}], lower
    if bcache.is_cached(source, device):
        return [{"kind": "bcache", **common, "facts": bcache.settings(source, device)}], lower
    return [_with_role(source, device, _disk(source, device))], lower


def _with_role(source: Source, device: str, layer: Facts) -> Facts:
    """The layer of a disk or partition, with its role if it belongs to a bcache device."""
    role = bcache.role(source, device)
    return {**layer, "facts": {**layer["facts"], "role": role}} if role else layer


def _loop(source: Source, device: str) -> Facts:
    direct = source.integer(f"{device}/loop/dio")
    facts = {
        "direct_io": None if direct is None else direct == 1,
        "offset": source.integer(f"{device}/loop/offset"),
        "logical_block_size": source.integer(f"{device}/queue/logical_block_size"),
    }
    return {"kind": "loop", "size": size_of(source, device), **tunables(source, device), "facts": facts}


def _image(source: Source, mounts: list[MountInfo], path: str) -> tuple[list[Facts], list[str]]:
    """The layer of an image file, with its file system and mount options, and the devices of that file system."""
    status, mount = source.path(path), mount_of(mounts, path)
    if status is None:  # deleted, or in another mount namespace
        return [{"kind": "image", "size": None, "facts": {"file_system": None, "mount_options": None}}], []
    devices = mounted_devices(source, mount, status.device)
    options = clean(",".join(effective_options(mount))) if mount else None
    facts = {"file_system": mount.type if mount else None, "mount_options": options}
    layers = _above_devices(source, mounts, mount, devices) if mount else []
    return [{"kind": "image", "size": status.bytes, "facts": facts}, *layers], devices


def options_of(source: Source, mount: MountInfo, devices: list[str]) -> list[str]:
    """The effective mount options, with ext4's defaults if the kernel shows them."""
    silent = source.text(f"/proc/fs/ext4/{devices[0].rpartition('/')[2]}/options") if devices else None
    return effective_options(mount, silent)


def _partition(source: Source, device: str) -> Facts:
    start = source.integer(f"{device}/start")
    facts = {
        "start": None if start is None else start * SECTOR,
        "alignment_offset": source.integer(f"{device}/alignment_offset"),
    }
    return {"kind": "partition", "name": name_of(device), "size": size_of(source, device), "facts": facts}


def _disk(source: Source, device: str) -> Facts:
    facts = disk(source, device)
    layer = {"kind": facts["kind"], "name": facts["name"], **{key: facts[key] for key in DISK_FACTS}}
    details = {key: facts[key] for key in DISK_DETAILS if key in facts}
    return {**layer, "facts": {**details, **memory_settings(source, device)}}


def _without_device(source: Source, mounts: list[MountInfo], mount: MountInfo) -> list[Facts]:
    """The layers of a mount without block devices: memory, a server, or an overlay and its upper mount."""
    if MEMORY.fullmatch(mount.type):
        return [{"kind": "tmpfs", "facts": {}}]
    if NETWORK.fullmatch(mount.type):
        return [network(mount)]
    if mount.type != "overlay":
        return []
    layers: list[Facts] = [{"kind": "overlay", "facts": {}}]
    upper = next((option[9:] for option in mount.super_options if option.startswith("upperdir=")), "")
    status = source.path(upper) if upper else None
    upper_mount = mount_of(mounts, upper) if status else None
    if status is None or upper_mount is None or upper_mount.id == mount.id:
        return layers
    return layers + stack(source, mounts, upper_mount, mounted_devices(source, upper_mount, status.device))

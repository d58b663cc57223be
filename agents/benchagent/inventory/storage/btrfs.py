"""btrfs, from /sys/fs/btrfs: its format settings and its distribution over devices."""

from __future__ import annotations

import posixpath
import re

from benchagent.inventory.facts import Facts
from benchagent.inventory.source import Source

UNKNOWN: Facts = {"features": None, "block_size": None, "inode_size": None, "stride": None, "stripe_width": None}
IDLE = (None, "none")


def directory(source: Source, device: str) -> str | None:
    """The directory in /sys/fs/btrfs of the file system that has `device` (kernel's name) among its devices."""
    for uuid in source.names("/sys/fs/btrfs"):
        base = posixpath.join("/sys/fs/btrfs", uuid)
        if device.replace("/", "!") in source.names(f"{base}/devices"):
            return base
    return None


def settings(source: Source, device: str) -> Facts:
    """The format settings, in the shape of `file_systems.file_system`."""
    base = directory(source, device)
    if base is None:
        return {**UNKNOWN, "details": {}}
    checksum = source.line(f"{base}/checksum")
    details = {
        "node_size": source.integer(f"{base}/nodesize"),
        "checksum": checksum.split()[0] if checksum else None,
        "data_profile": _profiles(source, f"{base}/allocation/data"),
        "metadata_profile": _profiles(source, f"{base}/allocation/metadata"),
        "devices": len(source.names(f"{base}/devices")) or None,
    }
    return {
        **UNKNOWN,
        "features": source.names(f"{base}/features") or None,
        "block_size": source.integer(f"{base}/sectorsize"),
        "details": {key: value for key, value in details.items() if value is not None},
    }


def layers(source: Source, device: str) -> list[Facts]:
    """The layer that distributes a file system over several devices; none for a single device."""
    base = directory(source, device)
    members = len(source.names(f"{base}/devices")) if base else 0
    if base is None or members < 2:
        return []
    level = _profiles(source, f"{base}/allocation/data")
    facts = {"metadata_profile": _profiles(source, f"{base}/allocation/metadata")}
    return [{"kind": "btrfs", "level": level, "members": members, "facts": facts}]


def states(source: Source, device: str) -> list[Facts]:
    """Whether all devices are present and no operation moves data, in the shape of `state_before.arrays`."""
    base = directory(source, device)
    if base is None or len(source.names(f"{base}/devices")) < 2:
        return []
    numbers = source.names(f"{base}/devinfo")
    missing = any(source.integer(f"{base}/devinfo/{number}/missing") for number in numbers)
    operation = source.line(f"{base}/exclusive_operation")
    words = ["degraded"] if missing else []
    words += [str(operation)] if operation not in IDLE else []
    return [{"kind": "btrfs", "name": None, "state": ", ".join(words) or "healthy", "done": None}]


def _profiles(source: Source, directory: str) -> str | None:
    """The profiles in use; the kernel has a directory for each."""
    profiles = [name for name in source.names(directory) if re.fullmatch(r"single|dup|raid\w+", name)]
    return ", ".join(profiles) or None

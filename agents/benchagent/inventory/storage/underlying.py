"""Finds the devices below a block device, through partitions, arrays, volumes and the image files of loop devices."""

from __future__ import annotations

from benchagent.inventory.mounts import MountInfo, mount_of
from benchagent.inventory.source import Source

from .block import lower_devices
from .stack import mounted_devices


def devices_below(source: Source, mounts: list[MountInfo], devices: list[str]) -> list[str]:
    """These devices and all devices below them, each once, level by level."""
    visited: list[str] = []
    waiting = list(devices)
    while waiting:
        device = waiting.pop(0)
        if device not in visited:
            visited.append(device)
            waiting += next_below(source, mounts, device)
    return visited


def lowest(source: Source, mounts: list[MountInfo], devices: list[str]) -> list[str]:
    """The devices below these, or these themselves, that have none below them: disks, as a rule."""
    return [each for each in devices_below(source, mounts, devices) if not next_below(source, mounts, each)]


def lowest_single(source: Source, mounts: list[MountInfo], device: str) -> str:
    """The last device on the way down before several devices: the array if there is one, else the disk.

    For an image in memory or on a network, this is the loop device.
    """
    lower = next_below(source, mounts, device)
    return lowest_single(source, mounts, lower[0]) if len(lower) == 1 else device


def next_below(source: Source, mounts: list[MountInfo], device: str) -> list[str]:
    """The devices one level below; for a loop device those that hold its file."""
    image = source.text(f"{device}/loop/backing_file")
    if image is None:
        return lower_devices(source, device)
    path = image.rstrip("\n")
    status = source.path(path)
    return mounted_devices(source, mount_of(mounts, path), status.device) if status else []

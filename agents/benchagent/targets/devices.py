"""Block devices that a plan names: their identity, their content, and the reasons not to format them."""

from __future__ import annotations

import fcntl
import os
import re
import stat
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchagent.errors import PreparationError
from benchagent.inventory import Source
from benchagent.inventory.mounts import parse_mountinfo
from benchagent.inventory.storage.block import is_partition, name_of, size_of
from benchagent.inventory.storage.disks import disk

from .loop import tool

BY_ID = Path("/dev/disk/by-id")
LOOP_GET_STATUS64, LOOP_INFO64 = 0x4C05, 232  # linux/loop.h; bytes of the struct, which begins with three numbers


@dataclass(frozen=True)
class Device:
    """The current state of a block device.

    `model` is the model of its disk, None if unknown; `signatures` are the types and UUIDs that wipefs finds on it.
    """

    path: str  # /dev/disk/by-id/…
    node: str  # /dev/sdb1
    sysfs: str  # its directory in /sys/devices
    size: int  # bytes
    model: str | None
    signatures: tuple[str, ...]

    @property
    def password(self) -> str:
        """The text that a person types to agree: the model, or the id if there is no model."""
        return self.model or Path(self.path).name


def look_at(path: str, source: Source) -> Device:
    """The device that the id currently names. Raises PreparationError if there is none or it must not be formatted."""
    if Path(path).parent != BY_ID or Path(path).name in ("", ".", ".."):
        raise PreparationError(f"{path} is not below {BY_ID}, where names stay with their device")
    try:
        status = os.stat(path)
    except OSError as error:
        raise PreparationError(f"{path}: {error.strerror}; `ls -l {BY_ID}` lists what this machine has") from None
    if not stat.S_ISBLK(status.st_mode):
        raise PreparationError(f"{path} is not a block device")
    sysfs = source.resolve(f"/sys/dev/block/{os.major(status.st_rdev)}:{os.minor(status.st_rdev)}")
    node = os.path.realpath(path)
    _refuse_used(path, node, sysfs, source)
    whole = os.path.dirname(sysfs) if is_partition(source, sysfs) else sysfs
    size = size_of(source, sysfs) or 0
    return Device(path, node, sysfs, size, disk(source, whole)["model"], signatures(node))


def why_not_format(device: Device, *, wipe: bool, ours: tuple[str, ...] | None = None) -> str | None:
    """The reason why the content of the device forbids formatting, or None.

    `ours` are the signatures that this run itself left there.
    """
    if not device.signatures or wipe or device.signatures == ours:
        return None
    return (
        f"{device.path} holds {', '.join(device.signatures)}. "
        "If all that is on it may be lost, say `wipe = true` in the plan"
    )


def signatures(node: str) -> tuple[str, ...]:
    """Signatures that wipefs finds: file systems, partition tables, members of arrays and volumes.

    Raises PreparationError if wipefs fails.
    """
    signatures = []
    for line in tool("wipefs", "--no-act", "--parsable", node).stdout.splitlines():
        if line and not line.startswith("#"):
            fields = line.split(",")  # offset, UUID, label, type; a label may hold commas
            signatures.append(f"{fields[-1]} {fields[1]}".strip())
    return tuple(dict.fromkeys(signatures))


def partitions(device: Device, source: Source) -> list[str]:
    """The nodes of the device's partitions."""
    names = source.names(device.sysfs)
    return [f"/dev/{name}" for name in names if source.exists(f"{device.sysfs}/{name}/partition")]


def wipe_signatures(device: Device) -> None:
    """Remove all signatures, so that none of an earlier file system remains beside the new one."""
    if device.signatures:
        tool("wipefs", "--all", "--quiet", device.node)


def _refuse_used(path: str, node: str, sysfs: str, source: Source) -> None:
    family = list(_family(sysfs, source))
    for why in _uses(family, source):
        raise PreparationError(f"{path} is in use: {why}")
    if source.integer(f"{sysfs}/ro") == 1:
        raise PreparationError(f"{path} is read-only")
    try:
        os.close(os.open(node, os.O_RDONLY | os.O_EXCL | os.O_CLOEXEC))
    except OSError as error:
        raise PreparationError(
            f"{path} is in use ({error.strerror}): mounted elsewhere, a member of an array, pool or file system of "
            f"several devices, or held by a program; `lsblk {node}` and `fuser -v {node}` may say more"
        ) from None


def _family(sysfs: str, source: Source) -> Iterator[str]:
    """The device, its partitions, and all devices that are built on any of these."""
    yield sysfs
    for name in source.names(sysfs):
        if source.exists(f"{sysfs}/{name}/partition"):
            yield from _family(f"{sysfs}/{name}", source)
    for name in source.names(f"{sysfs}/holders"):
        yield from _family(source.resolve(f"{sysfs}/holders/{name}"), source)


def _uses(family: list[str], source: Source) -> Iterator[str]:
    """Every use of the device or one of its family, with the command that ends it."""
    numbers = {source.line(f"{device}/dev"): f"/dev/{name_of(device)}" for device in family}
    for mount in parse_mountinfo(source.text("/proc/self/mountinfo") or ""):
        node = numbers.get(mount.device) or (mount.source if mount.source in numbers.values() else None)
        if node is not None:
            yield f"{node} is mounted at {mount.point}; unmount it first"
    for line in (source.text("/proc/swaps") or "").splitlines()[1:]:
        if line.split()[0] in numbers.values():
            yield f"{line.split()[0]} is swap space; `swapoff {line.split()[0]}` first"
    own = _below_loop(f"/dev/{name_of(family[0])}") if source.exists(f"{family[0]}/loop") and source.live else None
    for name in source.names("/sys/block"):
        backing = (source.text(f"/sys/block/{name}/loop/backing_file") or "").rstrip("\n")
        below = _below_loop(f"/dev/{name}") if backing and source.live else None
        node = numbers.get(below[1]) if below else None
        if node is None and below and own and below[0] == own[0] and f"/dev/{name}" not in numbers.values():
            node = f"the file of /dev/{name_of(family[0])}"
        if node is not None or backing in numbers.values():
            yield f"the loop device /dev/{name} lies on {node or backing}; `losetup --detach /dev/{name}` first"
    for device in family[1:]:
        if not source.exists(f"{device}/partition"):
            yield f"/dev/{name_of(device)}{_called(device, source)} is built on it; take that apart first"


def _below_loop(node: str) -> tuple[tuple[int, int], str] | None:
    """Device and inode of a loop device's file, and the number of the device that this file is; None if unknown.

    The device may have been attached by any node.
    """
    try:
        with open(node, "rb", buffering=0) as device:
            status = fcntl.ioctl(device, LOOP_GET_STATUS64, bytes(LOOP_INFO64))
    except OSError:  # detached meanwhile, or no node here
        return None
    on, inode, number = struct.unpack_from("3Q", status)
    return (on, inode), f"{os.major(number)}:{os.minor(number)}"


def _called(device: str, source: Source) -> str:
    name = source.line(f"{device}/dm/name") or source.line(f"{device}/md/level")
    return f" ({re.sub('[^ -~]', '?', name)})" if name else ""

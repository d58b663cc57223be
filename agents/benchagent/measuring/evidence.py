"""Collects evidence beside a tool's own numbers: bytes moved by the block device, CPU time, kernel messages, noise.

Source of the bytes: Documentation/admin-guide/iostats.rst of the kernel. Its sectors always have 512 bytes, whatever
the device's sector size.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from benchagent.documents.records import RoundEvidence
from benchagent.inventory import Source
from benchagent.inventory.mounts import mount_of, parse_mountinfo
from benchagent.inventory.storage.block import name_of
from benchagent.inventory.storage.disks import is_disk
from benchagent.inventory.storage.journal import side_devices
from benchagent.inventory.storage.stack import mounted_devices
from benchagent.inventory.storage.underlying import devices_below, lowest
from benchagent.system.process import Outcome

from .kernel_log import KernelLines, KernelLog, joined
from .noise import disks_of, disturbances, look, noise

SECTOR = 512
DISKSTATS = Path("/proc/diskstats")
Usage = Mapping[str, float]  # the fields of the contract's `evidence` that can be summed


@dataclass(frozen=True)
class DeviceBytes:
    """Bytes since the device appeared; the difference of two readings is the traffic between them."""

    read: int
    written: int


@dataclass(frozen=True)
class LowestDevice:
    """A device without another one below it; `number` is its `MAJOR:MINOR`. A loop device is no disk."""

    name: str
    number: str
    is_disk: bool


@dataclass(frozen=True)
class Devices:
    """The block devices under a directory: several for btrfs, none for NFS, overlay and tmpfs.

    `numbers` are their `MAJOR:MINOR`, `names` their names in the kernel, `disks` these and the names of all devices
    below them. `lowest` are the devices at the bottom, those of a journal on a device of its own among them.
    """

    numbers: tuple[str, ...]
    names: frozenset[str]
    disks: frozenset[str]
    lowest: tuple[LowestDevice, ...] = ()

    @property
    def real_disks(self) -> list[str]:
        """The names of the disks at the bottom."""
        return [each.name for each in self.lowest if each.is_disk]

    @property
    def others_below(self) -> dict[str, str]:
        """The numbers, by name, of the devices at the bottom that are not those of the file system itself."""
        return {each.name: each.number for each in self.lowest if each.number not in self.numbers}


def devices_of(directory: Path, source: Source) -> Devices:
    number = os.stat(directory).st_dev
    mounts = parse_mountinfo(source.text("/proc/self/mountinfo") or "")
    mount = mount_of(mounts, os.path.realpath(directory))
    devices = mounted_devices(source, mount, f"{os.major(number)}:{os.minor(number)}")
    numbers = (source.line(f"{device}/dev") for device in devices)
    names = disks_of(devices)
    beside = [device for _, device in side_devices(source, mount, devices) if device]
    at_the_bottom = lowest(source, mounts, [*devices, *beside])
    return Devices(
        numbers=tuple(item for item in numbers if item),
        names=frozenset(names),
        disks=frozenset(disks_of(devices_below(source, mounts, [*devices, *beside]))),
        lowest=tuple(_lowest_device(source, device) for device in at_the_bottom),
    )


def _lowest_device(source: Source, device: str) -> LowestDevice:
    return LowestDevice(name_of(device), source.line(f"{device}/dev") or "", is_disk(source, device))


def device_bytes(numbers: Sequence[str]) -> DeviceBytes | None:
    """The sums of `/proc/diskstats` over the devices; None if it lists none of them."""
    read = written = listed = 0
    for line in DISKSTATS.read_text().splitlines():
        fields = line.split()
        if f"{fields[0]}:{fields[1]}" in numbers:
            read, written, listed = read + int(fields[5]), written + int(fields[9]), listed + 1
    return DeviceBytes(read * SECTOR, written * SECTOR) if listed else None


def usage(outcome: Outcome, before: DeviceBytes | None, after: DeviceBytes | None) -> Usage:
    """The resources that one program used."""
    program = {
        "user_seconds": outcome.user_seconds,
        "system_seconds": outcome.system_seconds,
        "voluntary_context_switches": outcome.voluntary_context_switches,
        "involuntary_context_switches": outcome.involuntary_context_switches,
    }
    return {**program, **moved(before, after)}


def moved(before: DeviceBytes | None, after: DeviceBytes | None) -> dict[str, int]:
    """The bytes that the device moved between two readings; empty if one of them is missing."""
    if before is None or after is None:
        return {}
    return {"device_read_bytes": after.read - before.read, "device_write_bytes": after.written - before.written}


def together(usages: Iterable[Usage]) -> Usage:
    """The sums of the fields that all usages have; a field that one of them lacks is left out."""
    all_usages = list(usages)
    keys = [key for key in all_usages[0] if all(key in item for item in all_usages)] if all_usages else []
    return {key: sum(item[key] for item in all_usages) for key in keys}


class MachineWatch:
    """Observes the machine from its creation until the single call of `seen`.

    `ours`: mounting and unmounting is measured, so only kernel lines about trouble are kept.
    """

    def __init__(self, source: Source, scrub: Callable[[str], str], *, ours: bool = False) -> None:
        self._source, self._ours = source, ours
        self._log = KernelLog(scrub)
        self._kernel_lines: list[KernelLines] = []
        self._before = look(source)

    @contextmanager
    def our_doing(self) -> Iterator[None]:
        """Inside the block the agent mounts and unmounts; only kernel lines about trouble are kept."""
        self._kernel_lines.append(self._log.read())
        yield
        self._kernel_lines.append(self._log.read(only_trouble=True))

    @contextmanager
    def expecting_trouble(self) -> Iterator[None]:
        """Inside the block the agent provokes complaints of the kernel, so kernel lines are discarded."""
        self._kernel_lines.append(self._log.read(only_trouble=self._ours))
        yield
        self._log.forget()

    def close(self) -> None:
        self._log.close()

    def seen(self, used: Usage, disks: Iterable[str] = ()) -> RoundEvidence:
        """The evidence of a round, from the tools' usage and the names of the disks under the target."""
        after, kernel_lines = look(self._source), joined([*self._kernel_lines, self._log.read(only_trouble=self._ours)])
        bytes_moved = [used[key] for key in ("device_read_bytes", "device_write_bytes") if key in used]
        noises = noise(self._before, after, frozenset(disks), sum(bytes_moved) if bytes_moved else None)
        if not self._log.readable:
            noises["kernel_log"] = "not readable"
        elif not kernel_lines.complete:
            noises["kernel_log"] = "overwritten"
        if kernel_lines.left_out:
            noises["kernel_lines_left_out"] = kernel_lines.left_out
        kinds: Counter[str] = disturbances(self._before, after) + kernel_lines.disturbances
        return RoundEvidence(used, tuple(kernel_lines.lines), dict(kinds), noises)

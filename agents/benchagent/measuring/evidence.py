"""What the machine says beside a tool's own numbers: bytes that its block device moved, CPU time, messages, noise.

Source of the bytes: Documentation/admin-guide/iostats.rst of the kernel; sectors there have 512 bytes whatever the
device's are.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

from benchagent.inventory import Source
from benchagent.inventory.mounts import mount_of, parse_mountinfo
from benchagent.inventory.storage.stack import mounted_devices
from benchagent.inventory.storage.underlying import devices_below
from benchagent.system.process import Outcome

from .kernel_log import KernelLines, KernelLog, joined
from .noise import disks_of, disturbances, look, noise

SECTOR = 512
DISKSTATS = Path("/proc/diskstats")
Usage = Mapping[str, Any]  # those of the contract's `evidence` that can be added up


@dataclass(frozen=True)
class DeviceBytes:
    """Bytes since the device appeared; the difference of two readings is what happened between them."""

    read: int
    written: int


@dataclass(frozen=True)
class Devices:
    """The block devices under a directory: several for btrfs, none for NFS, overlay and tmpfs.

    `numbers` are their `MAJOR:MINOR`, `names` the kernel's names of them, `disks` those of everything below them too.
    """

    numbers: tuple[str, ...]
    names: frozenset[str]
    disks: frozenset[str]


def devices_of(directory: Path, source: Source) -> Devices:
    number = os.stat(directory).st_dev
    mounts = parse_mountinfo(source.text("/proc/self/mountinfo") or "")
    mount = mount_of(mounts, os.path.realpath(directory))
    found = mounted_devices(source, mount, f"{os.major(number)}:{os.minor(number)}")
    numbers = (source.line(f"{device}/dev") for device in found)
    return Devices(
        numbers=tuple(each for each in numbers if each),
        names=frozenset(disks_of(found)),
        disks=frozenset(disks_of(devices_below(source, mounts, found))),
    )


def device_bytes(numbers: Sequence[str]) -> DeviceBytes | None:
    """What `/proc/diskstats` counts for the devices together; None where there are none or it does not list them."""
    read = written = listed = 0
    for line in DISKSTATS.read_text().splitlines():
        fields = line.split()
        if f"{fields[0]}:{fields[1]}" in numbers:
            read, written, listed = read + int(fields[5]), written + int(fields[9]), listed + 1
    return DeviceBytes(read * SECTOR, written * SECTOR) if listed else None


def usage(outcome: Outcome, before: DeviceBytes | None, after: DeviceBytes | None) -> dict[str, Any]:
    """What one program used."""
    found: dict[str, Any] = {
        "user_seconds": outcome.user_seconds,
        "system_seconds": outcome.system_seconds,
        "voluntary_context_switches": outcome.voluntary_context_switches,
        "involuntary_context_switches": outcome.involuntary_context_switches,
    }
    return {**found, **moved(before, after)}


def moved(before: DeviceBytes | None, after: DeviceBytes | None) -> dict[str, int]:
    """What the device moved between two readings; nothing where it is not known."""
    if before is None or after is None:
        return {}
    return {"device_read_bytes": after.read - before.read, "device_write_bytes": after.written - before.written}


def together(usages: Iterable[Usage]) -> dict[str, Any]:
    """The sums of what all of them tell; what one of them does not know is unknown of all."""
    found = list(usages)
    keys = [key for key in found[0] if all(key in each for each in found)] if found else []
    return {key: sum(each[key] for each in found) for key in keys}


class MachineWatch:
    """Looks at the machine from its making until `seen` is asked, once.

    `ours`: what is measured is mounting and unmounting, so that only lines that tell of trouble are worth keeping.
    """

    def __init__(self, source: Source, scrub: Callable[[str], str], *, ours: bool = False) -> None:
        self._source, self._ours = source, ours
        self._log = KernelLog(scrub)
        self._said: list[KernelLines] = []
        self._before = look(source)

    @contextmanager
    def our_doing(self) -> Iterator[None]:
        """Inside, we mount and unmount: only what tells of trouble is kept of what the kernel says of it."""
        self._said.append(self._log.read())
        yield
        self._said.append(self._log.read(only_trouble=True))

    @contextmanager
    def expecting_trouble(self) -> Iterator[None]:
        """Inside, what the kernel says counts for nothing: we do there what it complains of."""
        self._said.append(self._log.read(only_trouble=self._ours))
        yield
        self._log.forget()

    def close(self) -> None:
        self._log.close()

    def seen(self, used: Usage, disks: Iterable[str] = ()) -> dict[str, Any]:
        """The contract's `evidence`: with what the tools used, and the disks that lie under the target."""
        after, said = look(self._source), joined([*self._said, self._log.read(only_trouble=self._ours)])
        bytes_moved = [used[key] for key in ("device_read_bytes", "device_write_bytes") if key in used]
        noises = noise(self._before, after, frozenset(disks), sum(bytes_moved) if bytes_moved else None)
        if not self._log.readable:
            noises["kernel_log"] = "not readable"
        elif not said.complete:
            noises["kernel_log"] = "overwritten"
        if said.left_out:
            noises["kernel_lines_left_out"] = said.left_out
        kinds: Counter[str] = disturbances(self._before, after) + said.disturbances
        found = {**used, "kernel_messages": list(said.lines), "disturbances": dict(kinds), "noise": noises}
        return {key: value for key, value in found.items() if value not in ([], {}, None)}

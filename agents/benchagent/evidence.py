"""What the machine says beside a tool's own numbers: bytes that its block device read and wrote, CPU seconds.

Source: Documentation/admin-guide/iostats.rst of the kernel; sectors there have 512 bytes whatever the device's are.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .inventory import Source
from .inventory.mounts import mount_of, parse_mountinfo
from .inventory.stack import mounted_devices
from .process import Outcome

SECTOR = 512
DISKSTATS = Path("/proc/diskstats")


@dataclass(frozen=True)
class DeviceBytes:
    """Bytes since the device appeared; the difference of two readings is what happened between them."""

    read: int
    written: int


def devices_of(directory: Path, source: Source) -> list[str]:
    """`MAJOR:MINOR` of the block devices under a directory: several for btrfs, none for NFS, overlay and tmpfs."""
    number = os.stat(directory).st_dev
    mount = mount_of(parse_mountinfo(source.text("/proc/self/mountinfo") or ""), os.path.realpath(directory))
    found = mounted_devices(source, mount, f"{os.major(number)}:{os.minor(number)}")
    return [name for name in (source.line(f"{device}/dev") for device in found) if name]


def device_bytes(devices: Sequence[str]) -> DeviceBytes | None:
    """What `/proc/diskstats` counts for the devices together; None where there are none or it does not list them."""
    read = written = listed = 0
    for line in DISKSTATS.read_text().splitlines():
        fields = line.split()
        if f"{fields[0]}:{fields[1]}" in devices:
            read, written, listed = read + int(fields[5]), written + int(fields[9]), listed + 1
    return DeviceBytes(read * SECTOR, written * SECTOR) if listed else None


def evidence(outcome: Outcome, before: DeviceBytes | None, after: DeviceBytes | None) -> dict[str, Any]:
    """The contract's `evidence` of one round."""
    found: dict[str, Any] = {"user_seconds": outcome.user_seconds, "system_seconds": outcome.system_seconds}
    if before and after:
        found["device_read_bytes"] = after.read - before.read
        found["device_write_bytes"] = after.written - before.written
    return found

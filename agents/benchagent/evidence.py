"""What the machine says beside a tool's own numbers: bytes that its block device read and wrote, CPU seconds.

Source: Documentation/admin-guide/iostats.rst of the kernel; sectors there have 512 bytes whatever the device's are.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .process import Outcome

SECTOR = 512
DISKSTATS = Path("/proc/diskstats")
MOUNTINFO = Path("/proc/self/mountinfo")


@dataclass(frozen=True)
class DeviceBytes:
    """Bytes since the device appeared; the difference of two readings is what happened between them."""

    read: int
    written: int


def device_of(directory: Path) -> str | None:
    """`MAJOR:MINOR` of the block device under a directory; None where there is none (NFS, overlay, tmpfs)."""
    number = os.stat(directory).st_dev
    if os.major(number):
        return f"{os.major(number)}:{os.minor(number)}"
    # btrfs has a number of its own; its mount names the device.
    for line in MOUNTINFO.read_text().splitlines():
        fields = line.split()
        source = fields[fields.index("-") + 2]
        if fields[2] == f"0:{os.minor(number)}" and source.startswith("/dev/") and os.path.exists(source):
            device = os.stat(source).st_rdev
            return f"{os.major(device)}:{os.minor(device)}"
    return None


def device_bytes(device: str | None) -> DeviceBytes | None:
    """What `/proc/diskstats` counts for a device; None where it does not list it."""
    for line in DISKSTATS.read_text().splitlines():
        fields = line.split()
        if f"{fields[0]}:{fields[1]}" == device:
            return DeviceBytes(int(fields[5]) * SECTOR, int(fields[9]) * SECTOR)
    return None


def evidence(outcome: Outcome, before: DeviceBytes | None, after: DeviceBytes | None) -> dict[str, Any]:
    """The contract's `evidence` of one round."""
    found: dict[str, Any] = {"user_seconds": outcome.user_seconds, "system_seconds": outcome.system_seconds}
    if before and after:
        found["device_read_bytes"] = after.read - before.read
        found["device_write_bytes"] = after.written - before.written
    return found

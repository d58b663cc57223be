"""Block devices in sysfs, identified by their directory without symbolic links:
`/sys/devices/pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0/block/sda`, a partition by `…/block/sda/sda1`.
"""

from __future__ import annotations

import posixpath
import re

from benchagent.inventory.facts import DeviceTunables
from benchagent.inventory.source import Source

SECTOR = 512  # bytes; the unit of sysfs, independent of the disk's own sectors


def device_by_number(source: Source, number: str) -> str | None:
    """The device `major:minor`; None if it is not in /sys."""
    return _existing(source, source.resolve(f"/sys/dev/block/{number}"))


def device_by_name(source: Source, name: str) -> str | None:
    """The device that the kernel calls `name` (`sda1`, `dm-0`, `cciss/c0d0`); None if it is not in /sys."""
    return _existing(source, source.resolve("/sys/class/block/" + name.replace("/", "!")))


def name_of(device: str) -> str:
    """The kernel's name of a device; sysfs writes `!` in place of a slash."""
    return posixpath.basename(device).replace("!", "/")


def size_of(source: Source, device: str) -> int | None:
    """The size of a device in bytes; None if unknown."""
    sectors = source.integer(f"{device}/size")
    return None if sectors is None else sectors * SECTOR


def is_partition(source: Source, device: str) -> bool:
    return source.exists(f"{device}/partition")


def tunables(source: Source, device: str) -> DeviceTunables:
    """`{scheduler, read_ahead, nr_requests}` of the device's queue; a partition has the queue of its disk."""
    if is_partition(source, device):
        device = posixpath.dirname(device)
    read_ahead = source.integer(f"{device}/queue/read_ahead_kb")
    return {
        "scheduler": active_scheduler(source.line(f"{device}/queue/scheduler")),
        "read_ahead": None if read_ahead is None else read_ahead * 1024,
        "nr_requests": source.integer(f"{device}/queue/nr_requests"),
    }


def active_scheduler(line: str | None) -> str | None:
    """`none [mq-deadline] kyber` is mq-deadline. Devices without a queue of requests (md, dm) say only `none`."""
    match = re.search(r"\[(\S+)\]", line or "")
    return match[1] if match else line


def lower_devices(source: Source, device: str) -> list[str]:
    """The devices directly below: the disk of a partition, the slaves of md, dm and bcache."""
    if is_partition(source, device):
        return [posixpath.dirname(device)]
    slaves = (source.resolve(f"{device}/slaves/{name}") for name in source.names(f"{device}/slaves"))
    return [slave for slave in slaves if source.exists(slave)]


def _existing(source: Source, device: str) -> str | None:
    return device if source.exists(f"{device}/size") else None

"""Sets, verifies and restores read-ahead, scheduler and nr_requests of the queues below a target.

Sources: Documentation/ABI/stable/sysfs-block and Documentation/block/switching-sched.rst of the kernel. Read-ahead is a
setting of the mounted device. Scheduler and nr_requests are settings of the devices at the bottom of the stack, because
arrays and volumes have no queue of requests. btrfs and NFS have a read-ahead of their own, which each mount resets.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from benchagent.errors import NotUndone, PreparationError
from benchagent.inventory import Source
from benchagent.inventory.mounts import mount_of, parse_mountinfo
from benchagent.inventory.storage.block import active_scheduler, is_partition, lower_devices
from benchagent.inventory.storage.stack import bdi_of, mounted_devices
from benchagent.plan.model import TUNABLES, Target

READ_AHEAD, SCHEDULER, REQUESTS = "read_ahead_kb", "scheduler", "nr_requests"
KIB = 1024
QueueSettings = dict[str, str]  # value by file name, relative to the queue's directory


def wanted(target: Target) -> bool:
    return any(getattr(target, key) is not None for key in TUNABLES)


def devices_below(directory: str, source: Source) -> list[str]:
    """The block devices of a directory's file system, as sysfs paths; none for NFS and file systems in memory."""
    real = os.path.realpath(directory)
    number = os.stat(real).st_dev
    mount = mount_of(parse_mountinfo(source.text("/proc/self/mountinfo") or ""), real)
    return mounted_devices(source, mount, f"{os.major(number)}:{os.minor(number)}")


def own_read_ahead(directory: str, source: Source) -> Path | None:
    """The file that holds the read-ahead of the mount itself; None if that of its device applies."""
    real = os.path.realpath(directory)
    mount = mount_of(parse_mountinfo(source.text("/proc/self/mountinfo") or ""), real)
    if mount is None:
        return None
    devices = devices_below(directory, source)
    folder = Path(bdi_of(source, mount, devices))
    if any(folder.resolve() == (queue_of(device, source).parent / "bdi").resolve() for device in devices):
        return None  # that of the device
    file = folder / READ_AHEAD
    return file if file.exists() else None


def queue_of(device: str, source: Source) -> Path:
    """The queue directory of a device; for a partition, that of its disk."""
    return Path(os.path.dirname(device) if is_partition(source, device) else device, "queue")


def bottom_of(device: str, source: Source) -> list[str]:
    """The devices at the bottom of the stack below a device, which have a queue of requests; possibly itself."""
    if is_partition(source, device):
        return bottom_of(os.path.dirname(device), source)
    lower = lower_devices(source, device)
    return [bottom for one in lower for bottom in bottom_of(one, source)] if lower else [device]


def settings(target: Target, devices: list[str], source: Source) -> dict[Path, QueueSettings]:
    """The settings to write, by queue directory, in this order."""
    by_queue: dict[Path, QueueSettings] = {}
    for device in devices:
        for low in bottom_of(device, source):
            values = by_queue.setdefault(queue_of(low, source), {})
            if target.scheduler is not None:
                values[SCHEDULER] = target.scheduler
            if target.nr_requests is not None:
                values[REQUESTS] = str(target.nr_requests)
        if target.read_ahead is not None:
            by_queue.setdefault(queue_of(device, source), {})[READ_AHEAD] = str(target.read_ahead // KIB)
    return {queue: values for queue, values in by_queue.items() if values}


def remember(queue: Path) -> QueueSettings:
    """Every writable setting of a queue, because a change of the scheduler resets others."""
    values: QueueSettings = {}
    for folder in (queue, queue / "iosched"):
        for path in sorted(folder.glob("*")):
            if path.is_file() and path.stat().st_mode & 0o200:
                try:
                    values[str(path.relative_to(queue))] = _value(path)
                except OSError:
                    continue  # write-only, or without meaning on this device
    return values


def write(queue: Path, values: QueueSettings) -> list[str]:
    """Write settings in their order. Returns a description of each value that the kernel rounded.

    Raises PreparationError if the kernel refuses a setting.
    """
    rounded = []
    for name, value in values.items():
        path = queue / name
        try:
            path.write_text(value)
            now = _value(path)
        except OSError as error:
            raise PreparationError(
                f"The kernel refuses {name} = {value} for {_device(queue)}: {error.strerror}.{_choices(path)}"
            ) from None
        if now != value:
            if name == SCHEDULER:
                raise PreparationError(f"{_device(queue)} keeps the scheduler {now} instead of {value}.")
            rounded.append(f"{name} of {_device(queue)}: {value} became {now}")
    return rounded


def restore(queue: Path, old: Mapping[str, str]) -> list[str]:
    """Restore the settings of a queue. Returns the names of the settings that had changed.

    The scheduler comes first, because it resets others. Nothing is restored for a device that is gone. Raises NotUndone
    with every setting that the kernel does not restore.
    """
    changed, stuck = [], []
    for name, value in sorted(old.items(), key=lambda item: item[0] != SCHEDULER):
        path = queue / name
        try:
            if _value(path) != value:
                path.write_text(value)
                changed.append(name)
                if _value(path) != value:
                    stuck.append(f"{path} is {_value(path)}, and was {value}")
        except FileNotFoundError:
            continue  # the device is gone, or the setting belongs to an inactive scheduler
        except OSError as error:
            stuck.append(f"{path} was {value} and cannot be put back: {error.strerror}")
    if stuck:
        raise NotUndone("\n".join(stuck))
    return changed


def why_no_scheduler(name: str, queue: Path, modules: Path = Path("/lib/modules")) -> str | None:
    """The reason why a queue cannot have this scheduler; None if it is listed or a module provides it."""
    try:
        listed = (queue / SCHEDULER).read_text().replace("[", "").replace("]", "").split()
    except OSError:
        return f"{_device(queue)} has no scheduler"
    folder = modules / os.uname().release
    if name in listed or any(folder.glob(f"kernel/block/{name}*.ko*")):
        return None
    return f"this kernel does not have the scheduler {name} for {_device(queue)}, only {', '.join(listed)}"


def _value(path: Path) -> str:
    text = path.read_text().strip()
    return active_scheduler(text) or text if path.name == SCHEDULER else text


def _device(queue: Path) -> str:
    return queue.parent.name


def _choices(path: Path) -> str:
    return f" It has {path.read_text().strip()}." if path.name == SCHEDULER and path.exists() else ""

"""Read-ahead, scheduler and nr_requests of the queues below a target: set, looked at again, and put back exactly.

Sources: Documentation/ABI/stable/sysfs-block and Documentation/block/switching-sched.rst of the kernel. Read-ahead
belongs to the device that is mounted; scheduler and requests to the devices at the bottom of the stack, because arrays
and volumes have no queue of requests. btrfs and NFS have a read-ahead of their own, which comes with each mount.
"""

from __future__ import annotations

import os
from pathlib import Path

from benchagent.errors import NotUndone, PreparationError
from benchagent.inventory import Source
from benchagent.inventory.mounts import mount_of, parse_mountinfo
from benchagent.inventory.storage.block import active_scheduler, is_partition, lower_devices, name_of
from benchagent.inventory.storage.btrfs import directory as btrfs_directory
from benchagent.inventory.storage.stack import mounted_devices
from benchagent.plan.model import TUNABLES, Target

READ_AHEAD, SCHEDULER, REQUESTS = "read_ahead_kb", "scheduler", "nr_requests"
KIB = 1024
Values = dict[str, str]  # by file, relative to the queue's directory


def wanted(target: Target) -> bool:
    return any(getattr(target, key) is not None for key in TUNABLES)


def devices_below(directory: str, source: Source) -> list[str]:
    """The block devices that a directory's file system is on, as sysfs has them; none for NFS and memory."""
    real = os.path.realpath(directory)
    number = os.stat(real).st_dev
    mount = mount_of(parse_mountinfo(source.text("/proc/self/mountinfo") or ""), real)
    return mounted_devices(source, mount, f"{os.major(number)}:{os.minor(number)}")


def own_read_ahead(directory: str, source: Source) -> Path | None:
    """The file that holds the read-ahead of the mount itself; None where its device's is in force."""
    real = os.path.realpath(directory)
    mount = mount_of(parse_mountinfo(source.text("/proc/self/mountinfo") or ""), real)
    if mount is None:
        return None
    if mount.type == "btrfs":
        devices = devices_below(directory, source)
        found = Path(f"{btrfs_directory(source, name_of(devices[0]))}/bdi" if devices else "/nonexistent")
    else:
        found = Path(f"/sys/class/bdi/{mount.device}")
        devices = devices_below(directory, source)
        if any(found.resolve() == (queue_of(each, source).parent / "bdi").resolve() for each in devices):
            return None  # the device's own
    file = found / READ_AHEAD
    return file if file.exists() else None


def queue_of(device: str, source: Source) -> Path:
    """A partition has the queue of its disk."""
    return Path(os.path.dirname(device) if is_partition(source, device) else device, "queue")


def bottom_of(device: str, source: Source) -> list[str]:
    """The devices with a queue of requests below one: the disks of an array, the device itself where it has nothing
    below."""
    if is_partition(source, device):
        return bottom_of(os.path.dirname(device), source)
    below = lower_devices(source, device)
    return [found for each in below for found in bottom_of(each, source)] if below else [device]


def settings(target: Target, devices: list[str], source: Source) -> dict[Path, Values]:
    """What to write into which queue, in this order."""
    found: dict[Path, Values] = {}
    for device in devices:
        for low in bottom_of(device, source):
            values = found.setdefault(queue_of(low, source), {})
            if target.scheduler is not None:
                values[SCHEDULER] = target.scheduler
            if target.nr_requests is not None:
                values[REQUESTS] = str(target.nr_requests)
        if target.read_ahead is not None:
            found.setdefault(queue_of(device, source), {})[READ_AHEAD] = str(target.read_ahead // KIB)
    return {queue: values for queue, values in found.items() if values}


def remember(queue: Path) -> Values:
    """Every setting of a queue: another scheduler brings other values of its own and of its neighbours along."""
    found: Values = {}
    for folder in (queue, queue / "iosched"):
        for path in sorted(folder.glob("*")):
            if path.is_file() and path.stat().st_mode & 0o200:
                try:
                    found[str(path.relative_to(queue))] = _value(path)
                except OSError:
                    continue  # can only be written, or has no meaning on this device
    return found


def write(queue: Path, values: Values) -> list[str]:
    """Write settings in their order. Returns, in words, what the kernel made of those that it did not take literally.

    Raises PreparationError where it refuses one.
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


def restore(queue: Path, old: Values) -> list[str]:
    """Put a queue's settings back; returns the names of those that had changed.

    The scheduler comes first, because it resets others. A device that is gone has nothing to put back. Raises NotUndone
    with every setting that the kernel does not take back.
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
            continue  # the device is gone, or a setting of a scheduler that is not in use
        except OSError as error:
            stuck.append(f"{path} was {value} and cannot be put back: {error.strerror}")
    if stuck:
        raise NotUndone("\n".join(stuck))
    return changed


def why_no_scheduler(name: str, queue: Path, modules: Path = Path("/lib/modules")) -> str | None:
    """Why a queue cannot have this scheduler, None where it can: it is listed, or a module brings it."""
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

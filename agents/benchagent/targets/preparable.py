"""Checks before the measurement whether this machine can prepare a target."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from benchagent.errors import PreparationError, UnsafeDirectory
from benchagent.filesystems import named
from benchagent.inventory.storage.block import device_by_number
from benchagent.plan.model import GateSide, Target
from benchagent.system.other_users import why_unsafe
from benchagent.system.programs import find_program, replacing
from benchagent.tools import fsload

from . import devices, tunables
from .file_systems import known_to_kernel
from .formatting import formatted
from .prepared_target import MOUNT, Mounted, StepFailed
from .work_directory import WorkDirectory


def why_not_prepared(target: Target, work: WorkDirectory) -> str | None:
    """The reason why this machine cannot prepare the target; None if it can. `work` must be open.

    Each target is checked once in a run.
    """
    if target not in work.reasons:
        with replacing(dict(target.side.programs) if target.side else {}):
            work.reasons[target] = _why_no_side(target.side) or _reason(target, work)
    return work.reasons[target]


def _why_no_side(side: GateSide | None) -> str | None:
    """The first thing of the side that cannot be used here; None if all can."""
    if side is None:
        return None
    for program, path in side.programs:
        if find_program(program) is None:
            return f"the {program} of side {side.name}, {path}, is not an executable file"
    if side.modules and os.geteuid() != 0:
        return "only root can load kernel modules"
    missing = [module.file for module in side.modules if module.file is not None and not os.path.isfile(module.file)]
    return f"the module of side {side.name}, {missing[0]}, is not a file" if missing else None


def _reason(target: Target, work: WorkDirectory) -> str | None:
    if target.refused is not None:
        return target.refused
    why = _why_no_directory(target) if target.kind == "directory" else _why_not_formatted(target, work)
    return why or _why_not_tuned(target, work) or work.why_no_group or _why_not_mounted(target, work)


def _why_no_directory(target: Target) -> str | None:
    if target.path is None:
        return "the plan leaves the directory open; name it with --directory"
    if not os.path.isdir(target.path):
        return f"{target.path} is not a directory"
    why = why_unsafe(Path(target.path))
    if why is not None:
        return str(UnsafeDirectory(why))
    return None if os.access(target.path, os.W_OK | os.X_OK) else f"this user may not write into {target.path}"


def _why_not_formatted(target: Target, work: WorkDirectory) -> str | None:
    if os.geteuid() != 0:
        return "image files and devices can be mounted only by root"
    file_system = named(target.file_system)
    if find_program(file_system.program) is None:
        return f"{file_system.program} is not installed (Debian package: {file_system.package})"
    if not known_to_kernel(target.file_system):
        return f"this kernel does not know {target.file_system}"
    if target.tune2fs and find_program("tune2fs") is None:
        return "tune2fs is not installed (Debian package: e2fsprogs)"
    if target.age is not None and fsload.TOOL.find() is None:
        return fsload.TOOL.missing
    return _why_no_device(target, work) if target.kind == "device" else None


def _why_no_device(target: Target, work: WorkDirectory) -> str | None:
    path = target.path or ""
    try:
        device = devices.look_at(path, work.source)
    except PreparationError as error:
        return str(error)
    return devices.why_not_format(device, wipe=target.wipe, ours=work.ours.get(path))


def _why_not_tuned(target: Target, work: WorkDirectory) -> str | None:
    if not tunables.wanted(target):
        return None
    if os.geteuid() != 0:
        return "only root can set read-ahead, scheduler and nr_requests"
    devices_below = _devices_below(target, work)
    if target.kind == "directory" and not devices_below:
        needs_queue = target.scheduler is not None or target.nr_requests is not None
        if needs_queue or tunables.own_read_ahead(target.path or "", work.source) is None:
            return f"below {target.path} is no block device whose read-ahead, scheduler or nr_requests could be set"
    if target.scheduler is None:
        return None
    queues = [
        tunables.queue_of(low, work.source)
        for device in devices_below
        for low in tunables.bottom_of(device, work.source)
    ]
    reasons = (tunables.why_no_scheduler(target.scheduler, queue) for queue in queues)
    return next((why for why in reasons if why is not None), None)


def _devices_below(target: Target, work: WorkDirectory) -> list[str]:
    """The devices that will be under the target; for an image any loop device, in place of the future one."""
    if target.kind == "directory":
        return tunables.devices_below(target.path or "", work.source)
    if target.kind == "device":
        number = os.stat(target.path or "").st_rdev
        device = device_by_number(work.source, f"{os.major(number)}:{os.minor(number)}")
        return [device] if device else []
    loops = sorted(Path("/sys/block").glob("loop[0-9]*"))
    return [str(loops[0].resolve())] if loops else []


def _why_not_mounted(target: Target, work: WorkDirectory) -> str | None:
    """Whether mount refuses the options; with the modules or the setup of a side, only its visits can show this."""
    changed = target.side is not None and (target.side.modules or target.side.setup)
    return refused_options(target, work) if target.is_made and not changed else None


NAME = "probe"
SIZE = 512 * 1024**2  # bytes, sparse: room for the smallest xfs (300 MiB)


def refused_options(target: Target, work: WorkDirectory) -> str | None:
    """The reason why this kernel cannot mount the target, with the options that it refuses; None if it can.

    A refusal by mkfs is no reason: the options may fit the target's size but not that of the small image. mkfs reports
    the refusal in each round.
    """
    key = (target.file_system, target.mkfs_options, target.mount_options)
    if not (target.mkfs_options or target.mount_options):
        return None
    if key not in work.refused:
        work.refused[key] = _probe(target, work)
    return work.refused[key]


def _probe(target: Target, work: WorkDirectory) -> str | None:
    kind, options = target.file_system, target.mount_options
    small = Target(NAME, "image", size=SIZE, file_system=kind, mkfs_options=target.mkfs_options)
    try:
        with _unmounted(small, work) as mounted:
            return _culprits(mounted, options)
    except StepFailed as error:
        failed = error.test
    try:
        with _unmounted(replace(small, mkfs_options=()), work) as mounted:
            if failed == MOUNT:
                return f"this kernel does not mount {kind} made with {' '.join(target.mkfs_options)}"
            return _culprits(mounted, options)  # the mkfs options need more space than the small image has
    except StepFailed as error:
        return f"this kernel does not mount {kind}: {error}" if error.test == MOUNT else None


@contextmanager
def _unmounted(small: Target, work: WorkDirectory) -> Iterator[Mounted]:
    """A small, unmounted file system that can be mounted without options."""
    with formatted(small, work, lambda: None) as prepared:
        assert prepared.mounted is not None
        prepared.mounted.unmount()
        yield prepared.mounted


def _culprits(mounted: Mounted, options: tuple[str, ...]) -> str | None:
    if _mounts(mounted, options):
        return None
    culprits = [option for option in options if not _mounts(mounted, (option,))]
    kind = mounted.target.file_system
    if not culprits:
        return f"this kernel refuses the mount options {','.join(options)} together for {kind}"
    named = f"mount option {culprits[0]}" if len(culprits) == 1 else f"mount options {', '.join(culprits)}"
    return f"this kernel refuses the {named} for {kind}"


def _mounts(mounted: Mounted, options: tuple[str, ...]) -> bool:
    try:
        replace(mounted, target=replace(mounted.target, mount_options=options)).mount()
    except StepFailed:
        return False
    mounted.unmount()
    return True

"""Adapts a plan to this machine: the memory for `ram`, the kernel's option names, the files beside the plan."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from benchagent.filesystems import FileSystemType, named
from benchagent.filesystems.options import Version
from benchagent.inventory import Environment
from benchagent.plan.model import Plan, Target
from benchagent.plan.reading import load

from .files import with_files


def planned(source: str, folder: Path, environment: Environment, directory: Path | None = None) -> Plan:
    """The plan read from `source`, with its files from `folder` and the machine's `environment` as in documents.

    `directory` replaces the paths of directory targets. Raises PlanError with every fault found.
    """
    plan = with_files(load(source, (environment.get("memory") or {}).get("usable")), folder)
    plan = translated(plan, (environment.get("kernel") or {}).get("release"))
    return plan if directory is None else in_directory(plan, directory)


def in_directory(plan: Plan, directory: Path) -> Plan:
    """The plan with all its directory targets in `directory`."""
    path = str(directory.absolute())
    targets = tuple(replace(target, path=path) if target.kind == "directory" else target for target in plan.targets)
    return replace(plan, targets=targets)


class OptionRefused(Exception):
    """The running kernel cannot do what the plan requests."""


# The elevators of the single queue, and the nearest ones of the multi-queue layer, the only layer since Linux 5.0.
MULTI_QUEUE: Version = (5, 0)
SCHEDULERS = {
    "noop": ("none", "both pass requests on as they come"),
    "deadline": ("mq-deadline", "it is the same algorithm"),
    "cfq": ("bfq", "both share the disk's time among processes, and idle for the next request of one"),
    "as": ("bfq", "the anticipatory scheduler gave way to cfq in Linux 2.6.33, this to bfq"),
    "anticipatory": ("bfq", "the anticipatory scheduler gave way to cfq in Linux 2.6.33, this to bfq"),
}


def version_of(release: str | None) -> Version:
    """`6.1.0-28-amd64` is (6, 1, 0). A release without a number counts as new."""
    match = re.match(r"[0-9]+(\.[0-9]+)*", release or "")
    return tuple(int(part) for part in match.group().split(".")) if match else (99,)


def translated(plan: Plan, release: str | None) -> Plan:
    """The plan for the kernel of this release, with unchanged ids."""
    kernel = version_of(release)
    return replace(plan, targets=tuple(translate(target, kernel) for target in plan.targets))


def translate(target: Target, kernel: Version) -> Target:
    """The target for this kernel: `notes` lists the changes, `refused` is why it cannot be made."""
    notes: list[str] = []
    scheduler = _scheduler(target.scheduler, kernel, notes)
    if not target.is_made:
        return replace(target, scheduler=scheduler, notes=(*target.notes, *notes))
    try:
        file_system = _file_system(named(target.file_system), kernel, notes)
        if target.tune2fs and not file_system.tuned:
            raise OptionRefused(f"tune2fs tunes ext2, ext3 and ext4, not {file_system.name}")
        mount_options, mkfs_options = _options(target.mount_options, file_system, kernel, notes)
    except OptionRefused as reason:
        return replace(target, refused=str(reason))
    return replace(
        target,
        file_system=file_system.name,
        mkfs_options=(*target.mkfs_options, *mkfs_options),
        mount_options=tuple(mount_options),
        scheduler=scheduler,
        notes=(*target.notes, *notes),
    )


def _file_system(asked: FileSystemType, kernel: Version, notes: list[str]) -> FileSystemType:
    if asked.gone and kernel >= asked.gone[0]:
        raise OptionRefused(asked.gone[1])
    if asked.successor is None:
        return asked
    name, why = asked.successor
    notes.append(why)
    return named(name)


def _options(
    options: Iterable[str], file_system: FileSystemType, kernel: Version, notes: list[str]
) -> tuple[list[str], list[str]]:
    """The translated mount options, and arguments of mkfs that replace others of them."""
    mount: list[str] = []
    mkfs: list[str] = []
    for option in filter(None, ",".join(options).split(",")):  # mount accepts several in one text
        rule = next((rule for rule in file_system.rules if rule.fits(option, kernel)), None)
        if rule is None or rule.instead == option:
            mount.append(option)
            continue
        if rule.instead is None:
            raise OptionRefused(f"{option} cannot be had on {file_system.name}: {rule.why}")
        if rule.instead:
            notes.append(f"{option} is written {rule.instead} on {file_system.name}")
            mount.append(rule.instead)
        elif rule.mkfs:
            notes.append(f"{option} is given to mkfs as {' '.join(rule.mkfs)}: {rule.why}")
            mkfs += rule.mkfs
        else:
            notes.append(f"{option} is left out on {file_system.name}: {rule.why}")
    return mount, mkfs


def _scheduler(name: str | None, kernel: Version, notes: list[str]) -> str | None:
    if name not in SCHEDULERS or kernel < MULTI_QUEUE:
        return name
    instead, why = SCHEDULERS[name]
    notes.append(f"scheduler {name} is {instead}: {why}")
    return instead

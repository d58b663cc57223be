"""A control group that limits the memory of tools, including the page cache.

Sources: cgroup-v1/memory.rst and cgroup-v2.rst of the kernel's Documentation/admin-guide. The new group is inside the
agent's own group, so that the limits of the latter still apply. In v2, a group with processes cannot limit groups
inside it; the new group is then inside the nearest ancestor that delegates the memory controller.
"""

from __future__ import annotations

import os
import posixpath
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from benchagent.errors import PreparationError
from benchagent.inventory import Source
from benchagent.inventory.machine.memory import parse_cgroup
from benchagent.inventory.mounts import MountInfo, parse_mountinfo

PATIENCE = 10.0  # seconds that processes have to end after SIGKILL
PROCESSES = "cgroup.procs"
# The settings to write, in this order: the limit, then those that prevent swapping in place of dropping cached pages.
# All but the first are skipped if the kernel does not have them (swap accounting).
FILES = {
    1: (("memory.limit_in_bytes", "{limit}"), ("memory.memsw.limit_in_bytes", "{limit}"), ("memory.swappiness", "0")),
    2: (("memory.max", "{limit}"), ("memory.swap.max", "0")),
}


class ParentGroup(NamedTuple):
    """The directory in which a group can be created, and the version of control groups, 1 or 2."""

    directory: Path
    version: int


def find_parent(source: Source) -> ParentGroup | None:
    """The parent for a group with a memory limit; None if this process sees no memory controller to delegate."""
    paths = parse_cgroup(source.text("/proc/self/cgroup") or "")
    mounts = parse_mountinfo(source.text("/proc/self/mountinfo") or "")
    for mount in mounts:
        if mount.type == "cgroup" and "memory" in mount.super_options and "memory" in paths:
            return ParentGroup(Path(mount.point, _below(mount, paths["memory"])), 1)
    for mount in mounts:
        if mount.type == "cgroup2" and "" in paths:
            return _handing_on(source, mount, _below(mount, paths[""]))
    return None


def create(group: Path, version: int, limit: int) -> None:
    """Create the group with its limit in bytes. Raises PreparationError if this process may not."""
    try:
        group.mkdir()
        for name, value in FILES[version]:
            file = group / name
            if file.exists() or name == FILES[version][0][0]:
                file.write_text(value.format(limit=limit))
    except OSError as error:
        remove(group)
        raise PreparationError(f"cannot limit memory in {group.parent}: {error.strerror}") from None


def remove(group: Path) -> list[str]:
    """Kill the processes in the group, and remove it. Returns a description of each step.

    Raises PreparationError if a process does not end, or if the kernel keeps the group.
    """
    if not group.is_dir():
        return []
    killed: dict[int, None] = {}
    deadline = time.monotonic() + PATIENCE
    while left := [int(line) for line in (group / PROCESSES).read_text().split()]:
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            killed[pid] = None
        if time.monotonic() > deadline:
            raise PreparationError(f"Process {left[0]} in the control group {group} does not end.")
        time.sleep(0.01)
    _rmdir(group, deadline)
    return [*(f"ended process {pid}" for pid in killed), f"removed the control group {group}"]


def _rmdir(group: Path, deadline: float) -> None:
    """Remove the group directory, with retries: a process leaves its group shortly after its end."""
    while True:
        try:
            return group.rmdir()
        except OSError as error:
            if time.monotonic() > deadline:
                raise PreparationError(f"Cannot remove the control group {group}: {error.strerror}.") from None
            time.sleep(0.01)


def _below(mount: MountInfo, path: str) -> str:
    """The agent's group relative to the mount; in a container it may be outside, and then the mount's root is used."""
    group = posixpath.relpath(path, mount.root)
    return "." if group.startswith("..") else group


def _handing_on(source: Source, mount: MountInfo, group: str) -> ParentGroup | None:
    while True:
        directory = posixpath.normpath(posixpath.join(mount.point, group))
        if "memory" in (source.line(f"{directory}/cgroup.subtree_control") or "").split():
            return ParentGroup(Path(directory), 2)
        if group in (".", ""):
            return None
        group = posixpath.dirname(group)

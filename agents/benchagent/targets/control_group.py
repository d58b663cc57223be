"""A control group that limits the memory of tools, page cache included.

Sources: cgroup-v1/memory.rst and cgroup-v2.rst of the kernel's Documentation/admin-guide. The group lies below ours, so
that our limits hold on. In v2 a group that holds processes cannot limit others inside it, so there it lies in the
nearest group above ours that hands the memory controller on.
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
from benchagent.inventory.mounts import Mount, parse_mountinfo

PATIENCE = 10.0  # seconds that processes get to end after SIGKILL
PROCESSES = "cgroup.procs"
# What to write, in this order: the limit, then that nothing is swapped out instead of dropped from the cache. Files
# that the kernel was built without (swap accounting) are passed over, except the first.
FILES = {
    1: (("memory.limit_in_bytes", "{limit}"), ("memory.memsw.limit_in_bytes", "{limit}"), ("memory.swappiness", "0")),
    2: (("memory.max", "{limit}"), ("memory.swap.max", "0")),
}


class Parent(NamedTuple):
    """Where the group can be made."""

    directory: Path
    version: int


def find_parent(source: Source) -> Parent | None:
    """Where the memory controller is, None where this process sees none that it could hand on."""
    paths = parse_cgroup(source.text("/proc/self/cgroup") or "")
    mounts = parse_mountinfo(source.text("/proc/self/mountinfo") or "")
    for mount in mounts:
        if mount.type == "cgroup" and "memory" in mount.super_options and "memory" in paths:
            return Parent(Path(mount.point, _below(mount, paths["memory"])), 1)
    for mount in mounts:
        if mount.type == "cgroup2" and "" in paths:
            return _handing_on(source, mount, _below(mount, paths[""]))
    return None


def create(group: Path, version: int, limit: int) -> None:
    """Make the group with its limit, in bytes. Raises PreparationError where this process may not."""
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
    """Kill what still runs in the group, and remove it. Returns what was done, in words.

    Raises PreparationError where a process does not end, or the kernel keeps the group.
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
    """A process that has ended leaves its group a moment later."""
    while True:
        try:
            return group.rmdir()
        except OSError as error:
            if time.monotonic() > deadline:
                raise PreparationError(f"Cannot remove the control group {group}: {error.strerror}.") from None
            time.sleep(0.01)


def _below(mount: Mount, path: str) -> str:
    """Our group relative to what is mounted; in a container it may lie outside, and then the mount's root is ours."""
    group = posixpath.relpath(path, mount.root)
    return "." if group.startswith("..") else group


def _handing_on(source: Source, mount: Mount, group: str) -> Parent | None:
    while True:
        directory = posixpath.normpath(posixpath.join(mount.point, group))
        if "memory" in (source.line(f"{directory}/cgroup.subtree_control") or "").split():
            return Parent(Path(directory), 2)
        if group in (".", ""):
            return None
        group = posixpath.dirname(group)

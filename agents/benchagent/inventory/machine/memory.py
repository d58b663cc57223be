"""Memory: that of the machine (/proc/meminfo), and the limit of this control group."""

from __future__ import annotations

import posixpath
import re

from benchagent.inventory.facts import MemoryFacts
from benchagent.inventory.mounts import MountInfo, parse_mountinfo
from benchagent.inventory.source import Source

from .dimms import modules

UNLIMITED = 2**60  # "no limit" of cgroup v1 is the largest number of whole pages, just under 2^63


def memory(source: Source) -> MemoryFacts:
    """The machine's memory, and how much of it this process may use."""
    info = parse_meminfo(source.text("/proc/meminfo") or "")
    total = info.get("MemTotal")
    bounds = [size for size in (total, control_group_limit(source)) if size is not None]
    return {
        "total": total,
        "usable": min(bounds) if bounds else None,
        "swap": info.get("SwapTotal"),
        "modules": modules(source),
    }


def parse_meminfo(text: str) -> dict[str, int]:
    """The sizes in /proc/meminfo in bytes; its `kB` are KiB."""
    return {name: int(size) * 1024 for name, size in re.findall(r"^(\S+):\s+(\d+) kB$", text, re.MULTILINE)}


def parse_cgroup(text: str) -> dict[str, str]:
    """/proc/self/cgroup: controller to path. The unified hierarchy (v2) has the empty name."""
    paths: dict[str, str] = {}
    for line in text.splitlines():
        number, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if number.isdecimal() and path:
            paths.update(dict.fromkeys(controllers.split(","), path))
    return paths


def control_group_limit(source: Source) -> int | None:
    """The lowest memory limit of this process's control groups in bytes; None if there is none.

    The page cache counts as memory of the group, so a limit decides whether a file is measured in memory or on the
    disk. `memory.high` limits the cache as well, because the kernel then reclaims memory as for the hard limit.
    """
    paths = parse_cgroup(source.text("/proc/self/cgroup") or "")
    mounts = parse_mountinfo(source.text("/proc/self/mountinfo") or "")
    limits: list[int] = []
    for mount in mounts:
        if mount.type == "cgroup2" and "" in paths:
            limits += _limits(source, mount, paths[""], ("memory.max", "memory.high"))
        elif mount.type == "cgroup" and "memory" in mount.super_options and "memory" in paths:
            limits += _limits(source, mount, paths["memory"], ("memory.limit_in_bytes",))
    return min(limits, default=None)


def _limits(source: Source, mount: MountInfo, path: str, files: tuple[str, ...]) -> list[int]:
    """Every limit from the agent's group up to the root of the mount; `max` in v2 means no limit."""
    group = posixpath.relpath(path, mount.root)
    if group.startswith(".."):
        group = "."  # in a container the path may be outside the mount; the mount's root is then the group
    limits: list[int] = []
    while True:
        values = (source.integer(posixpath.join(mount.point, group, file)) for file in files)
        limits += [value for value in values if value is not None and value < UNLIMITED]
        if group in (".", ""):
            return limits
        group = posixpath.dirname(group)

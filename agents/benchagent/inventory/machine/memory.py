"""Memory: what the machine has (/proc/meminfo) and what this control group may use of it."""

from __future__ import annotations

import posixpath
import re

from benchagent.inventory.facts import Facts
from benchagent.inventory.mounts import MountInfo, parse_mountinfo
from benchagent.inventory.source import Source

from .dimms import modules

UNLIMITED = 2**60  # cgroup v1 writes "no limit" as the largest number of whole pages, just under 2^63


def memory(source: Source) -> Facts:
    """The contract's `environment.memory`; `usable` is the least of total and all limits of our control groups."""
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
    """/proc/meminfo: the sizes it gives in kB (which are KiB), in bytes."""
    return {name: int(size) * 1024 for name, size in re.findall(r"^(\S+):\s+(\d+) kB$", text, re.MULTILINE)}


def parse_cgroup(text: str) -> dict[str, str]:
    """/proc/self/cgroup: controller to path. The unified hierarchy (v2) stands under the empty name."""
    paths: dict[str, str] = {}
    for line in text.splitlines():
        number, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if number.isdecimal() and path:
            paths.update(dict.fromkeys(controllers.split(","), path))
    return paths


def control_group_limit(source: Source) -> int | None:
    """The tightest memory limit of this process's control groups in bytes, None where there is none.

    The page cache counts against the group, so a limit decides whether a file is measured in memory or on the disk.
    `memory.high` makes the kernel reclaim just like the hard limit does, so it bounds the cache too.
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
    """Every limit from our group up to the root of the mount; `max` in v2 is no number and so no limit."""
    group = posixpath.relpath(path, mount.root)
    if group.startswith(".."):
        group = "."  # in a container the path may lie outside what is mounted; the mount's root then is our group
    found: list[int] = []
    while True:
        values = (source.integer(posixpath.join(mount.point, group, file)) for file in files)
        found += [value for value in values if value is not None and value < UNLIMITED]
        if group in (".", ""):
            return found
        group = posixpath.dirname(group)

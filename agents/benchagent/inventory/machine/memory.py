"""Memory: that of the machine (/proc/meminfo), and the limit of this control group."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from typing import NamedTuple

from benchagent.inventory.facts import Facts, MemoryFacts, clean
from benchagent.inventory.mounts import MountInfo, parse_mountinfo
from benchagent.inventory.source import Source
from benchagent.inventory.udev import parse_udev

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


UDEV = "/run/udev/data/+dmi:id"
UNITS = {"bytes": 1, "kB": 1024, "MB": 1024**2, "GB": 1024**3, "TB": 1024**4}  # dmidecode's names of binary units
UNKNOWN = frozenset({"unknown", "other", "<out of spec>", "none", ""})


class Dimm(NamedTuple):
    """One module: size in bytes, type (`DDR4`), and configured rate in transfers per second."""

    size: int | None
    type: str | None
    transfer_rate: int | None


def modules(source: Source) -> list[Facts]:
    """`[{count, size, type, transfer_rate}]`, one entry per kind of module; `[]` if nothing can be read."""
    properties = parse_udev(source.text(UDEV) or "")
    listed = from_udev(properties) or parse_dmidecode(source.output("dmidecode", "-t", "17") or "")
    return [{"count": count, **module._asdict()} for module, count in Counter(listed).items()]


def from_udev(properties: dict[str, str]) -> list[Dimm]:
    """The modules in udev's properties `MEMORY_DEVICE_0_SIZE=…`; an empty slot has `MEMORY_DEVICE_1_PRESENT=0`."""
    listed = []
    for key, size in properties.items():
        slot = re.fullmatch(r"(MEMORY_DEVICE_\d+)_SIZE", key)
        if slot and size.isdecimal() and int(size):
            rate = properties.get(f"{slot[1]}_CONFIGURED_SPEED_MTS") or properties.get(f"{slot[1]}_SPEED_MTS")
            listed.append(Dimm(int(size), _unless_unknown(properties.get(f"{slot[1]}_TYPE")), _rate(rate)))
    return listed


def parse_dmidecode(text: str) -> list[Dimm]:
    """The modules in `dmidecode -t 17`; versions before 3.0 print `Configured Clock Speed`, and MHz for MT/s."""
    listed = []
    for paragraph in re.split(r"\n\s*\n", text):
        fields = dict(re.findall(r"^\s+([^:\n]+): (.*?)\s*$", paragraph, re.MULTILINE))
        size = _size(fields.get("Size"))
        if "Memory Device" in paragraph and size:
            speeds = (fields.get(f"{name} Speed") for name in ("Configured Memory", "Configured Clock"))
            rate = next(filter(None, map(_rate, speeds)), None) or _rate(fields.get("Speed"))
            listed.append(Dimm(size, _unless_unknown(fields.get("Type")), rate))
    return listed


def _unless_unknown(text: str | None) -> str | None:
    return None if (text or "").strip().lower() in UNKNOWN else clean(text)


def _size(text: str | None) -> int | None:
    """`16 GB` is 16 GiB; `No Module Installed` gives None."""
    match = re.fullmatch(r"(\d+) (\w+)", text or "")
    return int(match[1]) * UNITS[match[2]] if match and match[2] in UNITS else None


def _rate(text: str | None) -> int | None:
    """`2666 MT/s`, `2666 MHz` (which means the same here) or `2666`."""
    match = re.fullmatch(r"(\d+)(?: (?:MT/s|MHz))?", text or "")
    return int(match[1]) * 1_000_000 or None if match else None

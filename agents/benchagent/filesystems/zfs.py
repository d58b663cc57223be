"""ZFS: the pool under a dataset, by `zpool` and `zfs`. The facts name neither the pool nor the dataset."""

from __future__ import annotations

import re
from typing import NamedTuple

from .declaration import FileSystemType
from .reading import Facts, Format, MountInfo, Source, number

# Settings of a dataset that affect how it stores data, and therefore its speed.
DATASET = ["compression", "checksum", "sync", "logbias", "primarycache", "secondarycache", "dedup", "copies", "xattr"]
DATASET += ["dnodesize", "redundant_metadata", "special_small_blocks", "encryption", "prefetch", "direct"]
# The headings of `zpool status` for devices that hold no data.
ROLES = {"logs": "log", "cache": "cache", "spares": "spare", "special": "special", "dedup": "dedup"}
ACTIVITY = re.compile(r"^\s*scan: (resilver|scrub|rebuild) .*in progress", re.MULTILINE)
ACTIVITIES = {"resilver": "resilvering", "rebuild": "resilvering", "scrub": "scrubbing"}


class Vdev(NamedTuple):
    """A device at the top of the pool: a group (`raidz2`, `mirror`) or, with level None, a single disk."""

    role: str
    level: str | None
    members: list[str]  # as zpool names them; /dev/… if the disk is present


def layers(source: Source, mount: MountInfo, _device: str | None) -> list[Facts]:
    """The pool and its groups of disks, without the disks, which `devices` returns."""
    pool, vdevs = _properties(source, "zpool", _pool_of(mount)), parse_status(_status(source, mount))
    facts = {
        "vdevs": ", ".join(_vdev_text(vdev) for vdev in vdevs),
        "ashift": number(pool.get("ashift")) or _ashift(source, _pool_of(mount)),
        "autotrim": pool.get("autotrim"),
    }
    groups = [
        {"kind": "raid", "level": vdev.level, "members": len(vdev.members), "facts": {"role": vdev.role}}
        for vdev in vdevs
        if vdev.level is not None
    ]
    return [{"kind": "zfs", "size": number(pool.get("size")), "facts": facts}, *groups]


def devices(source: Source, mount: MountInfo) -> list[str]:
    """The block devices of the pool without spares, those with data first, in the order of zpool."""
    vdevs = [vdev for vdev in parse_status(_status(source, mount)) if vdev.role != "spare"]
    return [name[len("/dev/") :] for vdev in vdevs for name in vdev.members if name.startswith("/dev/")]


def settings(source: Source, mount: MountInfo, _device: str | None) -> Format:
    """The features of the pool and the settings of the dataset."""
    pool, dataset = _properties(source, "zpool", _pool_of(mount)), _properties(source, "zfs", mount.source)
    enabled = (key for key, value in pool.items() if key.startswith("feature@") and value != "disabled")
    limit = re.search(r"^c_max\s+\d+\s+(\d+)$", source.text("/proc/spl/kstat/zfs/arcstats") or "", re.MULTILINE)
    return Format(
        features=sorted(key[len("feature@") :] for key in enabled) or None,
        block_size=number(dataset.get("recordsize")),
        details={
            **{key: dataset[key] for key in DATASET if dataset.get(key, "-") != "-"},
            "arc_max": number(limit[1]) if limit else None,
        },
    )


def states(source: Source, mount: MountInfo, _device: str | None) -> list[Facts]:
    """Whether the pool is complete and idle."""
    status = _status(source, mount)
    health = re.search(r"^\s*state: (\w+)", status, re.MULTILINE)
    if health is None:
        return [{"kind": "zfs", "name": None, "state": None, "done": None}]
    activity = ACTIVITY.search(status)
    words = [health[1].lower()] if health[1] != "ONLINE" else []
    words += [ACTIVITIES[activity[1]]] if activity else []
    done = re.search(r"([\d.]+)% done", status) if activity else None
    share = round(float(done[1]) / 100, 6) if done else None
    return [{"kind": "zfs", "name": None, "state": ", ".join(words) or "healthy", "done": share}]


def parse_status(text: str) -> list[Vdev]:
    """The tree that `zpool status` prints under `config:`, indented by two blanks per level, the pool first."""
    vdevs: list[Vdev] = []
    role = "data"
    for line in text.partition("config:")[2].partition("\nerrors:")[0].splitlines():
        if not line.startswith("\t") or not line.strip() or line.split()[0] == "NAME":
            continue
        depth, name = (len(line[1:]) - len(line[1:].lstrip(" "))) // 2, line.split()[0]
        if depth == 0:
            role = ROLES.get(name, "data")
        elif depth == 1:
            group = re.fullmatch(r"((?:raidz\d?|mirror|draid\S*?))-\d+", name)
            vdevs.append(Vdev(role, group[1] if group else None, [] if group else [name]))
        elif depth == 2 and vdevs:
            vdevs[-1].members.append(name)
    return vdevs


def _vdev_text(vdev: Vdev) -> str:
    role = "" if vdev.role == "data" else f"{vdev.role} "
    return role + (f"{vdev.level} of {len(vdev.members)}" if vdev.level else "disk")


def _pool_of(mount: MountInfo) -> str:
    return mount.source.partition("/")[0]


def _status(source: Source, mount: MountInfo) -> str:
    return source.output("zpool", "status", "-LP", _pool_of(mount)) or ""


def _properties(source: Source, program: str, name: str) -> dict[str, str]:
    output = source.output(program, "get", "-Hp", "-o", "property,value", "all", name) or ""
    pairs = (line.split("\t") for line in output.splitlines())
    return {pair[0]: pair[1].strip() for pair in pairs if len(pair) == 2}


def _ashift(source: Source, pool: str) -> int | None:
    """The actual ashift of a pool, from zdb (root only): the property is 0 unless it was set."""
    actual = re.search(r"\bashift: (\d+)", source.output("zdb", "-C", pool) or "")
    return number(actual[1]) if actual else None


FILE_SYSTEMS = (
    FileSystemType(
        "zfs",
        colour=(4, 0),
        settings=settings,
        devices=devices,
        layers=layers,
        states=states,
        pooled=True,
        own_cache=True,  # outside the memory of a control group
        compresses=True,
    ),
)

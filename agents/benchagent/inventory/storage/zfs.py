"""ZFS: the pool under a dataset, by `zpool` and `zfs`. The facts name neither the pool nor the dataset."""

from __future__ import annotations

import re
from typing import NamedTuple

from benchagent.inventory.facts import Facts, clean
from benchagent.inventory.source import Source

from .block import device_by_name

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


def pool_of(dataset: str) -> str:
    return dataset.partition("/")[0]


def layers(source: Source, dataset: str) -> list[Facts]:
    """The pool and its groups of disks, without the disks, which `devices` returns."""
    pool = _properties(source, "zpool", pool_of(dataset))
    vdevs = parse_status(_status(source, dataset))
    size = pool.get("size", "")
    facts = {
        "vdevs": clean(", ".join(_vdev_text(vdev) for vdev in vdevs)),
        "ashift": _ashift(source, pool_of(dataset), pool),
        "autotrim": pool.get("autotrim"),
    }
    groups = [
        {"kind": "raid", "level": vdev.level, "members": len(vdev.members), "facts": {"role": vdev.role}}
        for vdev in vdevs
        if vdev.level is not None
    ]
    return [{"kind": "zfs", "size": int(size) if size.isdecimal() else None, "facts": facts}, *groups]


def devices(source: Source, dataset: str) -> list[str]:
    """The block devices of the pool without spares, those with data first, in the order of zpool."""
    vdevs = [vdev for vdev in parse_status(_status(source, dataset)) if vdev.role != "spare"]
    names = [name for vdev in vdevs for name in vdev.members if name.startswith("/dev/")]
    devices = (device_by_name(source, name[len("/dev/") :]) for name in names)
    return [device for device in devices if device]


def settings(source: Source, dataset: str) -> Facts:
    """The settings of the dataset, in the shape of `file_systems.file_system`."""
    pool = _properties(source, "zpool", pool_of(dataset))
    properties = _properties(source, "zfs", dataset)
    features = sorted(
        key[len("feature@") :] for key, value in pool.items() if key.startswith("feature@") and value != "disabled"
    )
    details: Facts = {key: properties[key] for key in DATASET if properties.get(key) not in (None, "-")}
    limit = re.search(r"^c_max\s+\d+\s+(\d+)$", source.text("/proc/spl/kstat/zfs/arcstats") or "", re.MULTILINE)
    if limit:
        details["arc_max"] = int(limit[1])
    record = properties.get("recordsize", "")
    return {
        "features": features or None,
        "block_size": int(record) if record.isdecimal() else None,
        "inode_size": None,
        "stride": None,
        "stripe_width": None,
        "details": details,
    }


def state(source: Source, dataset: str) -> Facts:
    """Whether the pool is complete and idle, in the shape of `state_before.arrays`."""
    status = _status(source, dataset)
    health = re.search(r"^\s*state: (\w+)", status, re.MULTILINE)
    if health is None:
        return {"kind": "zfs", "name": None, "state": None, "done": None}
    words = [health[1].lower()] if health[1] != "ONLINE" else []
    activity = ACTIVITY.search(status)
    words += [ACTIVITIES[activity[1]]] if activity else []
    done = re.search(r"([\d.]+)% done", status) if activity else None
    share = round(float(done[1]) / 100, 6) if done else None
    return {"kind": "zfs", "name": None, "state": ", ".join(words) or "healthy", "done": share}


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


def _status(source: Source, dataset: str) -> str:
    return source.output("zpool", "status", "-LP", pool_of(dataset)) or ""


def _properties(source: Source, program: str, name: str) -> dict[str, str]:
    output = source.output(program, "get", "-Hp", "-o", "property,value", "all", name) or ""
    pairs = (line.split("\t") for line in output.splitlines())
    return {pair[0]: clean(pair[1]) or "" for pair in pairs if len(pair) == 2}


def _ashift(source: Source, pool: str, properties: dict[str, str]) -> int | None:
    """The ashift of a pool. The property is 0 unless it was set; the actual value comes from zdb (root only)."""
    configured = properties.get("ashift", "")
    if configured.isdecimal() and int(configured):
        return int(configured)
    actual = re.search(r"\bashift: (\d+)", source.output("zdb", "-C", pool) or "")
    return int(actual[1]) if actual else None

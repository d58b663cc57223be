"""The columns people filter by, taken from the facts an agent sent. Pure functions: facts in, columns out."""

from __future__ import annotations

import hashlib
import json
from typing import Any

Facts = dict[str, Any]
LONGEST_LAYERS = 400
FORCE = frozenset({"-f", "-F", "-ff", "-q"})  # options of mkfs with which it asks nothing and prints nothing

COMPONENTS = {
    "cpu": ("cpu",),
    "memory": ("memory",),
    "numa": ("numa_nodes",),
    "kernel": ("kernel",),
    "os": ("os",),
    "virtualization": ("virtualization",),
    "storage": ("block_devices", "raid_arrays", "controllers"),
}


def digest(facts: object) -> bytes:
    """SHA-256 of the canonical JSON (sorted keys, no white space), 32 bytes."""
    return hashlib.sha256(json.dumps(facts, sort_keys=True, separators=(",", ":")).encode()).digest()


def fingerprints(environment: Facts) -> dict[str, str]:
    """One digest per component, so that a comparison of two runs finds differing components without their facts."""
    return {
        component: digest([environment.get(key) for key in keys]).hex()[:16] for component, keys in COMPONENTS.items()
    }


def environment_facets(facts: Facts) -> Facts:
    """The facet columns of `Environment`."""
    os = facts["os"]
    return {
        "cpu_model": facts["cpu"]["model"],
        "cpu_threads": facts["cpu"]["threads"],
        "memory": facts["memory"]["total"],
        "kernel_release": facts["kernel"]["release"],
        "os_name": os.get("name") or os["id"],
        "virtualization": facts["virtualization"]["kind"],
        "governor": facts["cpu"].get("governor"),
    }


def target_facets(facts: Facts) -> Facts:
    """The facet columns of `Target`; RAID and disk are the first on the way down the stack.

    RAID is any layer with a level: an array, but also a volume of LVM or the devices of btrfs.
    """
    raid: Facts = next((layer for layer in facts["stack"] if layer.get("level")), {})
    disk = _first(facts["stack"], "disk")
    return {
        "kind": facts.get("kind", "directory"),
        "file_system": facts["file_system"]["type"],
        "block_size": facts["file_system"].get("block_size"),
        "mkfs_options": _mkfs_options(facts["file_system"]),
        "mount_options": facts["mount"].get("options"),
        "raid_level": raid.get("level"),
        "raid_chunk": raid.get("chunk"),
        "raid_members": raid.get("members"),
        "layers": _layers(facts),
        "disk_model": disk.get("model"),
        "transport": disk.get("transport"),
        "scheduler": facts.get("scheduler"),
        "read_ahead": facts.get("read_ahead"),
    }


def _mkfs_options(file_system: Facts) -> str:
    """The options of mkfs in the order of their names, without the type and without those that make it ask nothing."""
    options: list[str] = []
    for word in (file_system.get("mkfs_command") or [])[1:]:
        if word.startswith("-") or not options:
            options.append(word)
        else:
            options[-1] += f" {word}"
    left_out = {*FORCE, f"-t {file_system['type']}"}
    return " ".join(sorted(option for option in options if option not in left_out))


def _layers(facts: Facts) -> str | None:
    """Kinds of layers between file system and disks: `lvm crypt`, `none`; None if the stack is not known.

    Left out: partitions, which do not matter; RAID and disks, which have other facets; the pool of the file system.
    """
    elsewhere = {"partition", "raid", "disk", facts["file_system"]["type"]}
    kinds = [layer["kind"] for layer in facts["stack"] if layer["kind"] not in elsewhere]
    return (" ".join(dict.fromkeys(kinds)) or "none")[:LONGEST_LAYERS] if facts["stack"] else None


def _first(stack: list[Facts], kind: str) -> Facts:
    return next((layer for layer in stack if layer.get("kind") == kind), {})

"""The storage stack as a drawing: mount, file system and every layer down to the disks, each with its tunables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from benchdb.wording.sizes import say_size
from benchdb.wording.words import params_in_words

from .terms import provenance_of

Facts = Mapping[str, Any]
StackLayer = dict[str, Any]

MOST_DISKS = 60  # drawn; the text always has the full count
KINDS = {
    "raid": "RAID",
    "lvm": "LVM",
    "crypt": "encryption",
    "loop": "loop device",
    "image": "image file",
    "zfs": "ZFS pool",
    "btrfs": "btrfs devices",
    "network": "other machine",
}
SIZES = {"chunk": "chunk", "read_ahead": "read-ahead"}


def draw(target: Facts) -> list[StackLayer]:
    """The context of web/partials/stack.html, from the facts of a target; without the mount if it is unknown."""
    provenance = target.get("provenance", {})
    stack = [dict(layer) for layer in target["stack"]]
    device = {key: target.get(key) for key in ("read_ahead", "scheduler", "nr_requests") if target.get(key) is not None}
    if stack:
        stack[0] = {**device, **{name: value for name, value in stack[0].items() if value is not None}}
    mount = _mount(target, {} if stack else device)
    layers = [_layer(layer, _of_layer(provenance, index)) for index, layer in enumerate(stack)]
    for above, below in pairwise(layers):  # the disks of an array are drawn in the layer of disks
        if above["disks"] and below["kind"] == "disk":
            below["disks"], above["disks"] = above["disks"], None
    return [
        *([mount] if mount["name"] or mount["tunables"] else []),
        _file_system(target["file_system"], provenance),
        *layers,
    ]


def storage_line(target: Facts) -> str:
    """The storage under the file system in a few words: `RAID 6 of 12 disks`, `loop`, `ST4000NM0035`."""
    for layer in target["stack"]:
        kind = str(layer["kind"])
        if kind == "raid" or layer.get("level"):
            members = f" of {layer['members']} disks" if layer.get("members") else ""
            return f"{'' if kind == 'raid' else KINDS.get(kind, kind).split()[0] + ' '}{_raid(layer)}{members}"
        stripes = (layer.get("facts") or {}).get("stripes")
        if stripes:
            return f"{KINDS.get(kind, kind)} of {stripes} stripes"
        if kind == "disk":
            return str(layer.get("model") or layer.get("name") or kind)
        if kind == "network":
            return str((layer.get("facts") or {}).get("protocol") or layer.get("name") or kind)
        if kind in ("loop", "tmpfs", "overlay", "bcache", "multipath"):
            return "image file" if kind == "loop" else kind
    return "unknown"


def say_layers(kinds: str) -> str:
    """A target's facet `layers`: `LVM → encryption`, `none`."""
    return " → ".join(KINDS.get(kind, kind) for kind in kinds.split())


def _drawn(kind: str, name: str | None, **fields: Any) -> StackLayer:
    label = KINDS.get(kind, kind.replace("-", " "))
    layer: StackLayer = {"kind": kind, "kind_label": label, "name": name, "details": [], "tunables": []}
    return {**layer, "provenance": None, "disks": None, **fields}


def _mount(target: Facts, device: Facts) -> StackLayer:
    mount = target["mount"]
    options = ", ".join(mount.get("options", []))
    return _drawn("mount", mount.get("point"), tunables=[*([options] if options else []), *_tunables(device)])


def _file_system(facts: Facts, provenance: Mapping[str, str]) -> StackLayer:
    sizes = {"block_size": "blocks", "inode_size": "inodes"}
    details = [f"{say_size(facts[key])} {noun}" for key, noun in sizes.items() if facts.get(key)]
    if facts.get("size"):
        details.append(say_size(facts["size"]))
    command = facts.get("mkfs_command") or []
    stripes = [
        f"{key.replace('_', ' ')} {say_size(facts[key])}" for key in ("stride", "stripe_width") if facts.get(key)
    ]
    how = provenance_of(provenance, "/file_system/type") or (None if facts["type"] else "unknown")
    return _drawn(
        "file-system",
        facts["type"],
        details=details,
        tunables=[*([" ".join(command)] if command else []), *stripes, *facts.get("options", [])],
        provenance=None if how == "detected" else how,
    )


def _layer(facts: Facts, provenance: Mapping[str, str]) -> StackLayer:
    kind = str(facts["kind"])
    disks = facts.get("members") or (facts.get("facts") or {}).get("count") or (1 if kind == "disk" else None)
    return _drawn(
        kind,
        _name(facts),
        details=list(_details(facts)),
        tunables=[*_tunables(facts), *_extra(facts), *_not_detected(provenance)],
        provenance=next((how for how in provenance.values() if how != "detected"), None),
        disks=range(min(disks, MOST_DISKS)) if disks else None,
    )


def _name(facts: Facts) -> str | None:
    if facts["kind"] == "raid" or facts.get("level"):
        return " ".join(filter(None, [facts.get("name"), _raid(facts)]))
    name: str | None = facts.get("model") or facts.get("name")
    return name


def _raid(facts: Facts) -> str:
    """`raid6` → `RAID 6`; ZFS's `raidz2` is unchanged."""
    return re.sub(r"^raid(?=\d)", "RAID ", str(facts.get("level") or "RAID of unknown level"))


def _details(facts: Facts) -> Iterator[str]:
    if facts.get("model") and facts["kind"] != "disk":
        yield str(facts["model"])
    elif facts.get("model") and facts.get("name"):
        yield str(facts["name"])
    count = facts.get("members") or (facts.get("facts") or {}).get("count")
    if count:
        yield f"{count} disks"
    if facts.get("size"):
        yield say_size(facts["size"])
    if facts.get("rotational") is not None:
        yield "rotating" if facts["rotational"] else "not rotating"
    if facts.get("transport"):
        yield str(facts["transport"])


def _tunables(facts: Facts) -> Iterator[str]:
    if facts.get("layout"):
        yield f"layout {facts['layout']}"
    for key, noun in SIZES.items():
        if facts.get(key) is not None:
            yield f"{noun} {say_size(facts[key])}"
    if facts.get("scheduler"):
        yield f"scheduler {facts['scheduler']}"
    if facts.get("nr_requests") is not None:
        yield f"queue of {facts['nr_requests']} requests"


def _extra(facts: Facts) -> list[str]:
    """Facts of only some kinds of layer, without offsets of 0 and without the count of disks (see `_details`)."""
    params = {name: value for name, value in (facts.get("facts") or {}).items() if value or not name.endswith("offset")}
    params.pop("count", None)
    return [re.sub(r",(?=\S)", ", ", param) for param in params_in_words(params)]


def _not_detected(provenance: Mapping[str, str]) -> list[str]:
    """The declared or published facts of a layer, unless that is the whole layer: `declared: level, chunk`."""
    names: dict[str, list[str]] = {}
    for pointer, how in provenance.items():
        if how in ("declared", "published") and pointer.count("/") > 2:
            names.setdefault(how, []).append(pointer.rpartition("/")[2].replace("_", " "))
    return [f"{how}: {', '.join(facts)}" for how, facts in names.items()]


def _of_layer(provenance: Mapping[str, str], index: int) -> dict[str, str]:
    layer = f"/stack/{index}"
    return {key: how for key, how in provenance.items() if key in (layer, "/stack") or key.startswith(f"{layer}/")}

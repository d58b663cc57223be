"""The storage stack as a drawing: mount, file system and every layer down to the disks, each with its tunables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from benchdb.catalog.component_addresses import component_address, raid_address, say_level
from benchdb.facts.layers import IN_MEMORY, KINDS
from benchdb.facts.stored import Provenances, StoredFileSystem, StoredLayer, StoredTarget
from benchdb.wording.sizes import say_size
from benchdb.wording.words import params_in_words

from .terms import provenance_of

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class DrawnLayer:
    """A layer of web/partials/stack.html; `provenance` is None if it was detected.

    `href` is the page of its file system, disk or RAID layout; None without one.
    """

    kind: str
    kind_label: str
    name: str | None
    details: list[str] = field(default_factory=list)
    tunables: list[str] = field(default_factory=list)
    provenance: str | None = None
    href: str | None = None


def draw(target: StoredTarget, *, linked: bool = False) -> list[DrawnLayer]:
    """The layers of web/partials/stack.html, from the facts of a target; without the mount if it is unknown.

    With `linked`, file system, RAID and disk lead to their pages: the first of each, as in the facets of a target.
    """
    provenance = target.get("provenance", {})
    stack = list(target["stack"])
    if stack:
        stack[0] = _tuned(stack[0], target)
    mount = _mount(target, [] if stack else list(_tunables(_tuned({}, target))))
    layers = [_layer(layer, _of_layer(provenance, index)) for index, layer in enumerate(stack)]
    file_system = _file_system(target["file_system"], provenance)
    if linked:
        for index, href in _addresses(stack).items():
            layers[index] = replace(layers[index], href=href)
        file_system = replace(file_system, href=component_address("file_system", file_system.name))
    return [*([mount] if mount.name or mount.tunables else []), file_system, *layers]


def _addresses(stack: Sequence[StoredLayer]) -> dict[int, str]:
    """The pages of the first RAID layout and of the first disk, by the index of the layer."""
    hrefs = {}
    array = next((index for index, layer in enumerate(stack) if layer.get("level")), None)
    if array is not None:
        hrefs[array] = raid_address(stack[array].get("level"), stack[array].get("chunk"))
    disk = next((index for index, layer in enumerate(stack) if layer["kind"] == "disk"), None)
    if disk is not None and stack[disk].get("model"):
        hrefs[disk] = component_address("disk", stack[disk].get("model"))
    return hrefs


def storage_line(target: StoredTarget) -> str:
    """The storage under the file system in a few words: `RAID 6 of 12 disks`, `loop`, `ST4000NM0035`."""
    for layer in target["stack"]:
        kind = str(layer["kind"])
        if kind == "raid" or layer.get("level"):
            members = f" of {layer['members']} disks" if layer.get("members") else ""
            owner = "" if kind == "raid" else KINDS.get(kind, kind).split()[0] + " "
            return f"{owner}{say_level(layer.get('level'))}{members}"
        stripes = (layer.get("facts") or {}).get("stripes")
        if stripes:
            return f"{KINDS.get(kind, kind)} of {stripes} stripes"
        if kind == "disk":
            return str(layer.get("model") or layer.get("name") or kind)
        if kind == "network":
            return str((layer.get("facts") or {}).get("protocol") or layer.get("name") or kind)
        if kind in ("loop", "overlay", "bcache", "multipath", "pmem", *IN_MEMORY):
            return "image file" if kind == "loop" else KINDS.get(kind, kind)
    return "disk unknown"


def _label(kind: str) -> str:
    return KINDS.get(kind, kind.replace("-", " "))


def _tuned(layer: StoredLayer, target: StoredTarget) -> StoredLayer:
    """The mounted layer, with the tunables of the target in place of its unknown ones."""
    return {
        **layer,
        "read_ahead": _known(layer.get("read_ahead"), target.get("read_ahead")),
        "scheduler": _known(layer.get("scheduler"), target.get("scheduler")),
        "nr_requests": _known(layer.get("nr_requests"), target.get("nr_requests")),
    }


def _known(value: T | None, other: T | None) -> T | None:
    return other if value is None else value


def _mount(target: StoredTarget, tunables: Sequence[str]) -> DrawnLayer:
    mount = target["mount"]
    options = ", ".join(mount.get("options") or [])
    how = provenance_of(target.get("provenance", {}), "/mount/point")
    return DrawnLayer(
        "mount",
        "mount",
        mount.get("point"),
        tunables=[*([options] if options else []), *tunables],
        provenance=None if how == "detected" else how,
    )


def _file_system(facts: StoredFileSystem, provenance: Provenances) -> DrawnLayer:
    sizes = ((facts.get("block_size"), " blocks"), (facts.get("inode_size"), " inodes"), (facts.get("size"), ""))
    command = facts.get("mkfs_command") or []
    widths = (("stride", facts.get("stride")), ("stripe width", facts.get("stripe_width")))
    stripes = [f"{noun} {say_size(size)}" for noun, size in widths if size]
    how = provenance_of(provenance, "/file_system/type") or (None if facts["type"] else "unknown")
    return DrawnLayer(
        "file-system",
        _label("file-system"),
        facts["type"],
        details=[f"{say_size(size)}{noun}" for size, noun in sizes if size],
        tunables=[*([" ".join(command)] if command else []), *stripes, *facts.get("options", [])],
        provenance=None if how == "detected" else how,
    )


def _layer(facts: StoredLayer, provenance: Provenances) -> DrawnLayer:
    kind = str(facts["kind"])
    return DrawnLayer(
        kind,
        _label(kind),
        _name(facts),
        details=list(_details(facts)),
        tunables=[*_tunables(facts), *_extra(facts), *_not_detected(provenance)],
        provenance=next((how for how in provenance.values() if how != "detected"), None),
    )


def _disk_count(facts: StoredLayer) -> int | None:
    count = facts.get("members") or (facts.get("facts") or {}).get("count")
    return count if isinstance(count, int) else None


def _name(facts: StoredLayer) -> str | None:
    if facts["kind"] == "raid" or facts.get("level"):
        return " ".join(filter(None, [facts.get("name"), say_level(facts.get("level"))]))
    return facts.get("model") or facts.get("name")


def _details(facts: StoredLayer) -> Iterator[str]:
    if facts.get("model") and facts["kind"] != "disk":
        yield str(facts["model"])
    elif facts.get("model") and facts.get("name"):
        yield str(facts["name"])
    if count := _disk_count(facts):
        yield f"{count} disks"
    if size := facts.get("size"):
        yield say_size(size)
    if facts.get("rotational") is not None:
        yield "rotating" if facts["rotational"] else "not rotating"
    if facts.get("transport"):
        yield str(facts["transport"])


def _tunables(facts: StoredLayer) -> Iterator[str]:
    if facts.get("layout"):
        yield f"layout {facts['layout']}"
    for noun, size in (("chunk", facts.get("chunk")), ("read-ahead", facts.get("read_ahead"))):
        if size is not None:
            yield f"{noun} {say_size(size)}"
    if facts.get("scheduler"):
        yield f"scheduler {facts['scheduler']}"
    if facts.get("nr_requests") is not None:
        yield f"queue of {facts['nr_requests']} requests"


def _extra(facts: StoredLayer) -> list[str]:
    """Facts of only some kinds of layer, without offsets of 0 and without the count of disks (see `_details`)."""
    params = {name: value for name, value in (facts.get("facts") or {}).items() if value or not name.endswith("offset")}
    params.pop("count", None)
    return [re.sub(r",(?=\S)", ", ", param) for param in params_in_words(params)]


def _not_detected(provenance: Provenances) -> list[str]:
    """The declared or published facts of a layer, unless that is the whole layer: `declared: level, chunk`."""
    names: dict[str, list[str]] = {}
    for pointer, how in provenance.items():
        if how in ("declared", "published", "inferred") and pointer.count("/") > 2:
            names.setdefault(how, []).append(pointer.rpartition("/")[2].replace("_", " "))
    return [f"{how}: {', '.join(facts)}" for how, facts in names.items()]


def _of_layer(provenance: Provenances, index: int) -> dict[str, str]:
    layer = f"/stack/{index}"
    return {key: how for key, how in provenance.items() if key in (layer, "/stack") or key.startswith(f"{layer}/")}

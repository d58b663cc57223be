"""Completes detected facts with declared ones.

A detected fact takes precedence, because people forget to change a file, unless the declaration has `override = true`.
Contradictions are recorded with both facts.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from .declared import Declaration
from .facts import Environment, Facts, TargetFacts, clean
from .source import Source

NOTHING: tuple[object, ...] = (None, [])
# Facts of a disk that are fields of a layer; the others go into the layer's `facts`.
LAYER_FIELDS = ("model", "size", "rotational", "transport")


class Merge:
    """Merges declarations into one section, and collects its provenance, contradictions and unmatched declarations."""

    def __init__(self, scrub: Callable[[str], str]) -> None:
        self.provenance: dict[str, str] = {}
        self.contradictions: list[Facts] = []
        self.unmatched: list[str] = []
        self._scrub = scrub

    def take(self, facts: Facts, parent: str, declared_facts: Facts, *, override: bool) -> None:
        """Complete `facts`, which are at the JSON Pointer `parent`, with the facts of a declaration."""
        for key, value in declared_facts.items():
            declared = self._scrub(value) if isinstance(value, str) else value
            detected, pointer = facts.get(key), f"{parent}/{key}"
            if detected == declared:
                continue
            if detected in NOTHING or override:
                facts[key] = declared
                self.provenance[pointer] = "declared"
            if detected not in NOTHING:
                kept = "declared" if override else "detected"
                both = {"detected": _as_text(detected), "declared": _as_text(declared)}
                self.contradictions.append({"fact": pointer, **both, "kept": kept})

    def take_items(self, items: list[Facts], place: str, declaration: Declaration, chosen: list[int]) -> None:
        """Complete the items at the indices `chosen` of the list at `place`."""
        for index in chosen:
            self.take(items[index], f"{place}/{index}", declaration.facts, override=declaration.override)
        if not chosen:
            self.unmatched.append(declaration.position)

    def into(self, section: Environment | TargetFacts) -> None:
        """Record provenance, contradictions and unmatched declarations in the section itself."""
        section["provenance"].update(self.provenance)
        if self.contradictions:
            section["contradictions"] = self.contradictions
        if self.unmatched:
            section["extra"]["declared_of_nothing"] = self.unmatched


def _as_text(value: object) -> object:
    """A scalar unchanged; a list as text."""
    return clean(json.dumps(value)) if isinstance(value, list) else value


def declarations(source: Source, kind: str) -> tuple[Declaration, ...]:
    return source.declared.of(kind) if source.declared is not None else ()


def disks_of(source: Source, declaration: Declaration, disks: list[Facts]) -> list[int]:
    """Indices of the disks that the declaration selects: by id, or all of a model (`MODEL` or `VENDOR MODEL`)."""
    about = declaration.about or ""
    if about.startswith("/"):
        name = source.resolve(about).partition("/dev/")[2]
        return [index for index, disk in enumerate(disks) if disk.get("name") == name]
    models = [(disk.get("model"), f"{disk.get('vendor')} {disk.get('model')}") for disk in disks]
    return [index for index, names in enumerate(models) if names[0] is not None and about in names]


def merge_environment(environment: Environment, source: Source, scrub: Callable[[str], str]) -> None:
    """Complete an environment with all declarations."""
    merge = Merge(scrub)
    for kind, facts in (("cpu", environment["cpu"]), ("virtualization", environment["virtualization"])):
        for declaration in declarations(source, kind):
            merge.take(facts, f"/{kind}", declaration.facts, override=declaration.override)
    modules = declarations(source, "memory_module")
    if modules:
        declared = [
            {"count": 1, "size": None, "type": None, "transfer_rate": None, **declaration.facts}
            for declaration in modules
        ]
        detected: Facts = {"modules": environment["memory"]["modules"]}
        override = any(declaration.override for declaration in modules)
        merge.take(detected, "/memory", {"modules": declared}, override=override)
        environment["memory"]["modules"] = detected["modules"]
    controllers, disks = environment["controllers"], environment["block_devices"]
    for declaration in declarations(source, "controller"):
        merge.take_items(controllers, "/controllers", declaration, _controllers_of(declaration, controllers))
    for declaration in declarations(source, "disk"):
        merge.take_items(disks, "/block_devices", declaration, disks_of(source, declaration, disks))
    _raid_arrays(environment, source, merge)
    merge.into(environment)


def _controllers_of(declaration: Declaration, controllers: list[Facts]) -> list[int]:
    """The index of the controller at a PCI address; without an address, of the only controller."""
    if declaration.about is None:
        return [0] if len(controllers) == 1 else []
    return [index for index, controller in enumerate(controllers) if controller["name"] == declaration.about]


def _raid_arrays(environment: Environment, source: Source, merge: Merge) -> None:
    """Add the arrays that hardware presents as one disk."""
    arrays, disks = environment["raid_arrays"], environment["block_devices"]
    for declaration in declarations(source, "raid"):
        chosen = disks_of(source, declaration, disks)
        for index in chosen:
            disks[index]["kind"] = "raid"
            merge.provenance[f"/block_devices/{index}/kind"] = "declared"
            merge.provenance[f"/raid_arrays/{len(arrays)}"] = "declared"
            array = {"level": None, "chunk": None, "layout": None, "members": None, **declaration.facts}
            arrays.append({"name": disks[index]["name"], **array, "disk_model": declaration.members.get("model")})
        if not chosen:
            merge.unmatched.append(declaration.position)


def merge_stack(layers: list[Facts], source: Source, scrub: Callable[[str], str]) -> tuple[list[Facts], Merge]:
    """The layers of a stack, completed with the declarations about its disks; a disk that hides an array becomes it.

    Declarations about disks outside this stack do not count as unmatched.
    """
    merge = Merge(scrub)
    merged: list[Facts] = []
    for layer in layers:
        pointer = f"/stack/{len(merged)}"
        merged.append(layer)
        if "transport" not in layer:  # of disks and other devices at the bottom
            continue
        disk = [{**layer, **layer["facts"]}]
        for declaration in declarations(source, "disk"):
            if disks_of(source, declaration, disk):
                _take_disk(layer, pointer, declaration, merge)
        for declaration in declarations(source, "raid"):
            if disks_of(source, declaration, disk):
                merged += _as_array(layer, pointer, declaration, merge)
    return merged, merge


def _take_disk(layer: Facts, pointer: str, declaration: Declaration, merge: Merge) -> None:
    fields = {key: value for key, value in declaration.facts.items() if key in LAYER_FIELDS}
    others = {key: value for key, value in declaration.facts.items() if key not in LAYER_FIELDS}
    merge.take(layer, pointer, fields, override=declaration.override)
    merge.take(layer["facts"], f"{pointer}/facts", others, override=declaration.override)


def _as_array(layer: Facts, pointer: str, declaration: Declaration, merge: Merge) -> list[Facts]:
    """Turn the disk's layer into that of an array. Returns one layer for all disks of the array, which are alike."""
    layer["kind"] = "raid"
    merge.provenance[f"{pointer}/kind"] = "declared"
    merge.take(layer, pointer, declaration.facts, override=declaration.override)
    if not declaration.members and layer.get("members") is None:
        return []
    disks_pointer = f"/stack/{int(pointer.rpartition('/')[2]) + 1}"
    disks: Facts = {"kind": "disk", "facts": {"count": layer.get("members")}}
    merge.provenance[disks_pointer] = "declared"
    members = Declaration(declaration.position, None, declaration.members)
    silent = Merge(str)  # the layer is declared as a whole
    _take_disk(disks, disks_pointer, members, silent)
    return [disks]

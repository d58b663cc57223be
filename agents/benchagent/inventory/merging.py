"""Puts what a person declared beside what was detected.

What was detected wins, because people forget to change a file; a declared fact with `override = true` wins over it.
Both are kept where they contradict each other.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from .declared import Claim
from .facts import Facts, clean
from .source import Source

NOTHING: tuple[object, ...] = (None, [])
# Of a disk, what a layer has as fields of its own; the rest goes into its `facts`.
LAYER_FIELDS = ("model", "size", "rotational", "transport")


class Merge:
    """Takes claims into one section; collects its provenance, what contradicts, and which claims fit nothing."""

    def __init__(self, scrub: Callable[[str], str]) -> None:
        self.provenance: dict[str, str] = {}
        self.contradictions: list[Facts] = []
        self.unmatched: list[str] = []
        self._scrub = scrub

    def take(self, facts: Facts, place: str, said: Facts, *, override: bool) -> None:
        """Complete `facts`, which stand at the JSON Pointer `place`, with what a claim says of them."""
        for key, value in said.items():
            declared = self._scrub(value) if isinstance(value, str) else value
            detected, pointer = facts.get(key), f"{place}/{key}"
            if detected == declared:
                continue
            if detected in NOTHING or override:
                facts[key] = declared
                self.provenance[pointer] = "declared"
            if detected not in NOTHING:
                kept = "declared" if override else "detected"
                both = {"detected": _said(detected), "declared": _said(declared)}
                self.contradictions.append({"fact": pointer, **both, "kept": kept})

    def take_each(self, items: list[Facts], place: str, claim: Claim, chosen: list[int]) -> None:
        """The same for those items of a list that the claim is about."""
        for index in chosen:
            self.take(items[index], f"{place}/{index}", claim.facts, override=claim.override)
        if not chosen:
            self.unmatched.append(claim.place)

    def into(self, section: Facts) -> None:
        """Leave a note of all this in the section itself."""
        section["provenance"].update(self.provenance)
        if self.contradictions:
            section["contradictions"] = self.contradictions
        if self.unmatched:
            section["extra"]["declared_of_nothing"] = self.unmatched


def _said(value: object) -> object:
    """A scalar as it is; a list as text."""
    return clean(json.dumps(value)) if isinstance(value, list) else value


def claims(source: Source, kind: str) -> tuple[Claim, ...]:
    return source.declared.of(kind) if source.declared is not None else ()


def disks_of(source: Source, claim: Claim, disks: list[Facts]) -> list[int]:
    """Which of the disks the claim is about: that of its id, or all of its model (`MODEL` or `VENDOR MODEL`)."""
    about = claim.about or ""
    if about.startswith("/"):
        name = source.resolve(about).partition("/dev/")[2]
        return [index for index, disk in enumerate(disks) if disk.get("name") == name]
    models = [(disk.get("model"), f"{disk.get('vendor')} {disk.get('model')}") for disk in disks]
    return [index for index, names in enumerate(models) if names[0] is not None and about in names]


def merge_environment(found: Facts, source: Source, scrub: Callable[[str], str]) -> None:
    """Complete an environment with all that is declared."""
    merge = Merge(scrub)
    for kind in ("cpu", "virtualization"):
        for claim in claims(source, kind):
            merge.take(found[kind], f"/{kind}", claim.facts, override=claim.override)
    modules = claims(source, "memory_module")
    if modules:
        said = [{"count": 1, "size": None, "type": None, "transfer_rate": None, **claim.facts} for claim in modules]
        merge.take(found["memory"], "/memory", {"modules": said}, override=any(claim.override for claim in modules))
    controllers, disks = found["controllers"], found["block_devices"]
    for claim in claims(source, "controller"):
        merge.take_each(controllers, "/controllers", claim, _controllers_of(claim, controllers))
    for claim in claims(source, "disk"):
        merge.take_each(disks, "/block_devices", claim, disks_of(source, claim, disks))
    _raid_arrays(found, source, merge)
    merge.into(found)


def _controllers_of(claim: Claim, controllers: list[Facts]) -> list[int]:
    """The controller of that PCI address; without an address the only one there is."""
    if claim.about is None:
        return [0] if len(controllers) == 1 else []
    return [index for index, each in enumerate(controllers) if each["name"] == claim.about]


def _raid_arrays(found: Facts, source: Source, merge: Merge) -> None:
    """Arrays that hardware hides behind what looks like one disk."""
    arrays, disks = found["raid_arrays"], found["block_devices"]
    for claim in claims(source, "raid"):
        chosen = disks_of(source, claim, disks)
        for index in chosen:
            disks[index]["kind"] = "raid"
            merge.provenance[f"/block_devices/{index}/kind"] = "declared"
            merge.provenance[f"/raid_arrays/{len(arrays)}"] = "declared"
            array = {"level": None, "chunk": None, "layout": None, "members": None, **claim.facts}
            arrays.append({"name": disks[index]["name"], **array, "disk_model": claim.members.get("model")})
        if not chosen:
            merge.unmatched.append(claim.place)


def merge_stack(layers: list[Facts], source: Source, scrub: Callable[[str], str]) -> tuple[list[Facts], Merge]:
    """The layers of a stack with all that is declared of its disks; a disk that hides an array becomes that array.

    A claim about a disk that is not in this stack is none of its business, so nothing is unmatched here.
    """
    merge = Merge(scrub)
    found: list[Facts] = []
    for layer in layers:
        place = f"/stack/{len(found)}"
        found.append(layer)
        if layer["kind"] != "disk":
            continue
        known = [{**layer, **layer["facts"]}]
        for claim in claims(source, "disk"):
            if disks_of(source, claim, known):
                _take_disk(layer, place, claim, merge)
        for claim in claims(source, "raid"):
            if disks_of(source, claim, known):
                found += _as_array(layer, place, claim, merge)
    return found, merge


def _take_disk(layer: Facts, place: str, claim: Claim, merge: Merge) -> None:
    own = {key: value for key, value in claim.facts.items() if key in LAYER_FIELDS}
    rest = {key: value for key, value in claim.facts.items() if key not in LAYER_FIELDS}
    merge.take(layer, place, own, override=claim.override)
    merge.take(layer["facts"], f"{place}/facts", rest, override=claim.override)


def _as_array(layer: Facts, place: str, claim: Claim, merge: Merge) -> list[Facts]:
    """Make the disk's layer that of an array. Gives the layer of the array's disks: one for all, they are alike."""
    layer["kind"] = "raid"
    merge.provenance[f"{place}/kind"] = "declared"
    merge.take(layer, place, claim.facts, override=claim.override)
    if not claim.members:
        return []
    below = f"/stack/{int(place.rpartition('/')[2]) + 1}"
    disks: Facts = {"kind": "disk", "facts": {"count": layer.get("members")}}
    merge.provenance[below] = "declared"
    own = Claim(claim.place, None, claim.members)
    silent = Merge(str)  # the layer is declared as a whole
    _take_disk(disks, below, own, silent)
    return [disks]

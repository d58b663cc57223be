"""A person's facts about machine and storage, as `environment` and `target` of a document.

Facts that were filled in are declared; all others are unknown, or detected with the output of
`benchagent detect --json`.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from functools import reduce

from benchdb.facts.entries import EntryValue
from benchdb.facts.registry import ENTRIES
from benchdb.ingest.contract.unknown import unknown_environment, unknown_target

from .detected import DetectedSections

Facts = dict[str, object]
_UNKNOWN = {"", "unknown", "?"}
STACK = tuple(entry.name for entry in ENTRIES if not entry.section)


def read_facts(entered: Mapping[str, str]) -> tuple[dict[str, EntryValue], dict[str, str]]:
    """The parsed facts that were filled in, and for unreadable ones a message about the expected form, both by name."""
    read: dict[str, EntryValue] = {}
    faults: dict[str, str] = {}
    for entry in ENTRIES:
        value = entered.get(entry.name, "").strip()
        if value.lower() in _UNKNOWN:
            continue
        try:
            read[entry.name] = entry.read(value)
        except ValueError as error:
            faults[entry.name] = f"Expected {error}."
    raid = [name for name in ("raid_chunk", "raid_members") if name in read]
    if raid and read.get("raid_level") == "none":
        faults[raid[0]] = "There is no array whose RAID level is none: leave this empty, or say the level."
    return read, faults


def sections(
    read: Mapping[str, EntryValue], detected: DetectedSections | None, recorded: Mapping[str, str | int]
) -> tuple[Facts, Facts]:
    """`environment` and `target` of the document.

    `recorded` are facts of the environment by their JSON Pointers, which were detected when the run was measured, so
    they precede those that were detected later.
    """
    environment: Facts = {**deepcopy(detected["environment"])} if detected else _no_environment()
    target: Facts = {**deepcopy(detected["target"])} if detected else _no_target()
    _record(environment, recorded)
    by_name = {"environment": environment, "target": target}
    for entry in ENTRIES:
        if entry.section:
            known = detected is not None or entry.pointer in recorded
            _declare(by_name[entry.section], entry.pointer, read.get(entry.name), known=known)
    if not target["stack"]:
        stack = _stack(read)
        target["stack"] = stack
        declared = {f"/stack/{index}": "declared" for index in range(len(stack))}
        _inside(target, "provenance").update(declared or {"/stack": "unknown"})
    return environment, target


def _record(environment: Facts, recorded: Mapping[str, str | int]) -> None:
    """Set the facts of the run. If another one was detected, the facts beside it are of another machine or time."""
    provenance = _inside(environment, "provenance")
    paths = {pointer: pointer.strip("/").split("/") for pointer in recorded}
    for pointer, (component, name) in paths.items():
        if _inside(environment, component).get(name) not in (None, recorded[pointer]):
            environment[component] = unknown_environment()[component]
            for other in [each for each in provenance if each.startswith(f"/{component}/")]:
                del provenance[other]
    for pointer, (component, name) in paths.items():
        _inside(environment, component)[name] = recorded[pointer]
        provenance[pointer] = "detected"


def _declare(section: Facts, pointer: str, value: EntryValue | None, *, known: bool) -> None:
    """Set a fact and its provenance. A different detected value is kept as a contradiction."""
    *path, last = pointer.strip("/").split("/")
    facts = reduce(_inside, path, section)
    before, provenance = facts.get(last), _inside(section, "provenance")
    if value is None:
        if not known:
            provenance[pointer] = "unknown"
        return
    if before not in (None, [], value) and not isinstance(value, list):
        contradictions = section["contradictions"]
        assert isinstance(contradictions, list)
        contradictions.append({"fact": pointer, "detected": before, "declared": value, "kept": "declared"})
    facts[last] = value
    if before != value:
        provenance[pointer] = "declared"


def _inside(facts: Facts, name: str) -> Facts:
    """The facts under a name."""
    inner = facts[name]
    assert isinstance(inner, dict)
    return inner


def _no_environment() -> Facts:
    return {
        **unknown_environment(),
        "provenance": dict.fromkeys(("/block_devices", "/raid_arrays", "/controllers"), "unknown"),
        "contradictions": [],
    }


def _no_target() -> Facts:
    return {
        **unknown_target(),
        "mount": {"options": []},
        "provenance": {},
        "contradictions": [],
    }


def _stack(read: Mapping[str, EntryValue]) -> list[Facts]:
    """Array and disks, each only if anything is known about it."""
    raid = {"level": read.get("raid_level"), "chunk": read.get("raid_chunk"), "members": read.get("raid_members")}
    disk = {"model": read.get("disk_model"), "size": read.get("disk_size"), "transport": read.get("disk_transport")}
    disk["rotational"] = read.get("disk_kind")
    many = {"facts": {"count": read["disk_count"]}} if "disk_count" in read else {}
    stack: list[Facts] = []
    if raid["level"] != "none" and any(value is not None for value in raid.values()):
        stack.append({"kind": "raid", **raid})
    if many or raid["level"] == "none" or any(value is not None for value in disk.values()):
        stack.append({"kind": "disk", **disk, **many})
    return stack

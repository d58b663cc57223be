"""A person's facts about machine and storage, as `environment` and `target` of a document.

Facts that were filled in are declared; all others are unknown, or detected with the output of
`benchagent detect --json`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from decimal import Decimal
from functools import reduce

from benchdb.ingest.contract.unknown import unknown_environment, unknown_target
from benchdb.wording.sizes import parse_size

from .detected import DetectedSections

Facts = dict[str, object]
FactValue = str | int | bool | list[str]  # of a field that was filled in
LARGEST = 2**63 - 1
_RAID = re.compile(r"(?:raid)?[\s-]*(\d{1,2})")
_UNKNOWN = {"", "unknown", "?"}


def text(value: str) -> str:
    """One line of 1 to 200 characters."""
    if len(value) > 200 or not value.isprintable():
        raise ValueError("one line of at most 200 characters")
    return value


def size(value: str) -> int:
    """`8 GiB`, `128K`, `4096`; fractions as in `1.5 TiB`."""
    match = re.fullmatch(r"(\d{1,15})\.(\d{1,6})\s*([KMGTP])i?B?", value, re.IGNORECASE)
    try:
        step = parse_size(f"1{match[3]}") if match else 1
        bytes_ = round(Decimal(f"{match[1]}.{match[2]}") * step) if match else parse_size(value)
    except ValueError:
        bytes_ = 0
    if not 0 < bytes_ <= LARGEST:
        raise ValueError("a size such as 8 GiB, 128 KiB or 4096")
    return bytes_


def count(value: str) -> int:
    """A whole number from 1 to a million."""
    if not value.isdecimal() or not 0 < int(value[:8]) <= 1_000_000:
        raise ValueError("a whole number from 1 on")
    return int(value)


def raid_level(value: str) -> str:
    """`raid6` of `6`, `RAID 6` and `raid-6`; `none`; other words as they are, in lower case."""
    lower = text(value).lower()
    match = _RAID.fullmatch(lower)
    return f"raid{match[1]}" if match else lower


def command(value: str) -> list[str]:
    """Program and arguments, without a device at the end."""
    try:
        words = shlex.split(value)
    except ValueError as error:
        raise ValueError(f"a command line as in a shell: {error}") from None
    if len(words) > 1 and words[-1].startswith("/dev/"):
        words.pop()
    if not words or any(not word or len(word) > 4096 or "\x00" in word for word in words):
        raise ValueError("a command line such as mkfs.ext4 -b 4096")
    return words


def options(value: str) -> list[str]:
    """Mount options, separated by commas."""
    return [text(stripped) for option in value.split(",") if (stripped := option.strip())]


def disk_kind(value: str) -> bool:
    """Whether the disk rotates: `hdd` or `ssd`."""
    rotating = {"hdd": True, "ssd": False, "rotating": True, "solid state": False}.get(value.lower())
    if rotating is None:
        raise ValueError("hdd or ssd")
    return rotating


@dataclass(frozen=True)
class FactField:
    """A fact that can be filled in; `pointer` is its JSON Pointer in the section, "" for facts of the stack."""

    name: str
    label: str
    read: Callable[[str], FactValue]
    example: str
    section: str = "stack"
    pointer: str = ""


FACTS = (
    FactField("cpu_model", "CPU", text, "Intel Xeon E5-2620", "environment", "/cpu/model"),
    FactField("cpu_threads", "CPU threads", count, "8", "environment", "/cpu/threads"),
    FactField("architecture", "architecture", text, "x86_64", "environment", "/cpu/architecture"),
    FactField("memory", "memory", size, "8 GiB", "environment", "/memory/total"),
    FactField("kernel", "kernel", text, "6.1.0-40-amd64", "environment", "/kernel/release"),
    FactField("distribution", "distribution", text, "Debian 12", "environment", "/os/name"),
    FactField("virtualization", "virtualization", text, "none, kvm, vmware", "environment", "/virtualization/kind"),
    FactField("file_system", "file system", text, "ext4", "target", "/file_system/type"),
    FactField("block_size", "block size", size, "4 KiB", "target", "/file_system/block_size"),
    FactField("mkfs_command", "mkfs command", command, "mkfs.ext4 -E stride=16", "target", "/file_system/mkfs_command"),
    FactField("mount_options", "mount options", options, "noatime,barrier=1", "target", "/mount/options"),
    FactField("read_ahead", "read-ahead", size, "128 KiB", "target", "/read_ahead"),
    FactField("scheduler", "scheduler", text, "mq-deadline", "target", "/scheduler"),
    FactField("raid_level", "RAID level", raid_level, "raid6, or none"),
    FactField("raid_chunk", "RAID chunk", size, "128 KiB"),
    FactField("raid_members", "disks in the array", count, "12"),
    FactField("disk_model", "disk model", text, "ST3250620NS"),
    FactField("disk_count", "disks", count, "12"),
    FactField("disk_size", "size of a disk", size, "250 GiB"),
    FactField("disk_transport", "transport", text, "sata"),
    FactField("disk_kind", "kind of disk", disk_kind, "hdd or ssd"),
)
STACK = tuple(fact.name for fact in FACTS if fact.section == "stack")


def read_facts(entered: Mapping[str, str]) -> tuple[dict[str, FactValue], dict[str, str]]:
    """The parsed facts that were filled in, and for unreadable ones a message about the expected form, both by name."""
    read: dict[str, FactValue] = {}
    faults: dict[str, str] = {}
    for fact in FACTS:
        value = entered.get(fact.name, "").strip()
        if value.lower() in _UNKNOWN:
            continue
        try:
            read[fact.name] = fact.read(value)
        except ValueError as error:
            faults[fact.name] = f"Expected {error}."
    raid = [name for name in ("raid_chunk", "raid_members") if name in read]
    if raid and read.get("raid_level") == "none":
        faults[raid[0]] = "There is no array whose RAID level is none: leave this empty, or say the level."
    return read, faults


def sections(
    read: Mapping[str, FactValue], detected: DetectedSections | None, recorded: Mapping[str, str | int]
) -> tuple[Facts, Facts]:
    """`environment` and `target` of the document.

    `recorded` are facts of the environment by their JSON Pointers, which were detected when the run was measured, so
    they precede those that were detected later.
    """
    environment: Facts = {**deepcopy(detected["environment"])} if detected else _no_environment()
    target: Facts = {**deepcopy(detected["target"])} if detected else _no_target()
    _record(environment, recorded)
    by_name = {"environment": environment, "target": target}
    for fact in FACTS:
        if fact.pointer:
            _declare(
                by_name[fact.section],
                fact.pointer,
                read.get(fact.name),
                known=detected is not None or fact.pointer in recorded,
            )
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


def _declare(section: Facts, pointer: str, value: FactValue | None, *, known: bool) -> None:
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


def _stack(read: Mapping[str, FactValue]) -> list[Facts]:
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

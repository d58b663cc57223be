"""The type of a set of facts, and the cleaning of short texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

Facts = dict[str, Any]  # in the shape of a section of the contract


class MachineIdentity(TypedDict):
    """The contract's `machine`."""

    name: str
    machine_id: str


class MemoryFacts(TypedDict, total=False):
    """The contract's `environment.memory`, in bytes; `usable` is the minimum of `total` and the limits of groups."""

    total: int | None
    usable: int | None
    swap: int | None
    modules: list[Facts]


class KernelFacts(TypedDict, total=False):
    """The contract's `environment.kernel`."""

    name: str | None
    release: str | None
    version: str | None
    architecture: str | None
    command_line: str | None


class Environment(TypedDict, total=False):
    """The contract's `environment`."""

    cpu: Facts
    memory: MemoryFacts
    kernel: KernelFacts
    os: Facts
    virtualization: Facts
    numa_nodes: list[Facts]
    block_devices: list[Facts]
    raid_arrays: list[Facts]
    controllers: list[Facts]
    extra: Facts
    provenance: dict[str, str]  # `declared` or `unknown` by JSON Pointer
    contradictions: list[Facts]


class DeviceTunables(TypedDict, total=False):
    """Settings of a block device's queue; `read_ahead` in bytes."""

    scheduler: str | None
    read_ahead: int | None
    nr_requests: int | None


class MountFacts(TypedDict, total=False):
    """The contract's `target.mount`; the mount point of an image is different each time, so it is None."""

    point: str | None
    options: list[str]


class TargetFacts(DeviceTunables, total=False):
    """The contract's `target`."""

    kind: str
    file_system: Facts
    mount: MountFacts
    stack: list[Facts]
    provenance: dict[str, str]
    contradictions: list[Facts]
    extra: Facts


class TargetState(TypedDict, total=False):
    """The contract's `state_before`: bytes, the ratio of used blocks, inodes in use, and the state of arrays."""

    size: int
    used: int
    fill: float | None
    files: int | None
    arrays: list[Facts]
    aging: Mapping[str, object]


LONGEST_NAME = 200  # characters of the contract's short texts


def clean(text: str | None) -> str | None:
    """One line of printable text without repeated blanks, at most 200 characters; None if nothing is left."""
    if text is None:
        return None
    words = "".join(char if char.isprintable() else " " for char in text).split()
    return " ".join(words)[:LONGEST_NAME] or None


def cleaned(facts: Mapping[str, object]) -> Facts:
    """Facts with each text as one line (see `clean`)."""
    return {key: clean(value) if isinstance(value, str) else value for key, value in facts.items()}

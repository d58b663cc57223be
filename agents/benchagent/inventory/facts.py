"""The type of a set of facts, and the cleaning of short texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

Facts = dict[str, Any]  # in the shape of a section of the contract


class Environment(TypedDict, total=False):
    """The contract's `environment`."""

    cpu: Facts
    memory: Facts
    kernel: Facts
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


class TargetFacts(DeviceTunables, total=False):
    """The contract's `target`."""

    kind: str
    file_system: Facts
    mount: Facts
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

"""The facts of a target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from .values import ContradictionFacts, Provenances, Scalar


class FileSystemFacts(TypedDict, total=False):
    type: str | None
    options: list[str]
    features: list[str]
    block_size: int | None
    inode_size: int | None
    size: int | None
    stride: int | None
    stripe_width: int | None
    mkfs_command: list[str] | None


class MountFacts(TypedDict, total=False):
    point: str | None
    options: list[str]


class LayerFacts(TypedDict, total=False):
    kind: str
    name: str | None
    model: str | None
    size: int | None
    level: str | None
    chunk: int | None
    layout: str | None
    members: int | None
    rotational: bool | None
    transport: str | None
    scheduler: str | None
    read_ahead: int | None
    nr_requests: int | None
    facts: Mapping[str, Scalar]


class TargetFacts(TypedDict, total=False):
    kind: str
    file_system: FileSystemFacts
    mount: MountFacts
    stack: list[LayerFacts]
    read_ahead: int | None
    scheduler: str | None
    nr_requests: int | None
    provenance: Provenances
    contradictions: list[ContradictionFacts]
    extra: Mapping[str, object]

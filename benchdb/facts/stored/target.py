"""The facts of a target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from .values import Provenances, Scalar, StoredContradiction


class StoredFileSystem(TypedDict, total=False):
    type: str | None
    options: list[str]
    features: list[str]
    block_size: int | None
    inode_size: int | None
    size: int | None
    stride: int | None
    stripe_width: int | None
    mkfs_command: list[str] | None


class StoredMount(TypedDict, total=False):
    point: str | None
    options: list[str] | None


class StoredLayer(TypedDict, total=False):
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


class StoredTarget(TypedDict, total=False):
    kind: str
    file_system: StoredFileSystem
    mount: StoredMount
    stack: list[StoredLayer]
    read_ahead: int | None
    scheduler: str | None
    nr_requests: int | None
    provenance: Provenances
    contradictions: list[StoredContradiction]
    extra: Mapping[str, object]

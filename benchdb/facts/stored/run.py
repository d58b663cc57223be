"""The state before a run, its protocol, and its rounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from .values import Scalar


class StoredLayout(TypedDict, total=False):
    extents_per_file: float | None
    free_fragments: int | None


class StoredArrayState(TypedDict, total=False):
    kind: str
    name: str | None
    state: str | None
    done: float | None


class StoredState(TypedDict, total=False):
    size: int | None
    used: int | None
    fill: float | None
    files: int | None
    layout: StoredLayout | None
    aging: Mapping[str, Scalar] | None
    arrays: list[StoredArrayState]


class StoredProtocol(TypedDict, total=False):
    cache: str | None
    warmup_discarded: int | None
    order: str | None
    prepare: str | None
    seed: int | None
    precision: float | None
    ended_by: str | None


class StoredSmartFact(TypedDict, total=False):
    disk: str
    name: str
    unit: str
    source: str
    before: float
    after: float | None


class StoredEvidence(TypedDict, total=False):
    device_read_bytes: int | None
    device_write_bytes: int | None
    logical_bytes: int | None
    user_seconds: float | None
    system_seconds: float | None
    voluntary_context_switches: int | None
    involuntary_context_switches: int | None
    cache_emptied: bool | None
    disturbances: Mapping[str, int]
    kernel_messages: list[str]
    noise: Mapping[str, Scalar]
    smart: list[StoredSmartFact]


class StoredRound(TypedDict, total=False):
    started_at: str
    position: int
    status: str
    error: str | None
    evidence: StoredEvidence | None

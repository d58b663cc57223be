"""The facts of an environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from .values import ContradictionFacts, Provenances


class CpuCacheFacts(TypedDict, total=False):
    level: int
    type: str | None
    size: int | None
    shared_by_threads: int | None
    count: int | None


class CpuFacts(TypedDict, total=False):
    model: str | None
    vendor: str | None
    architecture: str | None
    sockets: int | None
    cores: int | None
    threads: int | None
    max_hz: int | None
    governor: str | None
    frequency_driver: str | None
    boost: bool | None
    caches: list[CpuCacheFacts]


class ModuleFacts(TypedDict, total=False):
    count: int
    size: int | None
    type: str | None
    transfer_rate: int | None


class MemoryFacts(TypedDict, total=False):
    total: int | None
    usable: int | None
    swap: int | None
    modules: list[ModuleFacts]


class KernelFacts(TypedDict, total=False):
    name: str | None
    release: str | None
    version: str | None
    architecture: str | None
    command_line: str | None


class SystemFacts(TypedDict, total=False):
    id: str | None
    version: str | None
    name: str | None


class VirtualizationFacts(TypedDict, total=False):
    kind: str | None
    container: str | None


class NodeFacts(TypedDict, total=False):
    threads: int | None
    memory: int | None
    distances: list[int]


class DeviceFacts(TypedDict, total=False):
    name: str
    kind: str | None
    vendor: str | None
    model: str | None
    firmware: str | None
    size: int | None
    rotational: bool | None
    transport: str | None
    link: str | None
    scheduler: str | None
    read_ahead: int | None
    nr_requests: int | None
    queue_depth: int | None
    write_cache: str | None


class ArrayFacts(TypedDict, total=False):
    name: str
    level: str | None
    chunk: int | None
    layout: str | None
    members: int | None
    disk_model: str | None


class ControllerFacts(TypedDict, total=False):
    name: str
    model: str | None
    driver: str | None
    firmware: str | None
    cache: int | None
    cache_mode: str | None


class EnvironmentFacts(TypedDict, total=False):
    cpu: CpuFacts
    memory: MemoryFacts
    kernel: KernelFacts
    os: SystemFacts
    virtualization: VirtualizationFacts
    numa_nodes: list[NodeFacts]
    block_devices: list[DeviceFacts]
    raid_arrays: list[ArrayFacts]
    controllers: list[ControllerFacts]
    provenance: Provenances
    contradictions: list[ContradictionFacts]
    extra: Mapping[str, object]

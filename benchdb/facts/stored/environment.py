"""The facts of an environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

from .values import Provenances, StoredContradiction


class StoredCpuCache(TypedDict, total=False):
    level: int
    type: str | None
    size: int | None
    shared_by_threads: int | None
    count: int | None


class StoredCpu(TypedDict, total=False):
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
    caches: list[StoredCpuCache]


class StoredModule(TypedDict, total=False):
    count: int
    size: int | None
    type: str | None
    transfer_rate: int | None


class StoredMemory(TypedDict, total=False):
    total: int | None
    usable: int | None
    swap: int | None
    modules: list[StoredModule]


class StoredKernel(TypedDict, total=False):
    name: str | None
    release: str | None
    version: str | None
    architecture: str | None
    command_line: str | None


class StoredSystem(TypedDict, total=False):
    id: str | None
    version: str | None
    name: str | None


class StoredVirtualization(TypedDict, total=False):
    kind: str | None
    container: str | None


class StoredNode(TypedDict, total=False):
    threads: int | None
    memory: int | None
    distances: list[int]


class StoredDevice(TypedDict, total=False):
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
    zoned: str | None
    zone_size: int | None


class StoredArray(TypedDict, total=False):
    name: str
    level: str | None
    chunk: int | None
    layout: str | None
    members: int | None
    disk_model: str | None


class StoredController(TypedDict, total=False):
    name: str
    model: str | None
    driver: str | None
    firmware: str | None
    cache: int | None
    cache_mode: str | None


class StoredEnvironment(TypedDict, total=False):
    cpu: StoredCpu
    memory: StoredMemory
    kernel: StoredKernel
    os: StoredSystem
    virtualization: StoredVirtualization
    numa_nodes: list[StoredNode]
    block_devices: list[StoredDevice]
    raid_arrays: list[StoredArray]
    controllers: list[StoredController]
    provenance: Provenances
    contradictions: list[StoredContradiction]
    extra: Mapping[str, object]

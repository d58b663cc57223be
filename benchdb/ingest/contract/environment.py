"""What the machine was: an immutable snapshot of its hardware and kernel."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from .field_types import Bytes, Contradiction, Count, Extra, Name, PositiveBytes, Provenance, Section, Text


class Cache(Section):
    """One kind of CPU cache; `size` is that of one instance, shared by `shared_by_threads` hardware threads."""

    level: Count
    type: Literal["data", "instruction", "unified"] | None
    size: PositiveBytes | None
    shared_by_threads: Count | None = None
    count: Count | None = None


class Cpu(Section):
    model: Name | None
    vendor: Name | None = None
    architecture: Name | None
    sockets: Count | None = None
    cores: Count | None = None
    threads: Annotated[int, Field(ge=0, le=1_000_000)] | None
    max_hz: Count | None = None
    governor: Name | None = None
    frequency_driver: Name | None = None  # gives the governor its meaning: acpi-cpufreq, intel_pstate, …
    boost: bool | None = None  # whether the clock may rise above max_hz's nominal rate for a while
    caches: list[Cache] = Field(default_factory=list, max_length=64)


class MemoryModule(Section):
    """DIMMs of one kind; `size` of one of them."""

    count: Count
    size: PositiveBytes | None = None
    type: Name | None = None  # DDR3, DDR4, …
    transfer_rate: Count | None = None  # the configured transfers a second


class Memory(Section):
    total: PositiveBytes | None
    usable: PositiveBytes | None = None  # the memory that this control group may use
    swap: Bytes | None = None
    modules: list[MemoryModule] = Field(default_factory=list, max_length=64)


class Kernel(Section):
    name: Name | None = None
    release: Name | None
    version: Name | None = None
    architecture: Name | None = None
    command_line: Text | None = None


class OperatingSystem(Section):
    id: Name | None
    version: Name | None = None
    name: Name | None = None


class Virtualization(Section):
    kind: Name | None  # "none" on bare metal, else kvm, vmware, oracle, xen, …
    container: Name | None = None  # docker, podman, lxc, chroot, …


class NumaNode(Section):
    threads: Count | None = None
    memory: Bytes | None = None
    distances: list[Count] = Field(default_factory=list, max_length=1024)  # to every node, itself included


class BlockDevice(Section):
    name: Name
    kind: Name | None  # disk, pmem; raid if a person declared an array that the hardware hides
    vendor: Name | None = None
    model: Name | None = None
    firmware: Name | None = None
    size: Bytes | None = None
    rotational: bool | None = None
    transport: Name | None = None  # nvme, sata, sas, virtio, usb, …
    link: Name | None = None  # the speed of the transport: 6.0 Gbps, 8.0 GT/s PCIe x4, …
    scheduler: Name | None = None
    read_ahead: Bytes | None = None
    nr_requests: Count | None = None
    queue_depth: Count | None = None
    write_cache: Name | None = None
    logical_block_size: Count | None = None
    physical_block_size: Count | None = None
    zoned: Name | None = None  # of zoned disks only: host-managed, host-aware
    zone_size: PositiveBytes | None = None


class RaidArray(Section):
    name: Name
    level: Name | None
    chunk: PositiveBytes | None = None
    layout: Name | None = None
    members: Count | None = None
    disk_model: Name | None = None  # of an array that the hardware hides


class Controller(Section):
    name: Name
    model: Name | None = None
    driver: Name | None = None
    firmware: Name | None = None
    cache: Bytes | None = None
    cache_mode: Name | None = None  # write back with battery, write through, …


class Environment(Section):
    cpu: Cpu
    memory: Memory
    kernel: Kernel
    os: OperatingSystem
    virtualization: Virtualization
    numa_nodes: list[NumaNode] = Field(default_factory=list, max_length=1024)
    block_devices: list[BlockDevice] = Field(max_length=1024)
    raid_arrays: list[RaidArray] = Field(default_factory=list, max_length=256)
    controllers: list[Controller] = Field(default_factory=list, max_length=256)
    provenance: Provenance = Field(default_factory=dict, max_length=1024)
    contradictions: list[Contradiction] = Field(default_factory=list, max_length=256)
    extra: Extra = Field(default_factory=dict)

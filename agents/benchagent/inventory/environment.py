"""The environment: an immutable snapshot of a machine, without facts that change by measuring or mounting."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from benchagent.inventory.machine.board import board
from benchagent.inventory.machine.controllers import controllers
from benchagent.inventory.machine.cpu import cpu
from benchagent.inventory.machine.distribution import distribution
from benchagent.inventory.machine.kernel import kernel
from benchagent.inventory.machine.memory import memory
from benchagent.inventory.machine.numa import numa_nodes
from benchagent.inventory.machine.virtualization import virtualization
from benchagent.inventory.storage.disks import block_devices
from benchagent.inventory.storage.raid import raid_arrays

from .facts import Environment
from .merging import merge_environment
from .source import Source


def environment(source: Source, scrub: Callable[[str], str]) -> Environment:
    """The contract's `environment`, in base units; unknown facts are None.

    A list that is empty because nothing could be read is marked `unknown` in `provenance`, to distinguish it from
    "there are none".
    """
    facts: Environment = {
        "cpu": cpu(source),
        "memory": memory(source),
        "kernel": kernel(source, scrub),
        "os": distribution(source),
        "virtualization": virtualization(source),
        "numa_nodes": numa_nodes(source),
        "block_devices": block_devices(source),
        "raid_arrays": raid_arrays(source),
        "controllers": controllers(source),
        "extra": {"board": board(source)},
    }
    facts["provenance"] = dict.fromkeys(_unreadable(source, facts), "unknown")
    merge_environment(facts, source, scrub)
    return facts


def _unreadable(source: Source, facts: Environment) -> Iterator[str]:
    """JSON Pointers of the lists that are empty because nothing could be read.

    Every machine has caches and memory modules, but a machine may have no disk.
    """
    if not facts["cpu"]["caches"]:
        yield "/cpu/caches"
    if not facts["memory"]["modules"]:
        yield "/memory/modules"
    if not facts["numa_nodes"]:
        yield "/numa_nodes"
    if not source.exists("/sys/block"):
        yield from ("/block_devices", "/raid_arrays")
    if not source.exists("/sys/bus/pci"):
        yield "/controllers"

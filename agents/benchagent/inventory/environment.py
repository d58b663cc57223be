"""The environment: an immutable snapshot of a machine. Nothing in it changes by waiting, measuring or mounting."""

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

from .facts import Facts
from .merging import merge_environment
from .source import Source


def environment(source: Source, scrub: Callable[[str], str]) -> Facts:
    """The contract's `environment`, in base units; None where a fact is unknown.

    A list that is empty because nothing could be read is marked `unknown` in `provenance`, so that it is not taken for
    "there are none".
    """
    found: Facts = {
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
    found["provenance"] = dict.fromkeys(_unreadable(source, found), "unknown")
    merge_environment(found, source, scrub)
    return found


def _unreadable(source: Source, found: Facts) -> Iterator[str]:
    """The lists that are empty because nothing could be read. A machine has caches and DIMMs; it may have no disk."""
    if not found["cpu"]["caches"]:
        yield "/cpu/caches"
    if not found["memory"]["modules"]:
        yield "/memory/modules"
    if not found["numa_nodes"]:
        yield "/numa_nodes"
    if not source.exists("/sys/block"):
        yield from ("/block_devices", "/raid_arrays")
    if not source.exists("/sys/bus/pci"):
        yield "/controllers"

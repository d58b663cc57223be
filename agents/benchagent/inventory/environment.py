"""The environment: an immutable snapshot of a machine. Nothing in it changes by waiting, measuring or mounting."""

from __future__ import annotations

from collections.abc import Callable

from .board import board
from .controllers import controllers
from .cpu import cpu
from .disks import block_devices
from .distribution import distribution
from .kernel import kernel
from .memory import memory
from .raid import raid_arrays
from .source import Facts, Source
from .virtualization import virtualization

NODES = "/sys/devices/system/node"


def environment(source: Source, scrub: Callable[[str], str]) -> Facts:
    """The contract's `environment`, in base units; None where a fact is unknown.

    A list that is empty because nothing could be read is marked `unknown` in `provenance`, so that it is not taken for
    "there are none".
    """
    processors = cpu(source)
    unreadable = []
    if not processors["caches"]:
        unreadable.append("/cpu/caches")
    if not source.exists("/sys/block"):
        unreadable += ["/block_devices", "/raid_arrays"]
    if not source.exists("/sys/bus/pci"):
        unreadable.append("/controllers")
    nodes = [name for name in source.names(NODES) if name.startswith("node") and name[4:].isdecimal()]
    return {
        "cpu": processors,
        "memory": memory(source),
        "kernel": kernel(source, scrub),
        "os": distribution(source),
        "virtualization": virtualization(source),
        "block_devices": block_devices(source),
        "raid_arrays": raid_arrays(source),
        "controllers": controllers(source),
        "provenance": dict.fromkeys(unreadable, "unknown"),
        "extra": {"board": board(source), "numa_nodes": len(nodes) or None},
    }

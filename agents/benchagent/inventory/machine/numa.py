"""NUMA nodes: which threads and how much memory each has, and how far the others are."""

from __future__ import annotations

import re

from benchagent.inventory.facts import Facts
from benchagent.inventory.source import Source

from .cpu import parse_cpu_list
from .memory import parse_meminfo

NODES = "/sys/devices/system/node"


def numa_nodes(source: Source) -> list[Facts]:
    """`[{threads, memory, distances[]}]`: threads online, bytes, and distances to all nodes (10: itself), in order."""
    names = [name for name in source.names(NODES) if re.fullmatch(r"node\d+", name)]
    nodes = [_node(source, f"{NODES}/{name}") for name in names]
    if len(nodes) == 1:
        # The node counts what the kernel has initialised so far, which may grow for a while; the total does not.
        nodes[0]["memory"] = parse_meminfo(source.text("/proc/meminfo") or "").get("MemTotal")
    return nodes


def _node(source: Source, directory: str) -> Facts:
    threads = source.line(f"{directory}/cpulist")
    memory = re.search(r"MemTotal:\s+(\d+) kB", source.text(f"{directory}/meminfo") or "")
    distances = (source.line(f"{directory}/distance") or "").split()
    return {
        # A node of memory alone has an empty list of processors.
        "threads": len(parse_cpu_list(threads or "")) if source.exists(f"{directory}/cpulist") else None,
        "memory": int(memory[1]) * 1024 if memory else None,
        "distances": [int(distance) for distance in distances if distance.isdecimal()],
    }

"""NUMA nodes with their threads, memory and distances."""

from __future__ import annotations

import re

from benchagent.inventory.facts import Facts
from benchagent.inventory.source import Source

from .cpu import parse_cpu_list
from .memory import parse_meminfo

NODES = "/sys/devices/system/node"


def numa_nodes(source: Source) -> list[Facts]:
    """`[{threads, memory, distances[]}]`: online threads, bytes, and distances to all nodes in order (10: itself)."""
    names = [name for name in source.names(NODES) if re.fullmatch(r"node\d+", name)]
    nodes = [_node(source, f"{NODES}/{name}") for name in names]
    if len(nodes) == 1:
        # The node counts initialized memory only, which may grow for a while after boot; the total is constant.
        nodes[0]["memory"] = parse_meminfo(source.text("/proc/meminfo") or "").get("MemTotal")
    return nodes


def _node(source: Source, directory: str) -> Facts:
    threads = source.line(f"{directory}/cpulist")
    memory = re.search(r"MemTotal:\s+(\d+) kB", source.text(f"{directory}/meminfo") or "")
    distances = (source.line(f"{directory}/distance") or "").split()
    return {
        # A node with memory only has an empty list of processors.
        "threads": len(parse_cpu_list(threads or "")) if source.exists(f"{directory}/cpulist") else None,
        "memory": int(memory[1]) * 1024 if memory else None,
        "distances": [int(distance) for distance in distances if distance.isdecimal()],
    }

from __future__ import annotations

from pathlib import Path

from benchagent.inventory.machine.numa import numa_nodes
from benchagent.inventory.source import Source
from tests.agents.inventory.trees import recorded, unpack

NODE = "/sys/devices/system/node"


def test_two_nodes(tmp_path: Path) -> None:
    found = numa_nodes(recorded("numa_two_sockets", tmp_path))
    assert [(node["threads"], node["distances"]) for node in found] == [(8, [10, 21]), (8, [21, 10])]


def test_the_memory_of_the_only_node_is_the_machines(tmp_path: Path) -> None:
    """The node's own count grows while the kernel initializes the rest."""
    tree = f"/proc/meminfo:\n| MemTotal:       8000 kB\n{NODE}/node0/cpulist: 0-1\n{NODE}/node0/meminfo: "
    assert numa_nodes(unpack(tree + "Node 0 MemTotal:  4000 kB\n", tmp_path))[0]["memory"] == 8000 * 1024


def test_a_node_of_memory_alone(tmp_path: Path) -> None:
    tree = f"{NODE}/node0/cpulist: 0-3\n{NODE}/node1/cpulist:\n{NODE}/node1/meminfo: Node 1 MemTotal:  4000 kB\n"
    _, second = numa_nodes(unpack(tree, tmp_path))
    assert (second["threads"], second["memory"]) == (0, 4000 * 1024)


def test_files_beside_the_nodes_are_none(tmp_path: Path) -> None:
    assert numa_nodes(unpack(f"{NODE}/online: 0\n{NODE}/possible: 0\n", tmp_path)) == []
    assert numa_nodes(Source(tmp_path / "nothing")) == []

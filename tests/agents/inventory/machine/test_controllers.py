from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from benchagent.inventory.environment import numa_nodes
from benchagent.inventory.machine.controllers import controllers, parse_lspci
from benchagent.inventory.source import Source
from tests.agents.inventory.trees import recorded, unpack


def test_named_by_lspci_and_network_cards_left_out(tmp_path: Path) -> None:
    assert controllers(recorded("raid5_sata", tmp_path)) == [
        {
            "name": "0000:00:1f.2",
            "model": "Intel Corporation 631xESB/632xESB SATA AHCI Controller",
            "driver": "ahci",
            "firmware": None,
            "cache": None,
            "cache_mode": None,
        }
    ]


def test_named_by_its_numbers_where_lspci_is_missing(tmp_path: Path) -> None:
    (found,) = controllers(recorded("luks_nvme", tmp_path))
    assert (found["model"], found["driver"]) == ("144d:a808", "nvme")


def test_without_a_pci_bus_there_are_none(tmp_path: Path) -> None:
    assert controllers(Source(tmp_path)) == []


def test_quotes_of_lspci() -> None:
    line = (
        '0000:03:00.0 "RAID bus controller" "Broadcom / LSI" "MegaRAID \\"9361\\"" -r02 "Dell" "H730"\nbroken "line\n'
    )
    assert parse_lspci(line) == {"0000:03:00.0": 'Broadcom / LSI MegaRAID "9361"'}


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    assert isinstance(parse_lspci(text), dict)


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

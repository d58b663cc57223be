from pathlib import Path

from benchagent.inventory import Source, environment
from tests.agents.inventory.trees import recorded, unpack


def test_sections_and_what_goes_into_extra(tmp_path: Path) -> None:
    facts = environment(recorded("raid5_sata", tmp_path))
    assert list(facts) == [
        "cpu",
        "memory",
        "kernel",
        "os",
        "virtualization",
        "numa_nodes",
        "block_devices",
        "raid_arrays",
        "controllers",
        "extra",
        "provenance",
    ]
    assert facts["provenance"] == {"/memory/modules": "unknown"}
    assert facts["extra"] == {"board": {"vendor": "Supermicro", "product": "X7DB8"}}


def test_lists_that_could_not_be_read_are_marked(tmp_path: Path) -> None:
    facts = environment(Source(tmp_path))
    assert facts["provenance"] == {
        "/cpu/caches": "unknown",
        "/memory/modules": "unknown",
        "/numa_nodes": "unknown",
        "/block_devices": "unknown",
        "/raid_arrays": "unknown",
        "/controllers": "unknown",
    }


def test_placeholders_of_firmware_are_no_names(tmp_path: Path) -> None:
    tree = "/sys/class/dmi/id/sys_vendor: To Be Filled By O.E.M.\n/sys/class/dmi/id/product_name: System Product Name\n"
    found = environment(unpack(tree + "/sys/class/dmi/id/board_name: P5Q\n", tmp_path))
    assert found["extra"]["board"] == {"vendor": None, "product": "P5Q"}


def test_the_device_tree_names_a_board_without_dmi(tmp_path: Path) -> None:
    (tmp_path / "proc/device-tree").mkdir(parents=True)
    (tmp_path / "proc/device-tree/model").write_bytes(b"Raspberry Pi 4 Model B Rev 1.4\x00")
    assert environment(Source(tmp_path))["extra"]["board"]["product"] == "Raspberry Pi 4 Model B Rev 1.4"


def test_two_snapshots_of_this_machine_are_the_same() -> None:
    assert environment(Source()) == environment(Source())

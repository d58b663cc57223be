from __future__ import annotations

from pathlib import Path

from benchagent.filesystems.btrfs import layers, states
from tests.agents.inventory.trees import mounted, recorded


def test_one_device_is_no_layer(tmp_path: Path) -> None:
    source = recorded("virtio_guest", tmp_path)
    assert layers(source, mounted("btrfs"), "loop2") == []
    assert states(source, mounted("btrfs"), "loop2") == []


def test_a_missing_device_and_a_balance_are_states(tmp_path: Path) -> None:
    source = recorded("btrfs_raid1", tmp_path)
    (base,) = (tmp_path / "sys/fs/btrfs").iterdir()
    before = layers(source, mounted("btrfs"), "sda")
    (base / "devinfo/2/missing").write_text("1\n")
    (base / "exclusive_operation").write_text("balance\n")
    assert states(source, mounted("btrfs"), "sda") == [
        {"kind": "btrfs", "name": None, "state": "degraded, balance", "done": None}
    ]
    assert layers(source, mounted("btrfs"), "sda") == before

"""The storage stack as a drawing."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchdb.runs.facts.storage_stack import DrawnLayer, draw, storage_line
from tests.support.documents import MIB, target


def drawn(**changes: Any) -> list[DrawnLayer]:
    return draw({**target(), **changes})


def test_from_the_mount_down_to_the_disks() -> None:
    mount, file_system, raid, disk = drawn()

    assert (mount.name, mount.tunables) == ("/mnt/test", ["rw, noatime"])
    assert (file_system.name, file_system.details) == ("ext4", ["4 KiB blocks"])
    assert file_system.tunables == ["mkfs.ext4 -b 4096"]
    assert (raid.name, raid.details) == ("md0 RAID 6", ["4 disks"])
    assert raid.tunables == ["chunk 128 KiB", "read-ahead 2 MiB", "scheduler mq-deadline", "queue of 64 requests"]
    assert (disk.name, disk.tunables) == ("ST4000NM0035", ["write cache"])


def test_a_mount_of_which_nothing_is_known_is_not_drawn() -> None:
    unknown = {"point": None, "options": []}
    (file_system,) = drawn(mount=unknown, stack=[], read_ahead=None, scheduler=None, nr_requests=None)
    assert file_system.name == "ext4"
    mount, _ = drawn(mount=unknown, stack=[], read_ahead=2 * MIB)
    assert "read-ahead 2 MiB" in mount.tunables


def test_tunables_of_the_mounted_device_stand_at_the_mount_where_there_is_no_device() -> None:
    mount, _ = drawn(stack=[])

    assert "read-ahead 2 MiB" in mount.tunables


def test_a_layers_own_tunables_win() -> None:
    raid = drawn(stack=[{"kind": "raid", "name": "md0", "read_ahead": 4 * MIB, "scheduler": None}])[2]

    assert raid.tunables == ["read-ahead 4 MiB", "scheduler mq-deadline", "queue of 64 requests"]


def test_what_a_person_declared_is_marked() -> None:
    how = {"/stack/0/chunk": "declared", "/stack/1": "detected", "/file_system/type": "published"}
    _, file_system, raid, disk = drawn(provenance=how)

    assert [layer.provenance for layer in (file_system, raid, disk)] == ["published", "declared", None]


def test_an_unknown_file_system_says_so() -> None:
    assert drawn(file_system={"type": None})[1].provenance == "unknown"


def test_facts_of_a_layer_are_said_in_words() -> None:
    facts = {"direct_io": False, "offset": 0, "logical_block_size": 512, "mount_options": "rw,noatime", "mode": None}
    loop = drawn(stack=[{"kind": "loop", "facts": facts}])[2]

    assert loop.kind_label == "loop device"
    assert loop.tunables[-3:] == ["no direct io", "logical block size 512 B", "mount options rw, noatime"]


def test_an_array_that_hardware_hides_has_its_disks() -> None:
    how = {"/stack/0/level": "declared", "/stack/1": "declared"}
    raid, disks = drawn(
        stack=[
            {"kind": "raid", "name": "sdb", "model": "A24U-G2421", "level": "raid6", "members": 12, "facts": {}},
            {"kind": "disk", "model": "HUA721010KLA330", "facts": {"count": 12, "write_cache": "write through"}},
        ],
        provenance=how,
    )[2:]

    assert (raid.name, raid.details) == ("sdb RAID 6", ["A24U-G2421", "12 disks"])
    assert (disks.name, disks.details) == ("HUA721010KLA330", ["12 disks"])
    assert disks.tunables == ["write cache write through"]
    assert [layer.provenance for layer in (raid, disks)] == ["declared", "declared"]
    assert "declared: level" in raid.tunables, "the rest of it was detected"


def test_a_server_is_drawn_by_what_stands_for_its_name() -> None:
    facts = {"protocol": "nfs4", "server": "bef62d3200af2fb7", "share": None}
    (layer,) = drawn(stack=[{"kind": "network", "facts": facts}])[2:]

    assert layer.kind_label == "other machine"
    assert {"protocol nfs4", "server bef62d3200af2fb7"} <= set(layer.tunables)


@pytest.mark.parametrize(
    ("stack", "line"),
    [
        ([{"kind": "raid", "level": "raid6", "members": 12}, {"kind": "disk"}], "RAID 6 of 12 disks"),
        ([{"kind": "raid", "level": None}], "RAID of unknown level"),
        ([{"kind": "partition"}, {"kind": "disk", "model": "WD40"}], "WD40"),
        ([{"kind": "loop"}, {"kind": "image"}, {"kind": "disk", "model": "WD40"}], "image file"),
        ([{"kind": "tmpfs"}], "tmpfs"),
        ([{"kind": "zfs"}, {"kind": "raid", "level": "raidz2", "members": 6}], "raidz2 of 6 disks"),
        ([{"kind": "btrfs", "level": "raid1", "members": 2}, {"kind": "disk"}], "btrfs RAID 1 of 2 disks"),
        ([{"kind": "lvm", "level": "raid5", "members": 3}], "LVM RAID 5 of 3 disks"),
        ([{"kind": "network", "facts": {"protocol": "nfs4", "server": "bef6"}}], "nfs4"),
        ([{"kind": "bcache"}, {"kind": "disk", "model": "its cache"}], "bcache"),
        ([], "disk unknown"),
    ],
)
def test_storage_in_a_few_words(stack: list[dict[str, Any]], line: str) -> None:
    assert storage_line({"stack": stack}) == line


EXPECTED = Path(__file__).parents[2] / "agents" / "inventory" / "expected"


@pytest.mark.parametrize(
    ("machine", "path", "line", "shown"),
    [
        ("raid6_hba", "/raid/a/bench", "RAID 6 of 12 disks", []),
        ("raid5_sata", "/srv/data/bench", "RAID 5 of 4 disks", []),
        ("md_raid10_degraded", "/srv", "RAID 10 of 4 disks", []),
        ("zfs_raidz2", "/tank/bench", "raidz2 of 6 disks", []),
        ("btrfs_raid1", "/srv/bench", "btrfs RAID 1 of 2 disks", []),
        ("lvm_striped", "/srv/bench", "LVM of 3 stripes", []),
        ("multipath_fc", "/u02", "multipath", []),
        ("bcache_desktop", "/data", "bcache", []),
        ("nfs_client", "/mnt/bench", "nfs4", []),
        ("luks_nvme", "/home/wanda", "SAMSUNG MZVLB512HAJQ-000L7", []),
        ("raspberry_pi4", "/home/pi", "SC64G", []),
        ("container_overlay", "/", "overlay", []),
        ("virtio_guest", "/mnt/xfs", "image file", []),
        ("zoned_and_memory", "/mnt/zoned", "HGST HSH721414AL", ["zoned host-managed", "zone size 256 MiB"]),
        ("zoned_and_memory", "/mnt/pmem", "persistent memory", ["mode fsdax", "dax"]),
        ("zoned_and_memory", "/mnt/zram", "zram", ["compression zstd"]),
    ],
)
def test_recorded_machines(machine: str, path: str, line: str, shown: list[str]) -> None:
    """The agent's facts of each recorded machine can be described and drawn."""
    facts = json.loads((EXPECTED / f"{machine}.json").read_text(encoding="utf-8"))["targets"][path]["target"]

    assert storage_line(facts) == line
    layers = draw(facts)
    assert len(layers) == len(facts["stack"]) + 2

    assert set(shown) <= set(layers[-1].tunables)
    assert "None" not in " ".join(" ".join(layer.tunables + layer.details) for layer in layers)

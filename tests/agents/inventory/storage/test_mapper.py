from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.inventory.storage.mapper import is_mapped, mapped, parse_table, raid_geometry
from tests.agents.inventory.trees import recorded, unpack

DM = "/sys/devices/virtual/block/dm-0"


def test_luks(tmp_path: Path) -> None:
    source = recorded("luks_nvme", tmp_path)
    assert is_mapped(source, DM)
    assert mapped(source, DM) == {
        "kind": "crypt",
        "facts": {
            "targets": "crypt",
            "cipher": "aes-xts-plain64",
            "options": "allow_discards",
            "format": "LUKS2",
        },
    }


def test_a_volume_of_lvm(tmp_path: Path) -> None:
    found = mapped(recorded("luks_nvme", tmp_path), "/sys/devices/virtual/block/dm-2")
    assert found == {"kind": "lvm", "facts": {"targets": "linear"}}


@pytest.mark.parametrize(
    ("uuid", "kind"),
    [
        ("mpath-3600508b400105e210000900000490000", "multipath"),
        ("part1-mpath-3600508b400105e210000900000490000", "partition"),
        ("DMRAID-isw_x", "raid"),
        ("", "mapped"),
    ],
)
def test_kind_by_the_maker_in_the_uuid(tmp_path: Path, uuid: str, kind: str) -> None:
    assert mapped(unpack(f"{DM}/dm/uuid: {uuid}\n{DM}/dev: 254:0\n", tmp_path), DM) == {"kind": kind, "facts": {}}


def test_without_dmsetup_the_kind_is_known_all_the_same(tmp_path: Path) -> None:
    source = unpack(f"{DM}/dm/uuid: CRYPT-LUKS1-x-y\n{DM}/dm/name: y\n", tmp_path)
    assert mapped(source, DM) == {"kind": "crypt", "facts": {"format": "LUKS1"}}


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("0 8388608 striped 2 128 8:16 2048 8:32 2048", {"targets": "striped", "stripes": 2, "stripe_size": 65536}),
        ("0 100 linear 8:1 0\n100 100 linear 8:2 0\n", {"targets": "linear"}),
        ("0 100 linear 8:1 0\n100 9 error \n", {"targets": "linear, error"}),
        ("0 100 thin 253:2 1", {"targets": "thin"}),
        ("0 100 cache 253:1 253:0 253:2 128 1 writeback smq 0", {"targets": "cache", "cached": True}),
        (
            "0 9 crypt aes-xts-plain64 :64:logon:x 0 8:1 4096 2 no_write_workqueue no_read_workqueue",
            {"targets": "crypt", "cipher": "aes-xts-plain64", "options": "no_read_workqueue, no_write_workqueue"},
        ),
        (
            "0 9 crypt aes-cbc-essiv:sha256 0000 0 8:1 4096",
            {"targets": "crypt", "cipher": "aes-cbc-essiv:sha256", "options": None},
        ),
        (
            "0 99 thin-pool 253:0 253:1 1024 0 1 skip_block_zeroing",
            {"targets": "thin-pool", "pool_block_size": 524288},
        ),
        (
            "0 9 multipath 0 0 2 1 round-robin 0 1 1 8:16 1000 round-robin 0 1 1 8:32 1000",
            {
                "targets": "multipath",
                "paths": 2,
                "path_groups": 2,
                "selector": "round-robin",
                "hardware_handler": None,
                "features": None,
            },
        ),
        ("0 9 multipath 3 queue_if_no_path", {"targets": "multipath"}),
        ("", {}),
    ],
)
def test_table(table: str, expected: dict[str, object]) -> None:
    assert parse_table(table) == expected


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (
            "0 41943040 raid raid5_ls 3 128 region_size 2048 3 253:1 253:2 253:3 253:4 253:5 253:6",
            {"level": "raid5", "chunk": 65536, "layout": "left-symmetric", "members": 3},
        ),
        (
            "0 99 raid raid1 3 0 region_size 4096 2 253:1 253:2 253:3 253:4",
            {"level": "raid1", "chunk": None, "layout": None, "members": 2},
        ),
        ("0 99 raid raid6_zr 1 256 5 - 8:16 - 8:32 - 8:48 - 8:64 - 8:80", {"members": 5}),
        ("0 99 raid raid0", {}),
        ("0 99 linear 8:1 0", {}),
    ],
)
def test_raid_volumes_of_lvm(table: str, expected: dict[str, object]) -> None:
    found = raid_geometry(table)
    assert {key: found[key] for key in expected} == expected
    assert bool(found) == bool(expected)


def test_a_raid_volume_is_a_layer_with_a_level(tmp_path: Path) -> None:
    tree = f"{DM}/dm/uuid: LVM-x\n{DM}/dm/name: y\n{DM}/dev: 253:7\n"
    tree += "/commands/dmsetup table -j 253 -m 7: 0 99 raid raid5_ls 3 128 region_size 2048 3 - 8:16 - 8:32 - 8:48\n"
    found = mapped(unpack(tree, tmp_path), DM)
    assert (found["kind"], found["level"], found["chunk"], found["members"]) == ("lvm", "raid5", 65536, 3)


def test_no_key_comes_out_of_a_table() -> None:
    key = "babebabebabebabebabebabebabebabe"
    assert key not in str(parse_table(f"0 9 crypt aes-cbc-essiv:sha256 {key} 0 8:1 4096 1 allow_discards"))


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    assert isinstance(parse_table(text), dict)
    assert isinstance(parse_table("0 9 multipath " + text), dict)
    assert isinstance(raid_geometry("0 9 raid " + text), dict)

from __future__ import annotations

from pathlib import Path

import pytest

from benchagent.inventory.source import Source
from benchagent.inventory.storage.raid import details, geometry, layout, raid_arrays, state
from tests.agents.inventory.trees import recorded, unpack

MD = "/sys/devices/virtual/block/md0"


def array(tmp_path: Path, **files: str) -> Source:
    return unpack("".join(f"{MD}/md/{name}: {value}\n" for name, value in files.items()), tmp_path)


def test_raid5_of_four(tmp_path: Path) -> None:
    assert raid_arrays(recorded("raid5_sata", tmp_path)) == [
        {
            "name": "md0",
            "level": "raid5",
            "chunk": 524288,
            "layout": "left-symmetric",
            "members": 4,
        }
    ]


def test_settings_that_decide_how_fast_it_writes(tmp_path: Path) -> None:
    assert details(recorded("raid5_sata", tmp_path), MD) == {
        "metadata": "1.2",
        "bitmap": "internal",
        "consistency_policy": "bitmap",
        "stripe_cache_size": 256,
    }


def test_a_mirror_has_no_chunk_and_no_layout(tmp_path: Path) -> None:
    source = array(tmp_path, level="raid1", raid_disks="2", chunk_size="0", layout="0")
    assert geometry(source, MD) == {"level": "raid1", "chunk": None, "layout": None, "members": 2}


@pytest.mark.parametrize(
    ("level", "number", "expected"),
    [
        ("raid5", 2, "left-symmetric"),
        ("raid6", 0, "left-asymmetric"),
        ("raid6", 99, None),
        ("raid10", 0x102, "near=2"),
        ("raid10", 0x201, "far=2"),
        ("raid10", 0x10201, "offset=2"),
        ("raid10", 0x202, "near=2, far=2"),
        ("raid0", 0, None),
        ("raid5", None, None),
    ],
)
def test_layout(level: str, number: int | None, expected: str | None) -> None:
    assert layout(level, number) == expected


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"array_state": "clean", "degraded": "0", "sync_action": "idle"}, "healthy"),
        ({"array_state": "active", "degraded": "0", "sync_action": "idle"}, "healthy"),
        ({"array_state": "write-pending"}, "healthy"),  # raid0 has neither of the others
        ({"array_state": "clean", "degraded": "1", "sync_action": "recover"}, "degraded, recovering"),
        ({"array_state": "clean", "degraded": "0", "sync_action": "check"}, "checking"),
        ({"array_state": "readonly", "degraded": "1", "sync_action": "frozen"}, "degraded, readonly"),
        ({}, None),
    ],
)
def test_state(tmp_path: Path, files: dict[str, str], expected: str | None) -> None:
    assert state(array(tmp_path, **files), MD) == expected


@pytest.mark.parametrize("level", ["", "container"])
def test_stopped_arrays_and_containers_are_none(tmp_path: Path, level: str) -> None:
    tree = f"{MD}/md/level: {level}\n/sys/block/md0 -> ../devices/virtual/block/md0\n"
    assert raid_arrays(unpack(tree, tmp_path)) == []


def test_while_it_is_reshaped_the_numbers_are_two_and_so_unknown(tmp_path: Path) -> None:
    source = array(tmp_path, level="raid5", raid_disks="5 (4)", chunk_size="524288", layout="2")
    assert geometry(source, MD)["members"] is None


def test_the_name_of_another_array_stays_home(tmp_path: Path) -> None:
    assert details(array(tmp_path, metadata_version="external:/md127/0"), MD) == {"metadata": "external"}

from pathlib import Path

from benchagent.inventory.storage.bcache import is_cached, role, settings
from tests.agents.inventory.trees import recorded, unpack

BCACHE = "/sys/devices/virtual/block/bcache0"


def test_all_three_have_the_directory_and_one_is_the_cached_device(tmp_path: Path) -> None:
    source = recorded("bcache_desktop", tmp_path)
    disk, cache = (source.resolve(f"/sys/class/block/{name}") for name in ("sda", "nvme0n1p3"))
    assert [is_cached(source, device) for device in (BCACHE, disk, cache)] == [True, False, False]
    assert [role(source, device) for device in (disk, cache)] == ["backing", "cache"]


def test_without_a_cache_attached(tmp_path: Path) -> None:
    tree = f"{BCACHE}/bcache/cache_mode: [writethrough] writeback\n{BCACHE}/slaves/sda -> ../../sda\n"
    found = settings(unpack(tree + "/sys/devices/virtual/block/sda/bcache/cache_mode: x\n", tmp_path), BCACHE)
    assert found["cache_mode"] == "writethrough"
    assert (found["bucket_size"], found["replacement_policy"]) == (None, None)


def test_how_dirty_it_is_is_no_setting(tmp_path: Path) -> None:
    assert "dirty" not in str(settings(recorded("bcache_desktop", tmp_path), BCACHE))

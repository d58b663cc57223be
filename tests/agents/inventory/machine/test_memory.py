from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.inventory.machine.memory import control_group_limit, memory, parse_cgroup, parse_meminfo
from benchagent.inventory.source import Source
from tests.agents.inventory.trees import recorded, unpack

MEMINFO = "/proc/meminfo:\n| MemTotal:        8167996 kB\n| SwapTotal:       1951740 kB\n| HugePages_Total:       0\n"
V2 = "/proc/self/mountinfo: 30 22 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
GIB = 1024**3


def test_meminfo_is_in_kibibytes() -> None:
    assert parse_meminfo("MemTotal:        8167996 kB\nHugePages_Total:       0\n") == {"MemTotal": 8167996 * 1024}


def test_without_a_limit_all_is_usable(tmp_path: Path) -> None:
    found = memory(recorded("raid5_sata", tmp_path))
    assert found == {"total": 8167996 * 1024, "usable": 8167996 * 1024, "swap": 1951740 * 1024, "modules": []}


def test_a_limit_of_cgroup_v1(tmp_path: Path) -> None:
    found = memory(recorded("virtio_guest", tmp_path))
    assert (found["total"], found["usable"]) == (24684084 * 1024, 2 * GIB)


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ({"a/memory.max": "max"}, None),
        ({"a/b/memory.max": str(GIB)}, GIB),
        ({"a/memory.max": str(GIB), "a/b/memory.max": "max"}, GIB),  # the parent's limit binds the child
        ({"a/memory.max": str(2 * GIB), "a/b/memory.high": str(GIB)}, GIB),
        ({"memory.max": str(GIB)}, GIB),  # the root of a container's own view
    ],
)
def test_the_tightest_limit_of_cgroup_v2(tmp_path: Path, limits: dict[str, str], expected: int | None) -> None:
    files = "".join(f"/sys/fs/cgroup/{name}: {value}\n" for name, value in limits.items())
    source = unpack(f"{V2}/proc/self/cgroup: 0::/a/b\n{files}", tmp_path)
    assert control_group_limit(source) == expected


def test_a_container_whose_path_is_not_visible_uses_the_root_it_sees(tmp_path: Path) -> None:
    tree = (
        "/proc/self/mountinfo: 35 31 0:32 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n"
        "/proc/self/cgroup: 4:memory:/docker/abc\n"
        f"/sys/fs/cgroup/memory/memory.limit_in_bytes: {GIB}\n"
    )
    assert control_group_limit(unpack(tree, tmp_path / "inside")) == GIB
    moved = tree.replace("4:memory:/docker/abc", "4:memory:/elsewhere")
    assert control_group_limit(unpack(moved, tmp_path / "moved")) == GIB


def test_a_limit_above_the_memory_does_not_add_memory(tmp_path: Path) -> None:
    source = unpack(f"{MEMINFO}{V2}/proc/self/cgroup: 0::/\n/sys/fs/cgroup/memory.max: {64 * GIB}\n", tmp_path)
    assert memory(source)["usable"] == 8167996 * 1024


def test_nothing_at_all_is_unknown(tmp_path: Path) -> None:
    assert memory(Source(tmp_path)) == {"total": None, "usable": None, "swap": None, "modules": []}


def test_cgroup_paths_by_controller() -> None:
    text = "9:name=systemd:/\n4:cpu,cpuacct:/a:b\n0::/user.slice\n"
    assert parse_cgroup(text) == {"name=systemd": "/", "cpu": "/a:b", "cpuacct": "/a:b", "": "/user.slice"}


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    assert all(size >= 0 for size in parse_meminfo(text).values())
    assert all(parse_cgroup(text).values())

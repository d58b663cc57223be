"""The memory limit of tools: it applies, including the page cache, and leaves nothing behind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchagent.errors import PreparationError
from benchagent.inventory import Source
from benchagent.plan.model import Target
from benchagent.system.orphans import MARK
from benchagent.system.process import run
from benchagent.targets import control_group
from benchagent.targets.control_group import ParentGroup, create, find_parent, remove
from benchagent.targets.preparable import why_not_prepared
from benchagent.targets.prepare import prepared
from benchagent.targets.work_directory import WorkDirectory
from tests.agents.inventory.trees import unpack
from tests.agents.targets.test_prepare import image, loop_devices, no_tick, root
from tests.support.waiting import wait_until

MIB = 2**20
SIZE = 96 * MIB
controller = pytest.mark.needs("memory controller", package=None)

# Reads a whole file and prints how many of its bytes are in the page cache (mincore).
READER = """
import ctypes, sys
path = sys.argv[1]
with open(path, "rb") as file:
    while file.read(2**20):
        pass
    size = file.seek(0, 2)
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
with open(path, "rb") as file:
    start = libc.mmap(None, size, 1, 1, file.fileno(), 0)
    seen = ctypes.create_string_buffer(-(-size // 4096))
    assert libc.mincore(ctypes.c_void_p(start), ctypes.c_size_t(size), seen) == 0
print(sum(byte & 1 for byte in seen.raw) * 4096)
"""


def cached(work: WorkDirectory) -> int:
    """Bytes of a file of SIZE in the page cache, after a tool has read all of it."""
    with prepared(image(), work, no_tick) as prepared_target:
        (prepared_target.directory / "file").write_bytes(b"x" * SIZE)
        assert prepared_target.empty_cache is not None
        prepared_target.empty_cache()
        command = [sys.executable, "-c", READER, str(prepared_target.directory / "file")]
        outcome = run(command, control_group=prepared_target.control_group)
        assert outcome.ok, outcome.error
        return int(outcome.stdout)


@root
@controller
@loop_devices
def test_the_page_cache_of_a_tool_does_not_exceed_the_limit(tmp_path: Path) -> None:
    with WorkDirectory(tmp_path / "work", memory=SIZE // 2).opened() as work:
        assert cached(work) <= SIZE // 2
    with WorkDirectory(tmp_path / "work").opened() as work:
        wait_until(lambda: cached(work) > SIZE // 2)  # another process may drop the machine's caches


@root
@controller
def test_a_tool_and_its_children_are_in_the_group_and_the_agent_is_not(tmp_path: Path) -> None:
    with WorkDirectory(tmp_path / "work", memory=64 * MIB).opened() as work:
        group = work.control_group
        assert group is not None
        outcome = run(["sh", "-c", "cat /proc/self/cgroup; true"], control_group=group)
        assert group.name in outcome.stdout
        assert group.name not in Path("/proc/self/cgroup").read_text()
    assert not group.exists()


@root
@controller
def test_what_takes_more_than_the_limit_is_ended(tmp_path: Path) -> None:
    with WorkDirectory(tmp_path / "work", memory=32 * MIB).opened() as work:
        outcome = run([sys.executable, "-c", "b'x' * 2**27"], control_group=work.control_group)
    assert outcome.returncode == -9


@root
@controller
def test_what_still_runs_in_the_group_is_ended_with_it(tmp_path: Path) -> None:
    with WorkDirectory(tmp_path / "work", memory=64 * MIB).opened() as work:
        assert work.control_group is not None
        with subprocess.Popen(["setsid", "sleep", "1000"], env={MARK: "1", "PATH": "/bin:/usr/bin"}) as sleeper:
            (work.control_group / "cgroup.procs").write_text(str(sleeper.pid))
            undone = remove(work.control_group)
            assert sleeper.wait(10) == -9
    assert undone == [f"ended process {sleeper.pid}", f"removed the control group {work.control_group}"]


@root
@controller
def test_points_are_skipped_where_memory_cannot_be_limited(tmp_path: Path) -> None:
    source = unpack("/proc/self/cgroup:\n| 0::/\n/proc/self/mountinfo:\n| 1 1 0:1 / / rw - tmpfs tmpfs rw\n", tmp_path)
    target = Target("d", "directory", str(tmp_path))
    with WorkDirectory(tmp_path / "work", memory=64 * MIB, source=source).opened() as work:
        assert why_not_prepared(target, work) == "no control group here can limit memory"
    with WorkDirectory(tmp_path / "work", source=source).opened() as work:
        assert why_not_prepared(target, work) is None


def test_a_group_that_may_not_be_made_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(PreparationError, match="cannot limit memory in"):
        create(tmp_path / "file" / "group", 1, MIB)
    with pytest.raises(PreparationError, match="No such file"):  # a plain directory has no files of the controller
        create(tmp_path / "none" / "group", 2, MIB)


def test_a_group_that_is_gone_is_nothing_to_undo(tmp_path: Path) -> None:
    assert remove(tmp_path / "none") == []


CGROUP = "| 4 1 0:4 {root} /sys/fs/cgroup{point} rw - {kind} {kind} rw{controller}\n"


@pytest.mark.parametrize(
    ("cgroup", "mounts", "files", "expected"),
    [
        pytest.param(
            "4:memory:/user\n| 0::/user",
            CGROUP.format(root="/", point="/memory", kind="cgroup", controller=",memory")
            + CGROUP.format(root="/", point="/unified", kind="cgroup2", controller=""),
            "",
            ParentGroup(Path("/sys/fs/cgroup/memory/user"), 1),
            id="v1, below our own group",
        ),
        pytest.param(
            "4:memory:/docker/1",
            CGROUP.format(root="/docker/1", point="/memory", kind="cgroup", controller=",memory"),
            "",
            ParentGroup(Path("/sys/fs/cgroup/memory"), 1),
            id="v1 in a container that sees its own group only",
        ),
        pytest.param(
            "0::/user.slice/user-0.slice/session-1.scope",
            CGROUP.format(root="/", point="", kind="cgroup2", controller=""),
            "/sys/fs/cgroup/cgroup.subtree_control: cpu memory\n"
            "/sys/fs/cgroup/user.slice/cgroup.subtree_control: memory pids\n"
            "/sys/fs/cgroup/user.slice/user-0.slice/cgroup.subtree_control: pids\n",
            ParentGroup(Path("/sys/fs/cgroup/user.slice"), 2),
            id="v2, in the nearest group that hands memory on",
        ),
        pytest.param(
            "0::/",
            CGROUP.format(root="/", point="", kind="cgroup2", controller=""),
            "/sys/fs/cgroup/cgroup.subtree_control: cpu\n",
            None,
            id="v2 without memory",
        ),
    ],
)
def test_where_the_group_goes(
    tmp_path: Path, cgroup: str, mounts: str, files: str, expected: ParentGroup | None
) -> None:
    tree = f"/proc/self/cgroup:\n| {cgroup}\n/proc/self/mountinfo:\n{mounts}{files}"
    assert find_parent(unpack(tree, tmp_path)) == expected


@root
@controller
def test_the_limit_is_in_force(tmp_path: Path) -> None:
    parent = find_parent(Source())
    assert parent is not None
    group = parent.directory / "benchagent-test"
    create(group, parent.version, 64 * MIB)
    try:
        name = control_group.FILES[parent.version][0][0]
        assert int((group / name).read_text()) == 64 * MIB
    finally:
        remove(group)
    wait_until(lambda: not group.exists())

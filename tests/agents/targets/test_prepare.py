"""Targets on real loop devices and in directories: made, mounted, and undone in every case."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from benchagent.errors import PreparationError
from benchagent.filesystems import made
from benchagent.plan.model import Target
from benchagent.system.owned_directory import LOCK, owned
from benchagent.targets import loop
from benchagent.targets.file_systems import mkfs_command
from benchagent.targets.preparable import why_not_prepared
from benchagent.targets.prepare import SCRATCH_NAME, prepared
from benchagent.targets.work_directory import WorkDirectory
from tests.support.signals import signalled
from tests.support.waiting import wait_until

AGENTS = Path(__file__).parents[3] / "agents"
SIZES = {"xfs": 320 * 2**20}  # mkfs.xfs needs at least 300 MiB
IMAGES = [
    pytest.param(each.name, marks=pytest.mark.needs(each.program, package=each.package))
    for each in made()
    if each.usual  # few kernels have the others
]
root = pytest.mark.needs("root", package=None)
loop_devices = pytest.mark.needs("loop devices", package=None)


def no_tick() -> None:
    pass


def image(file_system: str = "ext4", **fields: object) -> Target:
    size = SIZES.get(file_system, 128 * 2**20)
    return Target("target", "image", size=size, file_system=file_system, **fields)


def in_kernel(path: Path) -> str:
    """The type of the file system mounted at `path`."""
    fields = [line.split() for line in Path("/proc/mounts").read_text().splitlines()]
    return next(type_ for _, point, type_, *_ in fields if point == str(path))


@root
@loop_devices
@pytest.mark.parametrize("file_system", IMAGES)
def test_an_image_is_formatted_mounted_and_removed(work: WorkDirectory, file_system: str) -> None:
    with prepared(image(file_system), work, no_tick) as prepared_target:
        assert in_kernel(prepared_target.directory) == file_system
        (prepared_target.directory / "file").write_text("x")
        assert [step.test for step in prepared_target.steps] == ["mkfs", "mount"]
        assert all(0 < step.outcome.elapsed < 60 for step in prepared_target.steps)
        assert prepared_target.steps[0].outcome.command[:-1] == mkfs_command(image(file_system))
        assert (work.path / "target.img").stat().st_size == image(file_system).size


@root
@loop_devices
def test_options_reach_mkfs_and_mount(work: WorkDirectory) -> None:
    target = image("ext4", mkfs_options=("-O", "^has_journal"), mount_options=("noatime", "nodev"))
    with prepared(target, work, no_tick) as prepared_target:
        [line] = [
            line for line in Path("/proc/mounts").read_text().splitlines() if str(prepared_target.directory) in line
        ]
        assert {"noatime", "nodev"} <= set(line.split()[3].split(","))
        device = line.split()[0]
        features = subprocess.run(["dumpe2fs", "-h", device], capture_output=True, text=True, check=True).stdout
        assert "has_journal" not in features


@root
@loop_devices
@pytest.mark.parametrize("file_system", IMAGES)
def test_space_is_taken_at_once_where_the_image_is_not_sparse(work: WorkDirectory, file_system: str) -> None:
    target = image(file_system, sparse=False)
    with prepared(target, work, no_tick):
        assert (work.path / "target.img").stat().st_blocks * 512 >= target.size
    with prepared(image(file_system), work, no_tick):
        assert (work.path / "target.img").stat().st_blocks * 512 < target.size / 2


@root
@loop_devices
@pytest.mark.parametrize("direct_io", [True, False])
def test_a_loop_device_goes_around_the_cache_where_the_plan_says_so(work: WorkDirectory, direct_io: bool) -> None:
    with prepared(image(direct_io=direct_io), work, no_tick):
        [device] = loop.loops_under(work.path)
        assert Path(f"/sys/block/{device.name}/loop/dio").read_text().strip() == str(int(direct_io))


@root
@loop_devices
def test_a_remount_empties_the_cache(work: WorkDirectory) -> None:
    """Written data are read from the device again."""
    with prepared(image(), work, no_tick) as prepared_target:
        (prepared_target.directory / "file").write_bytes(os.urandom(2**20))
        assert prepared_target.empty_cache is not None
        prepared_target.empty_cache()
        device = loop.loops_under(work.path)[0].name
        before = int(Path(f"/sys/block/{device}/stat").read_text().split()[2])
        assert len((prepared_target.directory / "file").read_bytes()) == 2**20
        assert (int(Path(f"/sys/block/{device}/stat").read_text().split()[2]) - before) * 512 >= 2**20


@root
@loop_devices
def test_tune2fs_changes_what_mkfs_made(work: WorkDirectory) -> None:
    with prepared(image("ext3", tune2fs=("-m", "0", "-c", "77")), work, no_tick):
        [device] = loop.loops_under(work.path)
        header = subprocess.run(["dumpe2fs", "-h", device], capture_output=True, text=True, check=True).stdout
    assert re.search(r"Maximum mount count: +77\n", header)
    assert re.search(r"Reserved block count: +0\n", header)


@root
@loop_devices
@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"mkfs_options": ("-O", "no_such_feature")}, "no_such_feature"),
        ({"mount_options": ("no_such_option",)}, "mount"),
    ],
    ids=["mkfs", "mount"],
)
def test_a_command_that_fails_says_why_and_leaves_nothing(work: WorkDirectory, options: Any, why: str) -> None:
    with pytest.raises(PreparationError, match=why), prepared(image("ext4", **options), work, no_tick):
        pass


@root
@loop_devices
def test_an_exception_in_the_middle_leaves_nothing(work: WorkDirectory) -> None:
    with pytest.raises(ZeroDivisionError), prepared(image(), work, no_tick):
        raise ZeroDivisionError


@root
def test_a_loop_device_that_somebody_detached_is_left_to_its_next_owner(work: WorkDirectory) -> None:
    with prepared(image(), work, no_tick) as prepared_target:
        [device] = loop.loops_under(work.path)
        loop.unmount(prepared_target.directory)
        loop.detach(device)
    assert loop.loops_under(work.path) == []
    assert os.listdir(work.path) == [LOCK]


@root
@loop_devices
def test_an_image_that_does_not_fit_says_so(work: WorkDirectory) -> None:
    target = Target("target", "image", size=2**62, file_system="ext4", sparse=False)
    with pytest.raises(PreparationError, match="Cannot make an image"), prepared(target, work, no_tick):
        pass


# Prepares an image repeatedly, and prints a line each time it is mounted.
AGENT = """
import pathlib, sys
from benchagent.errors import Stopped
from benchagent.system.interrupts import raising
from benchagent.plan.model import Target
from benchagent.targets.prepare import prepared
from benchagent.targets.work_directory import WorkDirectory
target = Target("target", "image", size=2**27, file_system="ext4")
try:
    with raising(), WorkDirectory(pathlib.Path(sys.argv[1])).opened() as work:
        while True:
            with prepared(target, work, lambda: None):
                print("mounted", flush=True)
except Stopped as stop:
    sys.exit(stop.exit_code)
"""


@contextmanager
def mounting(work: Path) -> Iterator[subprocess.Popen[str]]:
    """The agent, which has mounted the image once."""
    command, environment = [sys.executable, "-c", AGENT, str(work)], {**signalled(), "PYTHONPATH": str(AGENTS)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "mounted\n"
        yield process


@root
@loop_devices
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("delay", [0.0, 0.01, 0.03, 0.07])
def test_a_signal_in_the_middle_leaves_nothing(tmp_path: Path, number: signal.Signals, delay: float) -> None:
    work = tmp_path / "work"
    with mounting(work) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(delay)
        process.send_signal(number)
        assert process.wait(60) == 128 + number
    wait_until(lambda: not loop.loops_under(work))  # the kernel detaches a device after its last user
    assert loop.mounts_under(work) == []
    assert os.listdir(work) == [LOCK]


@root
@loop_devices
@pytest.mark.parametrize("delay", [0.0, 0.02, 0.05])
def test_the_next_start_removes_what_a_killed_agent_left(tmp_path: Path, delay: float) -> None:
    work = tmp_path / "work"
    with mounting(work) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(delay)
        process.kill()
    with mounting(work) as process:
        process.terminate()
        assert process.wait(60) == 128 + signal.SIGTERM
    wait_until(lambda: not loop.loops_under(work))
    assert loop.mounts_under(work) == []
    assert os.listdir(work) == [LOCK]


def test_a_directory_gets_a_place_of_its_own_inside(work: WorkDirectory, tmp_path: Path) -> None:
    tmp_path = tmp_path / "target"
    tmp_path.mkdir()
    (tmp_path / "mine").write_text("stays")
    target = Target("directory", "directory", path=str(tmp_path))
    with prepared(target, work, no_tick) as prepared_target:
        assert (prepared_target.directory.parent, prepared_target.empty_cache) == (tmp_path / SCRATCH_NAME, None)
        (prepared_target.directory / "file").write_text("goes")
    assert sorted(os.listdir(tmp_path)) == ["mine"]


def test_a_directory_that_a_killed_agent_left_is_taken_over(work: WorkDirectory, tmp_path: Path) -> None:
    target = tmp_path / "target"
    with owned(target / SCRATCH_NAME) as scratch:
        (scratch.path / "files").mkdir()
        (scratch.path / "files" / "iozone.tmp").touch()
    with prepared(Target("directory", "directory", path=str(target)), work, no_tick) as prepared_target:
        assert os.listdir(prepared_target.directory) == []
    assert os.listdir(target) == []


def test_a_directory_that_is_not_ours_is_left_alone(work: WorkDirectory, tmp_path: Path) -> None:
    (tmp_path / SCRATCH_NAME).mkdir()
    (tmp_path / SCRATCH_NAME / "mine").touch()
    target = Target("directory", "directory", path=str(tmp_path))
    with pytest.raises(PreparationError, match="not marked"), prepared(target, work, no_tick):
        pass
    assert os.listdir(tmp_path / SCRATCH_NAME) == ["mine"]
    assert os.listdir(work.path) == [LOCK]


def test_says_why_a_target_cannot_be(work: WorkDirectory, tmp_path: Path) -> None:
    assert why_not_prepared(Target("d", "directory", path=str(tmp_path)), work) is None
    assert "--directory" in str(why_not_prepared(Target("d", "directory"), work))
    assert "is not a directory" in str(why_not_prepared(Target("d", "directory", path=str(tmp_path / "none")), work))
    assert (
        why_not_prepared(Target("r", "image", file_system="reiser5", refused="nobody has it"), work) == "nobody has it"
    )


@pytest.mark.needs("an ordinary user", package=None)
def test_an_image_wants_root(work: WorkDirectory) -> None:
    assert why_not_prepared(image(), work) == "image files and devices can be mounted only by root"


@root
def test_a_missing_mkfs_is_named_with_its_package(work: WorkDirectory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.setattr("benchagent.system.programs.ADMIN_PATHS", "/nonexistent")
    assert why_not_prepared(image("btrfs"), work) == "mkfs.btrfs is not installed (Debian package: btrfs-progs)"

"""The file systems that this machine can make and mount."""

from pathlib import Path

import pytest

from benchagent.filesystems import FileSystemType, made
from benchagent.system.programs import version_of
from benchagent.targets.file_systems import known_to_kernel


@pytest.fixture
def proc(tmp_path: Path) -> Path:
    (tmp_path / "proc/sys/kernel").mkdir(parents=True)
    (tmp_path / "proc/sys/kernel/osrelease").write_text("6.1.0-13-amd64\n")
    (tmp_path / "proc/filesystems").write_text("nodev\tsysfs\nnodev\ttmpfs\n\txfs\n")
    return tmp_path / "proc"


def add_module(modules: Path, name: str) -> None:
    directory = modules / "6.1.0-13-amd64/kernel/fs" / name
    directory.mkdir(parents=True)
    (directory / f"{name}.ko.xz").touch()


def test_what_is_registered_is_known(proc: Path, tmp_path: Path) -> None:
    assert known_to_kernel("xfs", proc, tmp_path / "modules")
    assert not known_to_kernel("btrfs", proc, tmp_path / "modules")


def test_a_module_that_is_not_loaded_counts(proc: Path, tmp_path: Path) -> None:
    add_module(tmp_path / "modules", "btrfs")
    assert known_to_kernel("btrfs", proc, tmp_path / "modules")


def test_the_module_ext4_mounts_its_elders_too(proc: Path, tmp_path: Path) -> None:
    add_module(tmp_path / "modules", "ext4")
    for each in ("ext2", "ext3", "ext4"):
        assert known_to_kernel(each, proc, tmp_path / "modules")
    assert not known_to_kernel("f2fs", proc, tmp_path / "modules")


@pytest.mark.parametrize(
    "file_system",
    [
        pytest.param(each, marks=pytest.mark.needs(each.program, package=each.package), id=each.name)
        for each in made()
        if each.name != "f2fs"
    ],
)
def test_mkfs_tells_its_version(file_system: FileSystemType) -> None:
    version = version_of(file_system.program)
    if file_system.name == "hfsplus":
        assert version is None  # its mkfs does not print one
        return
    assert version is not None
    assert version[0].isdigit()
    assert "." in version

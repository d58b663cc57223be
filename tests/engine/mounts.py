"""Directories for a test: file systems in image files (needs root and loop devices), and memory."""

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.waiting import wait_until

# The smallest sizes that mkfs accepts; ext file systems this small can be aged within a second.
SIZES = {"xfs": 300, "btrfs": 128}
PACKAGES = {"xfs": "xfsprogs", "btrfs": "btrfs-progs"}
OPTIONS = {"btrfs": ["--quiet"]}


def each(*file_systems: str) -> list[object]:
    """Parameters of a test, each skipped if its mkfs is not installed."""
    return [
        pytest.param(name, marks=pytest.mark.needs(f"mkfs.{name}", package=PACKAGES.get(name, "e2fsprogs")))
        for name in file_systems
    ]


@contextmanager
def mounted(file_system: str, work: Path, mebibytes: int = 32) -> Iterator[Path]:
    """An empty file system below `work`, always removed afterwards."""
    image, point = work / f"{file_system}.img", work / file_system
    point.mkdir()
    with image.open("wb") as file:
        file.truncate(SIZES.get(file_system, mebibytes) << 20)
    subprocess.run([f"mkfs.{file_system}", *OPTIONS.get(file_system, ["-q"]), image], check=True, capture_output=True)
    subprocess.run(["mount", "-o", "loop", image, point], check=True, capture_output=True)
    try:
        yield point
    finally:
        _unmount(point)
        image.unlink()


def _unmount(point: Path) -> None:
    """Unmount as soon as possible: the kernel frees the files of a ring of io_uring after the end of its process."""

    def unmounted() -> bool:
        done = subprocess.run(["umount", point], check=False, capture_output=True)
        assert done.returncode == 0 or b"busy" in done.stderr, done.stderr
        return done.returncode == 0

    wait_until(unmounted, say=lambda: f"{point} is still busy")


@contextmanager
def in_memory() -> Iterator[Path]:
    """A directory in memory, if the machine has one."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as directory:
        yield Path(directory)

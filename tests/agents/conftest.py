"""Fixtures for tests of targets and of the spool."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from benchagent.system.open_directory import opened
from benchagent.system.owned_directory import LOCK
from benchagent.targets import loop
from benchagent.targets.work_directory import WorkDirectory, clear
from tests.agents.support.spools import spool
from tests.agents.support.targets import block_device
from tests.engine.conftest import build, program
from tests.support.waiting import wait_until

__all__ = ["build", "program", "spool"]  # fixtures; the engine is built once per session


@pytest.fixture
def in_memory() -> Iterator[Path]:
    """A directory for tests that write much and sync often."""
    memory = Path("/dev/shm")
    with TemporaryDirectory(dir=memory if memory.is_dir() else None) as directory:
        yield Path(directory)


@pytest.fixture
def device(tmp_path: Path) -> Iterator[tuple[str, str]]:
    """A block device with the kernel's name of it."""
    with block_device(tmp_path) as found:
        yield found


@pytest.fixture
def work(tmp_path: Path) -> Iterator[WorkDirectory]:
    """The agent's own directory; nothing in it may be mounted or attached after the test."""
    with WorkDirectory(tmp_path / "work").opened() as work_directory:
        yield work_directory
        with suppress(AssertionError):  # the kernel detaches a device after its last user, such as blkid
            wait_until(lambda: not loop.loops_under(work_directory.path))
        left = (
            loop.mounts_under(work_directory.path),
            loop.loops_under(work_directory.path),
            os.listdir(work_directory.path),
        )
        with opened(work_directory.path) as directory:
            clear(directory, print)
    assert left == ([], [], [LOCK])

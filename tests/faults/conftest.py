"""Directories for the agents and the server that are killed, and the server."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.stack import Stack, running


@pytest.fixture
def base() -> Iterator[Path]:
    """A directory in memory if possible: a disk that flushes slowly makes the faults rarer."""
    shm = Path("/dev/shm")
    directory = Path(tempfile.mkdtemp(prefix="benchdb-faults-", dir=shm if os.access(shm, os.W_OK) else None))
    yield directory
    shutil.rmtree(directory)


@pytest.fixture
def stack(base: Path) -> Iterator[Stack]:
    with running(base / "var") as found:
        yield found

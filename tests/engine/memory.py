"""A directory in memory, if the machine has one: each test of these workloads ends with a syncfs, which may take long
on a disk that other programs write to.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

TMPFS = Path("/dev/shm")
LEAST = 1 << 30  # bytes; containers often have no more than 64 MiB


@contextmanager
def in_memory() -> Iterator[Path]:
    large = os.access(TMPFS, os.W_OK) and shutil.disk_usage(TMPFS).free >= LEAST
    folder = TMPFS if large else None
    with tempfile.TemporaryDirectory(prefix="fsload-tests.", dir=folder) as path:
        yield Path(path)


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A directory in memory, in place of pytest's."""
    with in_memory() as path:
        yield path

"""What tests of targets start from."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchagent import loop
from benchagent.cleaning import clear
from benchagent.owned import LOCK
from benchagent.workdir import WorkDirectory


@pytest.fixture
def work(tmp_path: Path) -> Iterator[WorkDirectory]:
    """The agent's own directory; nothing of it may be mounted or attached after the test."""
    with WorkDirectory(tmp_path / "work").opened() as found:
        yield found
        left = (loop.mounts_under(found.path), loop.loops_under(found.path), os.listdir(found.path))
        clear(found.path, print)
    assert left == ([], [], [LOCK])

"""Processes that a killed agent left running are ended, with those that they start meanwhile."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchagent.system.orphans import MARK, end_orphans, orphans
from tests.support.waiting import wait_until

# A thousand children, started one after the other as by iozone -t: each search misses some of them.
BREEDING = """
import os, time
for _ in range(1000):
    if os.fork() == 0:
        time.sleep(600)
    time.sleep(0.0005)
time.sleep(600)
"""


@pytest.fixture
def bred(tmp_path: Path) -> Iterator[Path]:
    """A directory in which a process with the agent's mark starts others."""
    environment = {**os.environ, MARK: "1"}
    with subprocess.Popen([sys.executable, "-c", BREEDING], cwd=tmp_path, env=environment) as process:
        wait_until(lambda: len(orphans(tmp_path)) > 3)
        yield tmp_path
        end_orphans(tmp_path)
        process.kill()


def test_what_is_started_while_others_are_killed_is_killed_too(bred: Path) -> None:
    assert len(end_orphans(bred)) > 3
    assert orphans(bred) == []


def test_processes_elsewhere_and_without_the_mark_are_left_alone(bred: Path, tmp_path: Path) -> None:
    other = tmp_path.parent / f"{tmp_path.name}-other"
    other.mkdir()
    unmarked = {name: value for name, value in os.environ.items() if name != MARK}
    sleeping = [sys.executable, "-c", "import time; time.sleep(600)"]
    with (
        subprocess.Popen(sleeping, cwd=other, env={**unmarked, MARK: "1"}) as elsewhere,
        subprocess.Popen(sleeping, cwd=tmp_path, env=unmarked) as foreign,
    ):
        try:
            end_orphans(bred)
            assert (elsewhere.poll(), foreign.poll()) == (None, None)
        finally:
            elsewhere.kill()
            foreign.kill()


@pytest.mark.needs("root", package=None)
def test_processes_of_other_users_are_left_alone(tmp_path: Path) -> None:
    """Any user can give a process the mark and, in a namespace of its own, any working directory."""
    environment = {**os.environ, MARK: "1"}
    with subprocess.Popen(["/bin/sleep", "600"], cwd=tmp_path, env=environment, user=65534) as foreign:
        try:
            assert end_orphans(tmp_path) == []
            assert foreign.poll() is None
        finally:
            foreign.kill()

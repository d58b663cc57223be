"""Disks that fill up or fail while the agent measures: the results stay, and nothing is left behind."""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchagent.system.owned_directory import LOCK
from benchagent.targets import loop
from tests.agents.measuring.test_run import DIRECTORY, WORKLOAD, Agent
from tests.agents.support.targets import small_disk
from tests.support.waiting import wait_until

pytestmark = [
    pytest.mark.needs("root", package=None),
    pytest.mark.needs("iozone", package="iozone3"),
]
# A sparse image that may grow to ten times the free space.
LARGE = """
[[targets]]
kind = "image"
size = "512 MiB"
file_system = "ext4"

[[workloads]]
tool = "iozone"
file_sizes = ["128 MiB"]
record_sizes = ["1 MiB"]
tests = ["write"]
fsync = true
"""


@pytest.fixture
def agent(tmp_path: Path) -> Agent:
    return Agent(tmp_path)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 48 MiB."""
    with small_disk(tmp_path / "disk", "48m") as mount:
        yield mount


def points(spool: Path) -> set[str]:
    return {json.loads(path.read_text())["campaign"]["point"] for path in (spool / "pending").iterdir()}


@pytest.mark.needs("loop devices", package=None)
def test_an_image_that_fills_the_spools_disk(agent: Agent, disk: Path) -> None:
    """The tool or its file system fails; the documents use the space reserved for them."""
    agent.environment["BENCHAGENT_STATE"] = str(disk / "state")
    done = agent("run", agent.plan("rounds = 1\n" + LARGE))
    assert done.returncode in (0, 4), done.stderr
    assert points(disk / "state/spool") == {"ext4/mkfs", "ext4/iozone"}
    assert loop.mounts_under(disk) == []
    wait_until(lambda: not loop.loops_under(disk))
    assert os.listdir(disk / "state/work") == [LOCK]


def test_rounds_that_the_spool_has_no_room_for_wait_in_memory(agent: Agent, disk: Path) -> None:
    """The message comes once and measuring continues; here, space is free again after the third round."""
    spool = disk / "spool"
    spool.mkdir()
    filler = disk / "filler"
    filler.write_bytes(b"x" * (4096 * (os.statvfs(disk).f_bavail - 512)))
    tool = agent.state.parent / "tool"
    tool.write_text(
        "#!/bin/sh\nyes 'this is no result' | head -c 3000000\n"
        f"echo >> {disk}/rounds; [ $(wc -l < {disk}/rounds) -lt 3 ] || rm {filler}\n"
    )
    tool.chmod(0o755)
    agent.environment["BENCHAGENT_FSLOAD"] = str(tool)
    done = agent.run("rounds = 3\n" + DIRECTORY + WORKLOAD.replace("iozone", "fsload"), "--spool", str(spool))
    assert done.returncode == 4, done.stderr
    assert done.stderr.count("No space left on device. Rounds stay in memory until there is room") == 1
    (document,) = [json.loads(path.read_text()) for path in (spool / "pending").iterdir()]
    assert len(document["rounds"]) == 3
    assert os.listdir(spool / "running") == []


def test_a_full_spool_is_said_before_anything_is_measured(agent: Agent, disk: Path) -> None:
    spool = disk / "spool"
    spool.mkdir()
    (disk / "filler").write_bytes(b"x" * (4096 * (os.statvfs(disk).f_bavail - 100)))
    done = agent.run("rounds = 1\n" + DIRECTORY + WORKLOAD, "--spool", str(spool))
    assert done.returncode == 6
    assert (
        "has no room: this plan's documents may take 1 MiB, and 0.4 MiB are free. Nothing was measured." in done.stderr
    )
    assert "round 1" not in done.stderr
    assert points(spool) == set()


def test_a_read_only_spool_is_said_before_anything_is_measured(agent: Agent, disk: Path) -> None:
    spool = disk / "spool"
    assert agent("status", "--spool", str(spool)).returncode == 0
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    done = agent.run("rounds = 1\n" + DIRECTORY + WORKLOAD, "--spool", str(spool))
    assert done.returncode == 6
    assert "Read-only file system" in done.stderr
    assert "round 1" not in done.stderr
    assert agent("status", "--spool", str(spool)).returncode == 0

"""`benchagent clean`: it undoes and lists what a killed agent left, and leaves running agents alone."""

import json
import os
import subprocess
import sys
from pathlib import Path

from benchagent.system.owned_directory import LOCK, owned
from benchagent.targets import loop
from tests.agents.support.targets import AGENTS, killed
from tests.agents.targets.test_prepare import loop_devices, root
from tests.texts import missing_in


def clean(work: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "benchagent", "clean", "--work-dir", str(work), *arguments]
    environment = {**os.environ, "PYTHONPATH": str(AGENTS)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@root
@loop_devices
def test_what_is_undone_is_told(in_memory: Path) -> None:
    work = in_memory / "work"
    with killed(work, '"t", "image", size=2**27, file_system="ext4"'):
        done = clean(work)
    assert done.returncode == 0, done.stderr
    assert f"An earlier run was killed; unmounted {work}/t.mnt." in done.stderr
    assert (loop.mounts_under(work), loop.loops_under(work), os.listdir(work)) == ([], [], [LOCK])
    assert clean(work).stderr == f"Nothing was left behind in {work}.\n"


@root
@loop_devices
def test_what_is_stuck_is_told_with_the_rest(in_memory: Path) -> None:
    work = in_memory / "work"
    with killed(work, '"t", "image", size=2**27, file_system="ext4"'):
        shell = subprocess.Popen(["sleep", "1000"], cwd=work / "t.mnt")
        done = clean(work)
        shell.kill()
        shell.wait()
    assert done.returncode == 5
    assert not missing_in(done.stderr, f"used by process {shell.pid} (sleep)", f"removed {work}/t.img")
    assert clean(work).returncode == 0


def test_events_for_programs(in_memory: Path) -> None:
    work = in_memory / "work"
    with owned(work):
        (work / "x.img").touch()
    events = [json.loads(line) for line in clean(work, "--json").stdout.splitlines()]
    assert [event["event"] for event in events] == ["events", "cleared", "cleaned"]
    assert (events[1]["what"], events[2]["undone"]) == (f"removed {work}/x.img", 1)


def test_a_directory_that_is_not_there_is_not_made(in_memory: Path) -> None:
    assert clean(in_memory / "none").returncode == 0
    assert os.listdir(in_memory) == []


def test_where_an_agent_works_nothing_is_undone(in_memory: Path) -> None:
    work = in_memory / "work"
    with owned(work):
        (work / "x.img").touch()
        done = clean(work)
        assert (work / "x.img").exists()
    assert done.returncode == 5
    assert "Another benchagent is using" in done.stderr


def test_somebody_elses_directory_is_left_alone(in_memory: Path) -> None:
    (in_memory / "mine").touch()
    done = clean(in_memory)
    assert done.returncode == 5
    assert "not marked as benchagent's own" in done.stderr
    assert os.listdir(in_memory) == ["mine"]

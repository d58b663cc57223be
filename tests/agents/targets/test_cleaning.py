"""Everything that an agent killed with SIGKILL leaves is undone, for each kind of target and setting."""

import json
import os
import signal
import subprocess
from contextlib import ExitStack
from pathlib import Path

import pytest

from benchagent.errors import NotUndone, PreparationError
from benchagent.plan.model import Target
from benchagent.system.interrupts import held
from benchagent.system.journal import JOURNAL, Journal
from benchagent.system.open_directory import OpenDirectory
from benchagent.system.orphans import MARK, orphans
from benchagent.system.owned_directory import LOCK, owned
from benchagent.targets import loop
from benchagent.targets.prepare import SCRATCH_NAME, prepared
from benchagent.targets.tunables import remember
from benchagent.targets.work_directory import WorkDirectory, clear
from tests.agents.support.targets import block_device, killed, preparing, queue, settings
from tests.agents.targets.test_prepare import image, loop_devices, no_tick, root
from tests.support.waiting import wait_until

pytestmark = [root, loop_devices]
controller = pytest.mark.needs("memory controller", package=None)
TUNED = 'read_ahead=2**23, scheduler="mq-deadline", nr_requests=64'


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait for other users of a target."""
    monkeypatch.setattr(loop, "PATIENCE", 0.1)


def cleared(work: Path) -> list[str]:
    """The messages of the next start, which undoes everything."""
    told: list[str] = []
    with owned(work) as directory:
        clear(directory, told.append)
    wait_until(lambda: not loop.loops_under(work))  # the kernel detaches a device after its last user
    assert (loop.mounts_under(work), orphans(work), os.listdir(work)) == ([], [], [LOCK])
    return told


def test_an_image_with_tunables(in_memory: Path) -> None:
    work = in_memory / "work"
    with killed(work, f'"t", "image", size=2**27, file_system="ext4", {TUNED}'):
        [entry] = entries(work)
        [device] = loop.loops_under(work)
        assert settings(queue(str(device)))["read_ahead_kb"] == "8192"
        told = cleared(work)
        now = settings(queue(str(device)))
    assert {name: now[name] for name in ("nr_requests", "read_ahead_kb")}.items() <= entry["old"].items()
    assert f"[{entry['old']['scheduler']}]" in now["scheduler"]
    told = [words for words in told if not words.startswith("ended process")]
    assert told[0] == f"unmounted {work}/t.mnt"
    assert told[1].startswith("restored scheduler, nr_requests, read_ahead_kb of loop") or "restored" in told[1]
    assert told[2:] == [f"detached {device}", f"removed {work}/t.img", f"removed {work}/t.mnt"]


def test_a_device_with_tunables(in_memory: Path) -> None:
    with block_device(in_memory) as (path, node):
        before = settings(queue(node))
        work = in_memory / "work"
        with killed(work, f'"t", "device", "{path}", file_system="ext4", {TUNED}'):
            assert settings(queue(node)) != before
            told = cleared(work)
        assert f"unmounted {work}/t.mnt" in told
        assert settings(queue(node)) == before


@pytest.mark.parametrize("file_system", ["ext4", "btrfs"])
def test_a_directory_with_tunables(in_memory: Path, file_system: str) -> None:
    """The agent's own directory inside the target and the processes in it are removed, too."""
    with (
        WorkDirectory(in_memory / "below").opened() as below,
        prepared(image(file_system), below, no_tick) as prepared_target,
    ):
        [device] = loop.loops_under(below.path)
        before = settings(queue(str(device)))
        work = in_memory / "work"
        with killed(work, f'"t", "directory", "{prepared_target.directory}", {TUNED}'):
            assert SCRATCH_NAME in os.listdir(prepared_target.directory)
            told = cleared(work)
        assert f"removed {prepared_target.directory}/{SCRATCH_NAME}" in told
        assert SCRATCH_NAME not in os.listdir(prepared_target.directory)
        assert settings(queue(str(device))) == before


@controller
def test_a_memory_limit(in_memory: Path) -> None:
    work = in_memory / "work"
    with killed(work, '"t", "image", size=2**27, file_system="ext4"', memory=2**26):
        [entry] = entries(work)
        assert Path(entry["path"]).is_dir()
        assert f"removed the control group {entry['path']}" in cleared(work)
        assert not Path(entry["path"]).exists()


@pytest.mark.needs("cc", package="gcc")
def test_an_aged_image(in_memory: Path, program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHAGENT_FSLOAD", str(program))
    work = in_memory / "work"
    age = '{"profile": "developer", "fullness": 0.2, "overwrites": 0.2}'
    with killed(work, f'"t", "image", size=2**28, file_system="ext4", age={age}'):
        assert f"removed {work}/t.aged" in cleared(work)


@controller
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_nothing_to_undo(in_memory: Path, number: signal.Signals) -> None:
    with block_device(in_memory) as (path, node):
        before = remember(queue(node))
        target = f'"t", "device", "{path}", file_system="btrfs", {TUNED}'
        with preparing(in_memory / "work", target, memory=2**26) as agent:
            [group] = [Path(entry["path"]) for entry in entries(in_memory / "work") if entry["undo"] == "control_group"]
            agent.send_signal(number)
            assert agent.wait(60) == 128 + number
        assert not group.exists()
        assert loop.mounts_under(in_memory) == []
        assert os.listdir(in_memory / "work") == [LOCK]
        assert remember(queue(node)) == before


def entries(work: Path) -> list[dict[str, str]]:
    """The entries of the journal."""
    return [json.loads(line) for line in (work / JOURNAL).read_text().splitlines()]


def test_a_tool_that_went_into_the_background(in_memory: Path) -> None:
    with WorkDirectory(in_memory / "work").opened() as work:
        point = work.path / "t.mnt"
        with prepared(Target("t", "image", size=2**27, file_system="ext4"), work, no_tick):
            command = ["setsid", "sleep", "1000"]
            sleeper = subprocess.Popen(command, cwd=point, env={**os.environ, MARK: "1"})
        assert sleeper.wait(10) == -9
        assert loop.mounts_under(work.path) == []


def test_what_holds_a_mount_is_named_and_the_rest_undone(in_memory: Path, impatient: None) -> None:
    """A user's shell in the target is not ended, so the mount stays."""
    work = WorkDirectory(in_memory / "work")
    point = work.path / "t.mnt"
    target = Target("t", "image", size=2**27, file_system="ext4", read_ahead=2**23)
    with ExitStack() as undoing:
        undoing.enter_context(work.opened())
        undoing.enter_context(prepared(target, work, no_tick))
        [device] = loop.loops_under(work.path)
        [entry] = work.journal.entries
        shell = subprocess.Popen(["sleep", "1000"], cwd=point)
        with pytest.raises(NotUndone) as stuck:
            undoing.close()
    try:
        assert f"Cannot unmount {point}: it is used by process {shell.pid} (sleep)." in str(stuck.value)
        assert settings(queue(str(device)))["read_ahead_kb"] == entry["old"]["read_ahead_kb"]
        assert Journal(work.path).entries == ()
        with pytest.raises(NotUndone, match=f"process {shell.pid}"), work.opened():
            pass
    finally:
        shell.kill()
        shell.wait()
    assert cleared(work.path)[0] == f"unmounted {point}"


def test_a_mount_inside_a_mount_is_named(in_memory: Path, impatient: None) -> None:
    point, inner = in_memory / "point", in_memory / "point" / "inner"
    point.mkdir()
    loop.tool("mount", "-t", "tmpfs", "tmpfs", str(point))
    inner.mkdir()
    loop.tool("mount", "-t", "tmpfs", "tmpfs", str(inner))
    try:
        with pytest.raises(PreparationError, match=f"used by the mount {inner}"):
            loop.unmount(point)
    finally:
        loop.unmount(inner)
        loop.unmount(point)


def test_what_was_noted_and_never_done_is_nothing_to_tell(in_memory: Path) -> None:
    with owned(in_memory / "work") as work, block_device(in_memory) as (_, node):
        journal = Journal(work.path)
        journal.note("queue", path=str(queue(node)), old={"read_ahead_kb": settings(queue(node))["read_ahead_kb"]})
        journal.note("control_group", path="/sys/fs/cgroup/none")
        journal.note("scratch", path=str(in_memory / "none"))
        assert cleared_here(work) == []


def test_what_an_earlier_start_of_the_machine_changed_is_no_longer_so(in_memory: Path) -> None:
    with owned(in_memory / "work") as work, block_device(in_memory) as (_, node):
        before = settings(queue(node))
        Journal(work.path).note("queue", path=str(queue(node)), old={"read_ahead_kb": "64"})
        file = work.path / JOURNAL
        entry = json.loads(file.read_text())
        file.write_text(json.dumps({**entry, "boot": "another"}) + "\n")
        assert cleared_here(work) == []
        assert settings(queue(node)) == before


def test_a_broken_journal_keeps_nothing_else_from_being_undone(in_memory: Path) -> None:
    with owned(in_memory / "work") as work:
        (work.path / JOURNAL).write_text("{")
        (work.path / "x.img").touch()
        told: list[str] = []
        with pytest.raises(NotUndone, match="undo by hand what it names"):
            clear(work, told.append)
        assert told == [f"removed {work.path}/x.img"]


def test_a_scratch_directory_without_our_mark_stays(in_memory: Path) -> None:
    (in_memory / "mine" / SCRATCH_NAME / "inside").mkdir(parents=True)
    with owned(in_memory / "work") as work, held:
        Journal(work.path).note("scratch", path=str(in_memory / "mine" / SCRATCH_NAME))
        assert cleared_here(work) == []
    assert os.listdir(in_memory / "mine" / SCRATCH_NAME) == ["inside"]


@pytest.mark.parametrize("kind", ["directory", "link"])
def test_a_scratch_directory_of_another_user_stays_and_stops_nothing(in_memory: Path, kind: str) -> None:
    """Made in a directory with the sticky bit, after the agent's own was gone."""
    scratch = in_memory / "shared" / SCRATCH_NAME
    (in_memory / "others").mkdir()
    (in_memory / "others" / LOCK).touch()
    scratch.parent.mkdir()
    scratch.parent.chmod(0o1777)
    if kind == "link":
        scratch.symlink_to(in_memory / "others")
    else:
        (in_memory / "others").rename(scratch)
    os.chown(scratch, 65534, 65534, follow_symlinks=False)
    with owned(in_memory / "work") as work:
        Journal(work.path).note("scratch", path=str(scratch))
        assert cleared_here(work) == []
    assert os.listdir(scratch) == [LOCK]


def test_a_scratch_directory_that_was_not_marked_yet_goes(in_memory: Path) -> None:
    (in_memory / SCRATCH_NAME).mkdir()
    with owned(in_memory / "work") as work:
        Journal(work.path).note("scratch", path=str(in_memory / SCRATCH_NAME))
        assert cleared_here(work) == [f"removed {in_memory / SCRATCH_NAME}"]


def test_a_work_directory_behind_a_link(in_memory: Path) -> None:
    """The kernel names mounts without links; leftovers are found nevertheless."""
    (in_memory / "real").mkdir()
    (in_memory / "link").symlink_to(in_memory / "real")
    with killed(in_memory / "link" / "work", '"t", "image", size=2**27, file_system="ext4"'):
        told: list[str] = []
        with WorkDirectory(in_memory / "link" / "work").opened(told.append) as work:
            assert work.path == in_memory / "real" / "work"
            assert f"unmounted {work.path / 't.mnt'}" in told


def test_it_touches_nothing_else(in_memory: Path) -> None:
    other = in_memory / "other.img"
    with open(other, "wb") as file:
        file.truncate(2**20)
    foreign = loop.attach(other)
    try:
        with owned(in_memory / "work") as work:
            (work.path / "x.img").write_bytes(b"\0" * 2**20)
            (work.path / "x.mnt").mkdir()
            device = loop.attach(work.path / "x.img")
            removed = [f"removed {work.path}/x.img", f"removed {work.path}/x.mnt"]
            assert cleared_here(work) == [f"detached {device}", *removed]
        assert loop.loops_under(in_memory) == [foreign]
    finally:
        loop.detach(foreign)


def cleared_here(work: OpenDirectory) -> list[str]:
    """The messages about what is undone in a directory that the test itself owns."""
    told: list[str] = []
    clear(work, told.append)
    assert work.names() == [LOCK]
    return told

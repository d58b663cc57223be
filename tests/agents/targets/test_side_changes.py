"""What a side of a gate changes for a visit, and that it is undone: also after a failure, and after a kill."""

from pathlib import Path

import pytest

from benchagent.errors import NotUndone, PreparationError
from benchagent.plan.model import GateSide, KernelModule, Target
from benchagent.system.programs import find_program
from benchagent.targets import side_commands
from benchagent.targets.journal_undo import SIDE
from benchagent.targets.preparable import why_not_prepared
from benchagent.targets.prepare import changed, prepared
from benchagent.targets.work_directory import WorkDirectory


def no_tick() -> None:
    pass


def executable(path: Path, script: str) -> str:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o700)
    return str(path)


def test_setup_is_in_force_inside_and_undone_after(tmp_path: Path) -> None:
    flag, target = tmp_path / "flag", tmp_path / "target"
    target.mkdir()
    side = GateSide("new", setup=f"echo on > {flag}", undo=f"rm {flag}")
    with WorkDirectory(tmp_path / "work").opened() as work:
        with prepared(Target("d-new", "directory", path=str(target), side=side), work, no_tick):
            assert flag.read_text() == "on\n"
        assert not flag.exists()
        assert work.journal.entries == ()


def test_failed_setup_is_told_and_undone(tmp_path: Path) -> None:
    done = tmp_path / "done"
    side = GateSide("new", setup="echo broken >&2; exit 3", undo=f"touch {done}")
    with WorkDirectory(tmp_path / "work").opened() as work:
        with pytest.raises(PreparationError, match=r"broken \(exit code 3\)"), changed(side, work, no_tick):
            pytest.fail("the side was used")
        assert done.exists()


def test_failed_undo_ends_the_run_and_stays_in_the_journal(tmp_path: Path) -> None:
    with WorkDirectory(tmp_path / "work").opened() as work:
        with pytest.raises(NotUndone, match="exit code 1"), changed(GateSide("new", undo="exit 1"), work, no_tick):
            pass
        assert len(work.journal.entries) == 1
        work.journal.forget(work.journal.entries[0])


def test_next_run_undoes_the_setup_of_a_killed_one(tmp_path: Path) -> None:
    flag, told = tmp_path / "flag", list[str]()
    flag.touch()
    with WorkDirectory(tmp_path / "work").opened() as work:
        work.journal.note(SIDE, "new", {side_commands.COMMAND: f"rm {flag}"})
    with WorkDirectory(tmp_path / "work").opened(told.append):
        assert not flag.exists()
    assert "undid the setup of side new" in told


def test_programs_of_a_side_are_found_first_and_nowhere_else(tmp_path: Path) -> None:
    own = executable(tmp_path / "fio", "true")
    usual = find_program("sh")
    with WorkDirectory(tmp_path / "work").opened() as work:
        with changed(GateSide("new", programs=(("sh", own),)), work, no_tick):
            assert find_program("sh") == own
        assert find_program("sh") == usual
        with changed(GateSide("new", programs=(("sh", str(tmp_path / "none")),)), work, no_tick):
            assert find_program("sh") is None
        missing = GateSide("new", programs=(("fio", str(tmp_path / "none")),))
        target = Target("d-new", "directory", path=str(tmp_path), side=missing)
        assert why_not_prepared(target, work) == f"the fio of side new, {tmp_path}/none, is not an executable file"


def test_modules_are_loaded_in_place_of_those_with_their_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand-ins of insmod, modprobe and rmmod, because a container can load no module."""
    listed, log = tmp_path / "modules", tmp_path / "log"
    listed.write_text("my_fs 4096 0 - Live 0x0\n")
    monkeypatch.setattr(side_commands, "LOADED", listed)
    executable(tmp_path / "insmod", f'echo "insmod $@" >> {log}; echo "my_fs 1 0 - Live 0x0" > {listed}')
    executable(tmp_path / "modprobe", f'echo "modprobe $@" >> {log}; echo "my_fs 1 0 - Live 0x0" > {listed}')
    executable(tmp_path / "rmmod", f'echo "rmmod $@" >> {log}; : > {listed}')
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    new = GateSide("new", modules=(KernelModule("my-fs", "/opt/my-fs.ko", ("debug=1",)),))
    with WorkDirectory(tmp_path / "work").opened() as work:
        with changed(new, work, no_tick):
            assert side_commands.is_loaded("my-fs")
        with changed(GateSide("old", modules=(KernelModule("my-fs"),)), work, no_tick):
            pass

    lines = log.read_text().splitlines()
    assert lines == [
        *("rmmod my-fs", "insmod /opt/my-fs.ko debug=1", "rmmod my-fs"),
        *("modprobe my-fs", "rmmod my-fs"),
    ]

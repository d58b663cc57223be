"""Directories that belong only to the agent, and others."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchagent.errors import PreparationError, UnsafeDirectory
from benchagent.system.journal import JOURNAL, Journal
from benchagent.system.owned_directory import LOCK, MARK, contents, owned
from benchagent.system.state_directory import state_directory
from tests.agents.support.stranger import UID, owned_by_stranger, reachable

AGENTS = Path(__file__).parents[3] / "agents"


def test_makes_marks_and_locks_a_directory(tmp_path: Path) -> None:
    with owned(tmp_path / "a" / "work") as directory:
        assert (directory.path / LOCK).read_text() == MARK
        assert directory.path.stat().st_mode & 0o777 == 0o700
        assert contents(directory) == []
        with pytest.raises(PreparationError, match="Another benchagent"), owned(directory.path):
            pass


def test_takes_over_what_an_agent_left(tmp_path: Path) -> None:
    with owned(tmp_path / "work") as directory:
        (directory.path / "ext4.img").touch()
    with owned(tmp_path / "work") as directory:
        assert contents(directory) == ["ext4.img"]


def test_the_lock_ends_with_a_killed_agent(tmp_path: Path) -> None:
    code = (
        "import os, pathlib, signal, sys\nfrom benchagent.system.owned_directory import owned\n"
        "with owned(pathlib.Path(sys.argv[1])): os.kill(os.getpid(), signal.SIGKILL)"
    )
    environment = {**os.environ, "PYTHONPATH": str(AGENTS)}
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "work")], env=environment, check=False)
    assert (tmp_path / "work" / LOCK).exists()
    with owned(tmp_path / "work"):
        pass


def test_leaves_alone_what_is_not_marked(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(PreparationError, match="not marked"), owned(tmp_path):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_refuses_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    with pytest.raises(PreparationError, match="is a symbolic link"), owned(tmp_path / "link"):
        pass


def test_refuses_a_directory_that_others_may_write_into(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work").chmod(0o777)
    with pytest.raises(PreparationError, match=r"Others may write into .*chmod 700"), owned(tmp_path / "work"):
        pass
    assert list((tmp_path / "work").iterdir()) == []


@pytest.mark.needs("root", package=None)
def test_refuses_what_belongs_to_another_user(tmp_path: Path) -> None:
    os.chown(tmp_path, 12345, 12345)
    with pytest.raises(PreparationError, match="belongs to another user"), owned(tmp_path):
        pass


def test_says_why_it_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(PreparationError, match="Cannot create"), owned(tmp_path / "file" / "work"):
        pass


@pytest.mark.needs("root", package=None)
def test_refuses_a_directory_below_that_of_another_user() -> None:
    """Its owner can replace what lies in it, although it belongs to root."""
    with reachable() as base:
        (owned_by_stranger(base / "theirs") / "work").mkdir(mode=0o700)
        with (
            pytest.raises(UnsafeDirectory, match=f"{base}/theirs belongs to another user"),
            owned(base / "theirs/work"),
        ):
            pass
        assert list((base / "theirs/work").iterdir()) == []


@pytest.mark.needs("root", package=None)
@pytest.mark.parametrize("name", [LOCK, JOURNAL])
def test_refuses_a_lock_and_a_journal_that_another_user_has_put_there(tmp_path: Path, name: str) -> None:
    """The directory may have been open to others before somebody took their rights."""
    (tmp_path / LOCK).touch()
    (tmp_path / name).write_text("")
    os.chown(tmp_path / name, UID, UID)
    with pytest.raises(PreparationError, match="another user"), owned(tmp_path) as directory:
        Journal(directory.path)


def test_the_state_directory_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BENCHAGENT_STATE", str(tmp_path))
    assert state_directory() == tmp_path
    monkeypatch.delenv("BENCHAGENT_STATE")
    assert state_directory().name == "benchagent"

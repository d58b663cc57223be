"""The files of running campaigns: complete from the start, and left alone while they are locked."""

import os
import stat
from pathlib import Path

import pytest

from benchagent.errors import SpoolError
from benchagent.spool.running_files import Running


def test_a_file_is_whole_for_us_alone_and_locked(tmp_path: Path) -> None:
    running = Running(tmp_path)
    file = running.create("one", b"begun")
    assert file.path.read_bytes() == b"begun"
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600
    assert os.listdir(running.directory) == ["one"]
    assert list(Running(tmp_path).abandoned()) == []
    file.release()
    (abandoned,) = Running(tmp_path).abandoned()
    assert abandoned.campaign_id == "one"
    assert list(Running(tmp_path).abandoned()) == []  # another process already cleans up
    abandoned.remove()
    assert os.listdir(running.directory) == []


def test_what_a_killed_agent_had_only_begun_goes(tmp_path: Path) -> None:
    running = Running(tmp_path)
    running.create("one", b"").release()
    (running.directory / ".tmp-1-aa").touch()
    assert [each.campaign_id for each in running.abandoned()] == ["one"]
    assert os.listdir(running.directory) == ["one"]


def test_a_link_is_not_followed_and_keeps_nobody_from_the_others(tmp_path: Path) -> None:
    running = Running(tmp_path)
    running.create("two", b"").release()
    (tmp_path / "elsewhere").touch()
    (running.directory / "one").symlink_to(tmp_path / "elsewhere")
    abandoned = running.abandoned()
    assert next(abandoned).campaign_id == "two"
    with pytest.raises(SpoolError, match="symbolic links"):
        next(abandoned)


def test_a_spool_without_campaigns(tmp_path: Path) -> None:
    assert list(Running(tmp_path).abandoned()) == []
    assert os.listdir(tmp_path) == []

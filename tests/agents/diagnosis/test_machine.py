"""Rights, space, loop devices, memory limits and the config file."""

import os
from pathlib import Path

import pytest

from benchagent.diagnosis import FindingState, machine
from tests.agents.support.stranger import owned_by_stranger, reachable

root = pytest.mark.needs("root")


def test_everything_is_looked_at(tmp_path: Path) -> None:
    names = [finding.what for finding in machine.machine(tmp_path)]
    assert names == ["Python", "root", "loop devices", "memory limit", "free space", "config file"]


def test_root() -> None:
    assert (machine.root().state is FindingState.OK) == (os.geteuid() == 0)


def test_loop_devices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "LOOP_CONTROL", tmp_path / "loop-control")
    assert machine.loop_devices().state is FindingState.MISSING
    assert "modprobe loop" in machine.loop_devices().detail
    (tmp_path / "loop-control").touch()
    assert machine.loop_devices().state is FindingState.OK


def test_space_is_that_of_the_place_where_images_will_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert machine.space(tmp_path / "not" / "yet").detail.endswith(f" in {tmp_path}")
    monkeypatch.setattr(machine, "ENOUGH", 1 << 80)
    found = machine.space(tmp_path)
    assert found.state is FindingState.MISSING
    assert "--work-dir" in found.detail


def test_a_memory_limit_that_can_be_made_says_where() -> None:
    found = machine.memory_limit()
    assert (found.state is FindingState.OK) == found.detail.startswith("/")


def test_a_config_file_with_faults_is_quoted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHAGENT_CONFIG", str(tmp_path / "config.toml"))
    (tmp_path / "config.toml").write_text("sever = 1\n")
    finding = machine.config_file()
    assert finding.state is FindingState.MISSING
    assert "sever" in finding.detail
    (tmp_path / "config.toml").write_text("")
    assert machine.config_file().detail == str(tmp_path / "config.toml")


@root
def test_directories_that_other_users_can_replace(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with reachable() as base:
        theirs = owned_by_stranger(base / "theirs")
        assert f"because {theirs} belongs to another user" in machine.space(theirs / "work").detail
        monkeypatch.setenv("BENCHAGENT_CONFIG", str(tmp_path / "config.toml"))
        (tmp_path / "config.toml").write_text(f'[targets]\ndirectories = ["{base}", "{theirs}"]\n')
        finding = machine.config_file()
        assert finding.state is FindingState.MISSING
        assert f"because {theirs} belongs to another user" in finding.detail

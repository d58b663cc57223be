"""Every option and variable that names a place for root's files: one that another user can replace is refused."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from benchagent.cli import main
from tests.agents.support.stranger import UID, names, owned_by_stranger, reachable

pytestmark = pytest.mark.needs("root", package=None)
UNSAFE, FAULTY = 16, 12
PLAN = """
name = "x"
rounds = 1
[[targets]]
kind = "directory"
[[workloads]]
tool = "fsload"
file_sizes = ["1 MiB"]
record_sizes = ["4 KiB"]
"""


@pytest.fixture
def theirs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A directory of another user; the agent's own state is elsewhere."""
    for name in ("BENCHAGENT_CONFIG", "BENCHAGENT_SPOOL", "BENCHAGENT_SERVER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("BENCHAGENT_STATE", str(tmp_path / "state"))
    (tmp_path / "plan.toml").write_text(PLAN)
    monkeypatch.chdir(tmp_path)
    with reachable() as base:
        yield owned_by_stranger(base / "theirs")


@pytest.mark.parametrize(
    "command",
    [
        ["status", "--spool", "{}"],
        ["show", "--spool", "{}"],
        ["run", "plan.toml", "--directory", ".", "--spool", "{}/spool"],
        ["run", "plan.toml", "--directory", ".", "--work-dir", "{}/work"],
        ["clean", "--work-dir", "{}/work"],
        ["detect", "--record", "{}/tree", "."],
        ["service", "plan.toml", "--directory", ".", "--write", "{}"],
    ],
    ids=lambda command: " ".join(command),
)
def test_an_option_names_it(theirs: Path, command: Sequence[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([word.format(theirs) for word in command]) == UNSAFE
    assert f"{theirs} belongs to another user" in capsys.readouterr().err
    assert names(theirs) == []


@pytest.mark.parametrize("name", ["BENCHAGENT_STATE", "BENCHAGENT_SPOOL"])
def test_a_variable_names_it(
    theirs: Path, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(name, str(theirs / "inside"))
    assert main(["status"]) == UNSAFE
    assert f"{theirs} belongs to another user" in capsys.readouterr().err
    assert names(theirs) == []


def test_a_config_file_of_another_user(
    theirs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (theirs / "config.toml").write_text("[targets]\nimages = true\n")
    monkeypatch.setenv("BENCHAGENT_CONFIG", str(theirs / "config.toml"))
    assert main(["config", "check"]) == FAULTY
    assert "Root does not use it, because" in capsys.readouterr().err
    assert main(["config", "check", str(theirs / "config.toml")]) == 0, "to check another file is harmless"
    monkeypatch.setenv("BENCHAGENT_CONFIG", "/dev/null")
    assert main(["config", "check"]) == 0


def test_a_spool_whose_folder_is_a_link_of_another_user(tmp_path: Path, theirs: Path) -> None:
    (tmp_path / "spool").mkdir(mode=0o700)
    (tmp_path / "spool/pending").symlink_to(theirs)
    os.lchown(tmp_path / "spool/pending", UID, UID)
    assert main(["status", "--spool", str(tmp_path / "spool")]) == UNSAFE

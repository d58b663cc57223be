"""`config check`, and the settings that other commands take from the config file."""

import argparse
import json
from pathlib import Path

import pytest

from benchagent.cli import main
from benchagent.commands import servers
from benchagent.config import work_directory
from benchagent.errors import UsageError
from tests.texts import missing_in

CONFIG = """
server = "https://bench.example.org"
token_file = "token"
work_dir = "/srv/bench/work"

[targets]
directories = ["/srv/bench"]
devices = ["/dev/disk/by-id/ata-ONE", "/dev/disk/by-id/ata-TWO"]
wipe = ["/dev/disk/by-id/ata-TWO"]

[declare.raid]
disk = "No such model"
level = "raid6"
"""


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("BENCHAGENT_SERVER", "BENCHAGENT_TOKEN", "BENCHAGENT_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("BENCHAGENT_STATE", str(tmp_path))
    (tmp_path / "token").write_text("secret-of-the-file\n")
    path = tmp_path / "config.toml"
    path.write_text(CONFIG)
    return path


def given(**options: object) -> argparse.Namespace:
    return argparse.Namespace(**{"server": None, "token_file": None, **options})


class TestCheck:
    def test_for_people(self, config: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["config", "check"]) == 0
        text = capsys.readouterr().out
        assert not missing_in(
            text.splitlines(),
            f"File            {config}",
            "Server          https://bench.example.org",
            f"Token file      {config.parent}/token",
            "Scheduled work  /srv/bench",
            "                /dev/disk/by-id/ata-ONE",
            "                /dev/disk/by-id/ata-TWO (and destroy what is on it)",
            "Declared        raid: 1",
            "Config file     declare.raid fits nothing on this machine",
        )

    def test_for_programs(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["config", "check", "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["schema"], found["targets"]["wipe"]) == ("benchagent.config/1", ["/dev/disk/by-id/ata-TWO"])
        assert (found["declared_of_nothing"], found["contradictions"]) == (["declare.raid"], [])

    def test_a_file_that_is_not_in_use(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "other.toml").write_text("")
        assert main(["config", "check", str(tmp_path / "other.toml")]) == 0
        assert "Scheduled work  may touch nothing" in capsys.readouterr().out

    def test_a_faulty_one(self, config: Path, capsys: pytest.CaptureFixture[str]) -> None:
        config.write_text("serve = 1\n[declare.raid]\nlevel = 6\n")
        assert main(["config", "check"]) == 12
        said = capsys.readouterr().err
        assert not missing_in(said, "declare.raid.disk", "declare.raid.level is 6", "serve is 1")

    def test_one_that_is_not_there(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["config", "check", "/nonexistent.toml"]) == 12
        assert "No such file" in capsys.readouterr().err

    def test_no_command_goes_on_with_a_faulty_one(self, config: Path, capsys: pytest.CaptureFixture[str]) -> None:
        config.write_text("server = 7")
        for arguments in (["detect"], ["upload"], ["run", "directory", "--directory", str(config.parent)]):
            assert main(arguments) == 12
            assert "server is 7" in capsys.readouterr().err


class TestWhatOthersTake:
    def test_server_and_token(self) -> None:
        client = servers.open_client(given())
        assert client is not None
        assert "secret-of-the-file" in vars(client).values()

    def test_another_server_does_not_get_the_token(self) -> None:
        with pytest.raises(UsageError, match="There is no token"):
            servers.open_client(given(server="https://elsewhere.example.org"))

    def test_options_win_over_the_environment_and_this_over_the_file(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("BENCHAGENT_TOKEN", "of-the-environment")
        client = servers.open_client(given())
        assert client is not None
        assert "of-the-environment" in vars(client).values()
        (tmp_path / "other").write_text("of-the-option")
        client = servers.open_client(given(token_file=tmp_path / "other"))
        assert client is not None
        assert "of-the-option" in vars(client).values()

    def test_the_work_directory(self, config: Path) -> None:
        assert work_directory(None) == Path("/srv/bench/work")
        assert work_directory(Path("/elsewhere")) == Path("/elsewhere")
        config.write_text("")
        assert work_directory(None) == config.parent / "work"

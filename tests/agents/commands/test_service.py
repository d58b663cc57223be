"""`benchagent service`: units with the paths of this agent, for plans and for queued work."""

import sys
from pathlib import Path

import pytest

from benchagent import cli
from benchagent.commands.service import STATE
from tests.texts import missing_in

AGENTS = Path(__file__).parents[3] / "agents"


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SERVER", "TOKEN", "STATE", "CONFIG", "SPOOL"):
        monkeypatch.delenv(f"BENCHAGENT_{name}", raising=False)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert cli.main(["service", *arguments]) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert cli.main(["service", *arguments]) == 2
    return capsys.readouterr().err


def command(text: str) -> str:
    [line] = [line for line in text.splitlines() if line.startswith("ExecStart=")]
    return line.removeprefix("ExecStart=").removeprefix(f"{sys.executable} -m benchagent ")


def test_a_shipped_plan_keeps_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "demo", "--calendar", "weekly")
    assert not missing_in(
        text,
        "# /etc/systemd/system/benchagent-demo.service\n",
        "# /etc/systemd/system/benchagent-demo.timer\n",
        "OnCalendar=weekly\n",
    )
    assert command(text) == "run demo"
    assert f"Environment=PYTHONPATH={AGENTS}\n" in text


def test_a_plan_of_ones_own_is_named_by_its_whole_path(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("raid 6.toml").touch()
    Path("token").touch()
    text = printed(
        capsys, "raid 6.toml", "--directory", "data", "--server", "https://bench.example", "--token-file", "token"
    )
    assert "# /etc/systemd/system/benchagent-raid-6.service\n" in text
    assert command(text) == (
        f'run "{tmp_path}/raid 6.toml" --directory={tmp_path}/data --server=https://bench.example '
        f"--token-file={tmp_path}/token"
    )
    assert f"ReadWritePaths={tmp_path}/data\n" in text


def test_serving(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "--serve", "--server", "https://bench.example", "--token-file", "/etc/benchagent/token")
    assert command(text) == "serve --server=https://bench.example --token-file=/etc/benchagent/token"
    assert "Restart=on-failure" in text
    assert ".timer" not in text


def test_a_state_directory_of_ones_own_goes_along(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert f"StateDirectory={Path(STATE).name}\n" in printed(capsys, "--serve")
    monkeypatch.setenv("BENCHAGENT_STATE", "/srv/state")
    text = printed(capsys, "--serve")
    assert not missing_in(text, "Environment=BENCHAGENT_STATE=/srv/state\n", "ReadWritePaths=/srv/state\n")


def test_what_the_config_file_offers_can_be_written(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "config.toml"
    file.write_text('work_dir = "/srv/work"\n[targets]\ndirectories = ["/srv/a", "/srv/b"]\n')
    monkeypatch.setenv("BENCHAGENT_CONFIG", str(file))
    text = printed(capsys, "--serve")
    assert not missing_in(text, f"Environment=BENCHAGENT_CONFIG={file}\n", "ReadWritePaths=/srv/a /srv/b /srv/work\n")


def test_what_the_plan_itself_names_can_be_written(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plan = tmp_path / "own.toml"
    text = 'name = "own"\n[[targets]]\nkind = "directory"\npath = "/srv/own"\n[[workloads]]\ntool = "bonnie++"\n'
    plan.write_text(text + "files = 1024\n")
    monkeypatch.setenv("BENCHAGENT_SPOOL", "/srv/spool")
    assert "ReadWritePaths=/srv/own /srv/spool\n" in printed(capsys, str(plan))
    assert "ReadWritePaths=/srv/data /srv/spool\n" in printed(capsys, str(plan), "--directory", "/srv/data")


def test_they_are_written_where_one_says(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert cli.main(["service", "demo", "--write", str(tmp_path)]) == 0
    out, err = capsys.readouterr()
    assert out.split() == [str(tmp_path / f"benchagent-demo.{kind}") for kind in ("service", "timer")]
    assert (tmp_path / "benchagent-demo.service").read_text().startswith("[Unit]\n")
    assert "systemctl enable --now benchagent-demo.timer" in err
    assert "Cannot write" in refused(capsys, "demo", "--write", str(tmp_path / "none"))


def test_the_token_stands_in_no_unit(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHAGENT_TOKEN", "secret")
    assert "A unit cannot hold the token." in refused(capsys, "demo", "--server", "https://bench.example")
    assert "secret" not in printed(capsys, "demo", "--token-file", "/etc/benchagent/token")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "Name a PLAN, or say --serve."),
        (["demo", "--serve"], "Name a PLAN, or say --serve."),
        (["nothing"], "there is no file nothing"),
        (["demo", "--calendar", "daily\nUnit=x"], "--calendar is empty, or has characters"),
        (["demo", "--directory", "/a\nb"], "has characters that a unit cannot hold"),
    ],
)
def test_what_makes_no_unit_is_refused(capsys: pytest.CaptureFixture[str], arguments: list[str], words: str) -> None:
    assert words in refused(capsys, *arguments)

"""`benchagent parse` and the command line around all commands."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchagent import cli, errors
from benchagent.cli import main
from tests.texts import missing_in, obeyed

ROOT = Path(__file__).parents[3]
GOLDEN = sorted((ROOT / "tests" / "agents" / "formats" / "golden").glob("iozone-*"))[0]


def test_prints_results_in_the_words_of_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parse", "--json", str(GOLDEN)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["tool"] == "iozone"
    [first, *_] = told["results"]
    assert {"test", "metric", "unit", "values", "file_size", "record_size", "status", "lines"} <= set(first)


def test_a_unit_that_the_text_lacks_can_be_stated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = tmp_path / "iozone.txt"
    text.write_text(GOLDEN.read_text().replace("Output is in", "Somebody wrote:"))

    assert main(["parse", str(text)]) == errors.UnknownOutput.exit_code
    assert "State it, or write the line above" in capsys.readouterr().err
    assert main(["parse", "--unit", "KiB/s", str(text)]) == 0
    assert "the unit was stated by a person: KiB/s" in capsys.readouterr().err


def test_prints_a_table_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parse", str(GOLDEN)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("iozone ")
    assert lines[1].split() == ["test", "metric", "value", "file", "record", "threads", "params"]
    number, unit = lines[2].split()[2:4]
    assert (f" {number} " in GOLDEN.read_text(), unit) == (True, "KiB/s")  # as printed in the file


def test_reads_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOLDEN.read_bytes())))
    assert main(["parse", "-", "--tool", "iozone"]) == 0
    assert capsys.readouterr().out.startswith("iozone ")


def test_a_log_is_read_by_the_name_of_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a_iops.1.log").write_text("1000, 7, 0, 0, 0\n")
    assert main(["parse", "--json", str(tmp_path / "a_iops.1.log")]) == 0
    assert [each["values"] for each in json.loads(capsys.readouterr().out)["results"]] == [[7.0]]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"1000, 7, 0, 0, 0\n")))
    assert main(["parse", "-"]) == 9
    assert "only the name of its file says what its numbers are" in capsys.readouterr().err


def test_strict_lists_what_was_not_read_and_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parse", "--strict", str(GOLDEN)]) == 0
    (tmp_path / "x").write_text("a line of nobody\n" + GOLDEN.read_text() + "another\n")
    assert main(["parse", str(tmp_path / "x")]) == 0
    capsys.readouterr()
    assert main(["parse", "--strict", str(tmp_path / "x")]) == 9
    told = capsys.readouterr()
    assert told.out.startswith("iozone ")
    assert not missing_in(told.err, "not read: line 1: a line of nobody", "2 lines were not read")


def test_no_terminal_obeys_what_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = GOLDEN.read_text().replace("Command line used: ", "Command line used: \x9b31m\u202e##[error] ")
    (tmp_path / "\x1b[2Jx").write_text(f"\x1b]0;title\x07\n::error::x\n{lines}")
    for options in ([], ["--json"]):
        assert main(["parse", "--strict", *options, str(tmp_path / "\x1b[2Jx")]) == 9
        assert main(["parse", "--strict", *options, str(tmp_path)]) == 9
    assert main(["parse", str(tmp_path / "\x1b[2J")]) == 2
    told = capsys.readouterr()
    assert not missing_in(told.err, "not read: line 1: ?]0;title?", "not read: line 2: ::error::x")
    assert ("31m" in told.out, obeyed(told.out + told.err)) == (True, [])


def test_reads_what_powershell_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x").write_bytes(GOLDEN.read_text().replace("\n", "\r\n").encode("utf-16"))
    assert main(["parse", str(tmp_path / "x")]) == 0
    told = capsys.readouterr().out
    assert main(["parse", str(GOLDEN)]) == 0
    assert told == capsys.readouterr().out


@pytest.mark.parametrize(
    ("command", "path", "code", "words"),
    [
        ("parse", "x", 9, "line 1, column 1"),
        ("parse", "/nonexistent", 2, "Cannot read /nonexistent: No such file"),
        ("parse", "/dev/zero", 2, "/dev/zero is larger than 64 MiB"),  # is not read to its end
        ("run", "plan.toml", 3, "rounds is 0; expected a whole number"),
    ],
)
def test_says_what_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, path: str, code: int, words: str
) -> None:
    (tmp_path / "x").write_bytes(b"\xff\x00 nothing that a tool prints")
    (tmp_path / "plan.toml").write_text("rounds = 0")
    assert main([command, str(tmp_path / path)]) == code
    assert words in capsys.readouterr().err


def test_wrong_arguments_are_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ([], ["fly"], ["run", "x", "--label", "novalue"], ["run", "x", "--machine-name", "a b"]):
        with pytest.raises(SystemExit) as caught:
            main(arguments)
        assert caught.value.code == 2
    assert main(["run"]) == 2


def test_a_reader_that_has_enough_is_no_error() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "agents")}
    command = f"{sys.executable} -m benchagent parse --json {GOLDEN} | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode in (0, 141), done.stderr) == (True, "")


def test_every_exit_code_is_documented() -> None:
    """docs/agents.md lists the codes of all failures, each once."""
    section = (ROOT / "docs" / "agents.md").read_text().split("## Exit codes")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    listed = [int(code) for row in rows for code in re.findall(r"`(\d+)`", row)]
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.AgentError)]
    assert len(listed) == len(set(listed))
    assert {kind.exit_code for kind in kinds} | {0, 130, 143} <= set(listed)


def test_every_command_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.COMMANDS
    for name in cli.COMMANDS:
        with pytest.raises(SystemExit) as caught:
            main([name, "--help"])
        assert caught.value.code == 0
        assert f"usage: benchagent {name}" in capsys.readouterr().out

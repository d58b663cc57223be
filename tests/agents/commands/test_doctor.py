"""`benchagent doctor`: text for people, JSON for programs, and an exit code for scripts."""

import argparse
import json
from collections.abc import Iterator

import pytest

from benchagent.commands import doctor
from benchagent.diagnosis import DiagnosisFinding
from benchagent.diagnosis.finding import lacking, present

OK = present("losetup", "images", "/usr/sbin/losetup")
OPTIONAL = lacking("f2fs", "f2fs targets", "no mkfs.f2fs", "f2fs-tools", optional=True)
MISSING = lacking("iozone", "workloads", "", "iozone3")


def parse(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    doctor.declare(parser)
    return parser.parse_args(arguments)


def found(monkeypatch: pytest.MonkeyPatch, *findings: DiagnosisFinding) -> None:
    def examine(_args: argparse.Namespace) -> Iterator[DiagnosisFinding]:
        yield from findings

    monkeypatch.setattr(doctor, "examine", examine)


def test_what_is_missing_makes_the_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found(monkeypatch, OK, MISSING, OPTIONAL)
    assert doctor.run(parse()) == doctor.INCOMPLETE == 1
    out = capsys.readouterr().out
    assert [line.split()[:2] for line in out.splitlines()[:3]] == [
        ["ok", "losetup"],
        ["missing", "iozone"],
        ["optional", "f2fs"],
    ]
    assert "1 of 3 are missing." in out


def test_what_is_optional_does_not(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    found(monkeypatch, OK, OPTIONAL)
    assert doctor.run(parse()) == doctor.COMPLETE == 0
    assert "All prerequisites are there." in capsys.readouterr().out


def test_json_is_versioned(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    found(monkeypatch, MISSING)
    assert doctor.run(parse("--json")) == 1
    assert json.loads(capsys.readouterr().out) == {
        "schema": "benchagent.doctor/2",
        "findings": [
            {
                "what": "iozone",
                "purpose": "workloads",
                "state": "missing",
                "says": "",
                "packages": {"debian": ["iozone3"], "fedora": []},
            }
        ],
    }


def test_a_server_without_a_token_is_one_of_the_findings(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("BENCHAGENT_TOKEN", raising=False)
    monkeypatch.setenv("BENCHAGENT_FSLOAD", "/nonexistent")
    assert doctor.run(parse("--json", "--server", "http://127.0.0.1:1")) == 1
    findings = {finding["what"]: finding for finding in json.loads(capsys.readouterr().out)["findings"]}
    assert "There is no token." in findings["token"]["says"]
    assert {"Python", "root", "fsload", "ext4", "clock"} <= set(findings)

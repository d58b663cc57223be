from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

import pytest

from benchagent import filesystems
from benchagent.commands import doctor


def parse(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    doctor.add_parser(parser.add_subparsers())
    return parser.parse_args(["doctor", *arguments])


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any program; the test may put some into the directory."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(filesystems, "ADMIN_PATHS", str(tmp_path))
    monkeypatch.setenv("BENCHAGENT_FSLOAD", str(tmp_path / "fsload"))
    return tmp_path


def test_what_is_missing_is_named_with_its_package(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor.run(parse()) == doctor.INCOMPLETE
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    missing = {line[1]: " ".join(line) for line in lines if line[:1] == ["missing"]}
    for what, package in (
        ("iozone", "iozone3"),
        ("bonnie++", "bonnie++"),
        ("cc", "gcc"),
        ("mkfs.xfs", "xfsprogs"),
        ("mkfs.btrfs", "btrfs-progs"),
        ("mkfs.ext4", "e2fsprogs"),
    ):
        assert package in missing[what]


def test_what_is_there_is_shown_with_its_place(bare: Path) -> None:
    (bare / "cc").write_text("#!/bin/sh\n")
    (bare / "cc").chmod(0o755)
    found = {finding.what: finding.found for finding in doctor.examine()}
    assert found["cc"] == str(bare / "cc")
    assert found["iozone"] is None
    assert (found["root"] is not None) == (os.geteuid() == 0)


def test_json_is_versioned(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor.run(parse("--json")) == doctor.INCOMPLETE
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "benchagent.doctor/1"
    assert {"what", "purpose", "found", "remedy"} == set(found["findings"][0])


def test_nothing_missing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(doctor, "examine", lambda: [doctor.Finding("cc", "build fsload", "/usr/bin/cc", "gcc")])
    assert doctor.run(parse()) == doctor.COMPLETE
    assert "Nothing is missing." in capsys.readouterr().out

"""Builds the engine once a session, with its own Makefile, and runs the real program."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ENGINE = Path(__file__).parents[2] / "agents" / "engine"
Build = Callable[[str], Path]


@dataclass(frozen=True)
class Run:
    """What one run printed, and how it ended."""

    status: int
    stdout: str
    stderr: str

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.stdout.splitlines()]

    @property
    def results(self) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["type"] == "result"]


Fsload = Callable[..., Run]


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Makes one of the Makefile's targets; in a folder of this session, so that parallel sessions do not collide."""
    folder = tmp_path_factory.mktemp("engine")

    def make(target: str) -> Path:
        command = ["make", "-C", str(ENGINE), f"BUILD={folder}", f"{folder}/{target}"]
        made = subprocess.run(command, capture_output=True, text=True, check=False)
        assert made.returncode == 0, made.stderr
        assert "warning" not in made.stderr, made.stderr
        return folder / target

    return make


@pytest.fixture(scope="session")
def program(build: Build) -> Path:
    return build("fsload")


@pytest.fixture
def fsload(program: Path, tmp_path: Path) -> Fsload:
    """Runs fsload in a directory of its own; keyword arguments are options, True is an option without a value."""
    return lambda **options: run(program, **{"directory": tmp_path} | options)


def run(program: Path, directory: Path | str, **options: str | int | bool) -> Run:
    done = subprocess.run(command(program, directory, **options), capture_output=True, text=True, check=False)
    return Run(done.returncode, done.stdout, done.stderr)


def command(program: Path, directory: Path | str, **options: str | int | bool) -> list[str]:
    chosen = {"directory": str(directory), "file_sizes": "256K", "record_sizes": "4K", "min_free": "1M"} | options
    words = [str(program)]
    for name, value in chosen.items():
        words += [f"--{name.replace('_', '-')}"] + ([] if value is True else [str(value)])
    return words

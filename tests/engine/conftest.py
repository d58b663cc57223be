"""Builds the engine where `make setup` builds it, with its own Makefile, and runs the real program."""

import fcntl
import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ENGINE = Path(__file__).parents[2] / "agents" / "engine"
Build = Callable[[str], Path]
Option = str | int | float | bool | Path


@dataclass(frozen=True)
class Run:
    """The output and the exit status of one run."""

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
def build() -> Build:
    """A function that makes a target of the Makefile, if its sources are newer."""
    folder = ENGINE / "build"
    folder.mkdir(exist_ok=True)

    def make(target: str) -> Path:
        command = ["make", "-j", "2", "-C", str(ENGINE), f"build/{target}"]
        with (folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
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
    """A function that runs fsload in its own directory with a command, its argument and options.

    An option with the value True has none. Without a command, the function runs a sweep of a small file.
    """

    def call(*words: str, directory: Path | str = tmp_path, **options: Option) -> Run:
        return run(program, directory, *words, **options)

    return call


def run(program: Path, directory: Path | str, *words: str, **options: Option) -> Run:
    done = subprocess.run(command(program, directory, *words, **options), capture_output=True, text=True, check=False)
    return Run(done.returncode, done.stdout, done.stderr)


def command(program: Path, directory: Path | str, *command: str, **options: Option) -> list[str]:
    chosen: dict[str, Option] = {"directory": str(directory), "min_free": "1M"}
    if not command:
        command = ("sweep",)
        chosen |= {"file_sizes": "256K", "record_sizes": "4K"}
    words = [str(program), *command]
    for name, value in (chosen | options).items():
        words += [f"--{name.replace('_', '-')}"] + ([] if value is True else [str(value)])
    return words

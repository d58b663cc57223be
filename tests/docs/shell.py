"""Runs the commands of a page like a reader: in a clone, one block after the other, beside a running server.

Variables and the current directory persist between blocks. `places` maps addresses and folders of the documentation to
those on this machine.
"""

import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.docs.pages import ROOT

PATIENCE = 300  # seconds of one block, on a busy machine
NOT_OURS = {".venv", ".git", "var"}  # not linked into the tests' clone
ADDRESSES = ("http://127.0.0.1:8000", "https://bench.example.org")
FOLDERS = ("/mnt/", "/srv/")


class Shell:
    """bash in a directory that looks like a clone; `url` is the server's, without a trailing slash."""

    def __init__(self, base: Path, url: str, environment: Mapping[str, str]) -> None:
        self.clone, self.base = base / "benchdb", base
        self.places = {**dict.fromkeys(ADDRESSES, url), **{folder: f"{base}{folder}" for folder in FOLDERS}}
        self._state, self._where = base / "state", base / "where"
        self._environment = {
            **{name: value for name, value in environment.items() if not name.startswith("BENCHAGENT_")},
            "BENCHAGENT_STATE": str(base / "agent"),
            "BENCHAGENT_FSLOAD": str(ROOT / "agents" / "engine" / "build" / "fsload"),
            "BENCHAGENT_CONFIG": "/dev/null",
            "PATH": f"{base / 'bin'}:{environment.get('PATH', os.defpath)}",
            "LC_ALL": "C.UTF-8",
        }
        for folder in ("mnt/data", "srv/bench", "bin", "agent", "benchdb/.venv/bin"):
            (base / folder).mkdir(parents=True)
        for entry in ROOT.iterdir():
            if entry.name not in NOT_OURS:
                (self.clone / entry.name).symlink_to(entry)
        python, agents = shlex.quote(sys.executable), shlex.quote(str(ROOT / "agents"))
        _command(self.clone / ".venv/bin/python", python)
        _command(base / "bin/benchagent", f"env PYTHONPATH={agents} {python} -m benchagent")
        self._state.write_text("")
        self._where.write_text(f"{self.clone}\n")

    @property
    def here(self) -> Path:
        """The current directory."""
        return Path(self._where.read_text().strip())

    def run(self, script: str) -> str:
        """Run a script and return its output. Raises AssertionError if a command fails."""
        for documented, actual in self.places.items():
            script = script.replace(documented, actual)
        state, where, here = (shlex.quote(str(path)) for path in (self._state, self._where, self.here))
        begin = f"trap 'export -p > {state}; pwd > {where}' EXIT; set -aeuo pipefail; . {state}; cd {here}\n"
        done = subprocess.run(
            ["bash", "-c", begin + script],
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, f"exit code {done.returncode}\n{script}\n{done.stdout}"
        return self.as_said(done.stdout)

    def as_said(self, printed: str) -> str:
        """The output with the addresses and folders of the documentation."""
        for documented, actual in self.places.items():
            printed = printed.replace(actual, documented)
        return printed


def _command(path: Path, command: str) -> None:
    path.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
    path.chmod(0o755)

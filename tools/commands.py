"""Running commands for the tools that try the containers."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class Failed(Exception):
    """A step failed; the message names it with the reason."""


def say(text: str) -> None:
    """Print a message at once."""
    print(f"compose: {text}", flush=True)


def run(*command: str | Path, seconds: float = 1800, env: Mapping[str, str] | None = None) -> str:
    """The output of a command. Raises Failed with its last lines."""
    process = subprocess.run(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=seconds, env=env
    )
    if process.returncode != 0:
        last = "\n".join((process.stdout + process.stderr).strip().splitlines()[-25:])
        raise Failed(f"{' '.join(map(str, command[:6]))} failed:\n{last}")
    return process.stdout.strip()


def works(*command: str, seconds: float = 60) -> bool:
    """Whether a command succeeds."""
    try:
        run(*command, seconds=seconds)
    except (Failed, FileNotFoundError, subprocess.TimeoutExpired):
        return False
    return True

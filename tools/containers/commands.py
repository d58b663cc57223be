"""Running commands, for the trial of the containers."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Failed(Exception):
    """A step failed; the message names it with the reason."""


class NotHere(Exception):
    """The trial is not possible on this machine; the message says what is lacking."""


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


def until(what: str, holds: Callable[[], object], seconds: float) -> None:
    """Wait until something holds. Raises Failed."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise Failed(f"{what}: not so after {seconds:.0f} s")
        time.sleep(0.2)

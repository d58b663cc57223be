"""Finds the program fsload, or builds it from the agent's own source."""

from __future__ import annotations

import os
import shutil
from functools import lru_cache
from pathlib import Path

from benchagent.system.state_directory import state_directory

from . import build

VARIABLE = "BENCHAGENT_FSLOAD"


def find() -> str | None:
    """The program that the environment names, else the agent's own, built on its first use."""
    named = os.environ.get(VARIABLE)
    return shutil.which(named) if named else _built(state_directory() / "engine")[0]


def explain() -> str:
    """The reason why `find` finds nothing, and the remedy."""
    named = os.environ.get(VARIABLE)
    if named:
        return f"{VARIABLE} names {named}, which is not a program"
    return f"there is no fsload: {_built(state_directory() / 'engine')[1]}"


@lru_cache(maxsize=1)
def _built(directory: Path) -> tuple[str | None, str]:
    """The agent's own program, or the reason why there is none. A failed build is not repeated at each point."""
    try:
        return str(build.program(directory)), ""
    except build.EngineMissing as why:
        return None, str(why)

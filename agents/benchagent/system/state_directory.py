"""The directory for what must outlive one run of the agent."""

from __future__ import annotations

import os
from pathlib import Path

from .other_users import refuse_unsafe


def state_directory() -> Path:
    """`$BENCHAGENT_STATE`, else root's or the user's own directory.

    Raises UnsafeDirectory, because the agent reads its settings there and runs a program that it has built there.
    """
    given = os.environ.get("BENCHAGENT_STATE")
    if os.geteuid() == 0:
        directory = Path(given or "/var/lib/benchagent")
        refuse_unsafe(directory, own=True)
        return directory
    if given:
        return Path(given)
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state") / "benchagent"

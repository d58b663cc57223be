"""The directory for what must outlive one run of the agent."""

from __future__ import annotations

import os
from pathlib import Path


def state_directory() -> Path:
    """`$BENCHAGENT_STATE`, else root's or the user's own directory."""
    given = os.environ.get("BENCHAGENT_STATE")
    if given:
        return Path(given)
    if os.geteuid() == 0:
        return Path("/var/lib/benchagent")
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state") / "benchagent"

"""A hint for commands that find no database."""

from __future__ import annotations

import os
import shlex
import sys

from benchdb.embedded.supervisor.lock import holder

from .config import Paths, var_directory


def services_missing() -> str:
    """A sentence for a command that cannot connect because the embedded services do not run; else empty."""
    if os.environ.get("DATABASE_URL") or holder(Paths(var_directory())):
        return ""
    command = shlex.join(["python", *sys.argv])
    return (
        "The database is not running. Start `python manage.py up` in another terminal, or run this command with the "
        f"services: `python manage.py services --exec {command}`."
    )

"""What to do when a command finds no database."""

import os
import shlex
import sys

from benchdb.embedded.config import Paths
from benchdb.embedded.lock import holder
from benchdb.embedded.stack import var_directory


def services_missing() -> str:
    """A sentence for a command that could not connect because the embedded services do not run; else empty."""
    if os.environ.get("DATABASE_URL") or holder(Paths(var_directory())):
        return ""
    command = shlex.join(["python", *sys.argv])
    return (
        "The database is not running. Start `python manage.py up` in another terminal, or run this command with the "
        f"services: `python manage.py services --exec {command}`."
    )

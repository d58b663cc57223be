"""The commands of `manage.py` whose process only supervises others: Django would be 80 MB that it never uses."""

from __future__ import annotations

import subprocess
import sys
from argparse import ArgumentParser

from benchdb.embedded.supervisor.logs import for_people

from . import up, worker
from .config import PROJECT, Paths, var_directory
from .errors import ServiceError


def _up(arguments: list[str]) -> int:
    parser = ArgumentParser("manage.py up", description=up.HELP)
    up.add_arguments(parser)
    return up.up(Paths(var_directory()), for_people(), up.UpOptions(**vars(parser.parse_args(arguments))))


def _worker(arguments: list[str]) -> int:
    ArgumentParser("manage.py worker", description=worker.HELP).parse_args(arguments)
    return worker.worker(Paths(var_directory()), for_people())


COMMANDS = {"up": _up, "worker": _worker}


def run(name: str, arguments: list[str]) -> int | str:
    """Run one of `COMMANDS`. Returns its exit code, or a message for standard error."""
    # Faults of the settings are told before anything is made. Another process reads them, for which it takes 20 MB.
    if code := subprocess.run([sys.executable, "-m", "benchdb.variables"], cwd=PROJECT, check=False).returncode:
        return code
    try:
        return COMMANDS[name](arguments)
    except ServiceError as error:
        return f"CommandError: {error}"

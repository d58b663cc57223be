"""PostgreSQL's own programs, of a version that fits the server, and how they are told where it is."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
from django.db import connection
from psycopg.conninfo import make_conninfo

from benchdb.embedded.errors import ServiceError
from benchdb.embedded.services.binaries import postgres_program


def program(name: str, server: int) -> Path:
    """`pg_dump` or the like, not older than the server's major version. Raises ServiceError.

    First that of our wheel, which is new; then what the system has.
    """
    for path in _candidates(name):
        if _major(path) >= server:
            return path
    raise ServiceError(f"No {name} of PostgreSQL {server} or newer is installed: apt-get install postgresql-client")


def _candidates(name: str) -> Iterator[Path]:
    with suppress(ServiceError):  # no wheel for this machine; the system may have one
        yield postgres_program(name)
    if found := shutil.which(name):
        yield Path(found)
    yield from sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))


def _major(path: Path) -> int:
    printed = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
    return int(re.findall(r"\d+", printed)[0])


def parameters() -> dict[str, Any]:
    """What psycopg connects with to Django's database, without its pool."""
    return {"connect_timeout": 10, **connection.get_connection_params()}


def address() -> str:
    """The same for libpq's programs. Without the password, which everybody could see in the list of processes."""
    known = {option.keyword.decode() for option in psycopg.pq.Conninfo.get_defaults()} - {"password"}
    return make_conninfo(**{name: value for name, value in parameters().items() if name in known})


def environment() -> dict[str, str]:
    """The environment of such a program, with the password."""
    password = parameters().get("password")
    return {**os.environ, **({"PGPASSWORD": str(password)} if password else {})}


def tables(database: psycopg.Connection) -> list[str]:
    """The names of all tables."""
    found = database.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
    return [name for (name,) in found]


def major_of(database: psycopg.Connection) -> int:
    """The server's major version."""
    return database.info.server_version // 10000

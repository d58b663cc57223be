"""PostgreSQL's own programs in a version that fits the server, and their connection options."""

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
    """`pg_dump` or the like, no older than the server's major version. Raises ServiceError.

    The program of our wheel, which is recent, is preferred to the system's.
    """
    for path in _candidates(name):
        if _major(path) >= server:
            return path
    raise ServiceError(f"No {name} of PostgreSQL {server} or newer is installed: apt-get install postgresql-client")


def _candidates(name: str) -> Iterator[Path]:
    with suppress(ServiceError):  # no wheel for this machine; the system may have one
        yield postgres_program(name)
    if path := shutil.which(name):
        yield Path(path)
    yield from sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))


def _major(path: Path) -> int:
    output = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
    return int(re.findall(r"\d+", output)[0])


def parameters() -> dict[str, Any]:
    """psycopg's parameters for a connection to Django's database."""
    return {"connect_timeout": 10, **connection.get_connection_params()}


def address() -> str:
    """The same parameters for libpq's programs, without the password, which every user could see with `ps`."""
    known = {option.keyword.decode() for option in psycopg.pq.Conninfo.get_defaults()} - {"password"}
    return make_conninfo(**{name: value for name, value in parameters().items() if name in known})


def environment() -> dict[str, str]:
    """The environment for such a program, with the password."""
    password = parameters().get("password")
    return {**os.environ, **({"PGPASSWORD": str(password)} if password else {})}


def tables(database: psycopg.Connection) -> list[str]:
    """The names of all tables."""
    rows = database.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
    return [name for (name,) in rows]


def major_of(database: psycopg.Connection) -> int:
    """The server's major version."""
    return database.info.server_version // 10000

"""Paths and URLs of the embedded services, derived from the var directory only.

Settings, supervisor and tests call these functions independently and must get equal results, so no function here
depends on a running process or on existing files.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

DATABASE = "benchdb"
ROLE = "benchdb"
# The user of initdb, for maintenance; the application's role is not a superuser.
SUPERUSER = "postgres"
# The user of the embedded Redis-protocol server with all rights, for its supervisor.
VALKEY_SUPERUSER = "supervisor"
# No TCP port is opened; the number is a part of the socket's name.
POSTGRES_PORT = 5432

# Linux: sun_path of sockaddr_un holds 108 bytes, one of them the final NUL (man 7 unix).
SOCKET_PATH_BYTES = 107


@dataclass(frozen=True)
class Paths:
    """All paths under one var directory."""

    var: Path

    @property
    def postgres(self) -> Path:
        """PostgreSQL's data directory."""
        return self.var / "postgres"

    @property
    def valkey(self) -> Path:
        """The broker's append-only file."""
        return self.var / "valkey"

    @property
    def log(self) -> Path:
        """The directory of log files, one for each service, rotated."""
        return self.var / "log"

    @property
    def run(self) -> Path:
        """The directory of lock and sockets, which matter only while the services run."""
        return self.var / "run"

    @property
    def lock(self) -> Path:
        """The lock that the supervisor of this var directory holds as long as it lives."""
        return self.run / "supervisor.lock"

    @property
    def sockets(self) -> Path:
        """`run`, or a private directory under the temp directory when the path would be too long for a socket."""
        longest = self.run / "postgres" / f".s.PGSQL.{POSTGRES_PORT}"
        if len(os.fsencode(longest)) <= SOCKET_PATH_BYTES:
            return self.run
        digest = hashlib.sha256(os.fsencode(self.var)).hexdigest()[:12]
        return Path(tempfile.gettempdir()) / f"benchdb-{os.geteuid()}-{digest}"

    @property
    def postgres_sockets(self) -> Path:
        """A separate directory, because it belongs to the user that runs PostgreSQL."""
        return self.sockets / "postgres"

    @property
    def valkey_socket(self) -> Path:
        """The broker's socket."""
        return self.sockets / "valkey.sock"


def database_url(var: Path) -> str:
    """The embedded database as a URL that libpq and dj-database-url read; the socket directory is its host."""
    host = quote(str(Paths(var).postgres_sockets), safe="")
    return f"postgresql://{ROLE}@{host}:{POSTGRES_PORT}/{DATABASE}"


def redis_url(var: Path, user: str = "celery") -> str:
    """The embedded Redis-protocol server as a URL that redis-py reads."""
    return f"unix://{user}@{quote(str(Paths(var).valkey_socket))}"


PROJECT = Path(__file__).resolve().parents[2]


def var_directory(environment: Mapping[str, str] = os.environ) -> Path:
    """BENCHDB_VAR, or `var` in the project."""
    return Path(environment.get("BENCHDB_VAR") or PROJECT / "var").resolve()


def manage(*arguments: str) -> list[str]:
    """A `manage.py` command line."""
    return [sys.executable, str(PROJECT / "manage.py"), *arguments]

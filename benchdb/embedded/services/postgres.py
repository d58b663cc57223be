"""The embedded PostgreSQL: its data directory and its service."""

from __future__ import annotations

import os
import re
import select
import shutil
import signal
import subprocess
from pathlib import Path

import psycopg
from psycopg import sql

from benchdb.embedded.config import DATABASE, POSTGRES_PORT, ROLE, SUPERUSER, Paths
from benchdb.embedded.directories import private_directory, socket_directory
from benchdb.embedded.errors import ServiceError
from benchdb.embedded.supervisor.privileges import Account, launcher, unprivileged_account
from benchdb.embedded.supervisor.process import Service

from .binaries import postgres_program

# For two cores shared with the web server, the worker and often the measured workload itself.
SETTINGS = {
    "listen_addresses": "",  # Unix socket only
    "port": str(POSTGRES_PORT),
    "unix_socket_permissions": "0700",
    "max_connections": "60",
    "shared_buffers": "128MB",
    "work_mem": "16MB",
    "maintenance_work_mem": "64MB",
    "max_parallel_workers_per_gather": "0",  # a parallel query would take the other processes' core
    "jit": "off",  # the pages' queries are short
    "random_page_cost": "1.1",  # solid state disks and the page cache
    "max_wal_size": "1GB",
    "wal_compression": "on",
    "fsync": "on",
    "full_page_writes": "on",
    "synchronous_commit": "on",
    "client_connection_check_interval": "2s",  # ends queries of workers that were killed
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "[%p] %q%a ",  # our log adds the time to every line
    "log_checkpoints": "off",
    "log_min_duration_statement": "1s",
}
# For test databases, which need not survive a power cut.
NOT_DURABLE = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}

ORPHAN_SECONDS = 30


def postgres_service(paths: Paths, *, durable: bool = True) -> Service:
    """The database server for `paths`, with its data directory made if it is new. Raises ServiceError."""
    postgres = postgres_program("postgres")
    _refuse_foreign_data(paths.postgres)
    paths.var.mkdir(parents=True, exist_ok=True)
    socket_directory(paths)
    account = unprivileged_account(paths.postgres, [postgres, paths.var, paths.sockets])
    if not (paths.postgres / "PG_VERSION").exists():
        _create_data(paths.postgres, account)
    private_directory(paths.postgres_sockets, account)
    settings = {**SETTINGS, **({} if durable else NOT_DURABLE), "unix_socket_directories": str(paths.postgres_sockets)}
    return Service(
        name="postgres",
        command=[postgres, "-D", paths.postgres, *(f"--{name}={value}" for name, value in settings.items())],
        account=account,
        prepare=lambda: _clear_pid_file(paths.postgres),
        ready=lambda: _ready(paths),
        environment=_environment(),
        directory=paths.var,
        stop_signal=signal.SIGINT,  # fast shutdown: ends sessions, then writes everything
        stop_seconds=30,
        orphan_signal=signal.SIGINT,
    )


def _environment() -> dict[str, str]:
    """This process's environment without variables for another PostgreSQL's client or server."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PG")}


def _refuse_foreign_data(data: Path) -> None:
    """Raise ServiceError if this PostgreSQL cannot serve the data or this user cannot read them."""
    try:
        theirs = (data / "PG_VERSION").read_text().strip()
    except FileNotFoundError:
        return
    except PermissionError:
        raise ServiceError(
            f"{data} belongs to user {data.stat().st_uid}: BenchDB was started here as root before. Start it as root, "
            f"or give the directory to yourself: `sudo chown -R $(id -u): {data.parent}`."
        ) from None
    output = subprocess.run([postgres_program("postgres"), "--version"], capture_output=True, text=True, check=True)
    ours = re.findall(r"\d+", output.stdout)[0]
    if theirs != ours:
        raise ServiceError(
            f"{data} was written by PostgreSQL {theirs}, and this BenchDB brings PostgreSQL {ours}. Dump the data with "
            f"the pg_dump of version {theirs} and load it into a new directory (docs/operations.md, Upgrading "
            "PostgreSQL), or move the directory away to begin with an empty database."
        )


def _create_data(data: Path, account: Account | None) -> None:
    """Run initdb in a temporary directory, so that an interrupted run leaves nothing that looks like data."""
    if data.exists() and any(data.iterdir()):
        raise ServiceError(f"{data} is not empty and holds no PostgreSQL data. Move it away and start again.")
    new = data.with_name(f"{data.name}.new")
    if new.exists():
        shutil.rmtree(new)
    private_directory(new, account)
    command: list[str | Path] = [
        *launcher(signal.SIGKILL, account),
        postgres_program("initdb"),
        f"--pgdata={new}",
        f"--username={SUPERUSER}",
        # Only this user and root can enter the socket's directory, and both can read the data files anyway.
        "--auth=trust",
        "--encoding=UTF8",
        # PostgreSQL's own Unicode tables sort equally on every system, unlike those of libc.
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--locale=C.UTF-8",
        "--data-checksums",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=_environment(), cwd=new.parent)
    if done.returncode != 0:
        shutil.rmtree(new)
        raise ServiceError(f"PostgreSQL could not make its data directory {data}:\n{done.stdout}{done.stderr}".rstrip())
    new.rename(data)


def _clear_pid_file(data: Path) -> None:
    """End a server that outlived a killed supervisor, and remove the pid file of a server that was killed.

    PostgreSQL takes any living process with the recorded id for a server, and ids repeat soon in containers. We hold
    the lock of the var directory, so a server there is an orphan; its working directory identifies it.
    """
    file = data / "postmaster.pid"
    try:
        pid = int(file.read_text().split()[0])
    except FileNotFoundError:
        return
    except (ValueError, IndexError):  # empty after a full disk or a power cut
        file.unlink()
        return
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return  # PostgreSQL removes the file itself
    try:
        if not _works_in(pid, data):
            file.unlink(missing_ok=True)
            return
        signal.pidfd_send_signal(descriptor, signal.SIGINT)
        if not select.select([descriptor], [], [], ORPHAN_SECONDS)[0]:
            raise ServiceError(f"PostgreSQL's process {pid} still runs in {data} and does not stop. End it first.")
    finally:
        os.close(descriptor)


def _works_in(pid: int, data: Path) -> bool:
    """Whether a process has `data` as its working directory, as every PostgreSQL server has."""
    try:
        return Path(f"/proc/{pid}/cwd").samefile(data)
    except (FileNotFoundError, PermissionError):  # ended or a zombie; another user's process
        return False


def _says_ready(data: Path) -> bool:
    """Whether the server's pid file has the status "ready" (line 8, LOCK_FILE_LINE_PM_STATUS in PostgreSQL's source).

    A connection before that would log an error for every attempt.
    """
    try:
        lines = (data / "postmaster.pid").read_text().splitlines()
    except FileNotFoundError:
        return False
    return len(lines) >= 8 and lines[7].strip() == "ready"


def _ready(paths: Paths) -> bool:
    """Whether the server takes connections; makes the application's role and database if they do not exist."""
    if not _says_ready(paths.postgres):
        return False
    try:
        connection = psycopg.connect(
            host=str(paths.postgres_sockets), port=POSTGRES_PORT, user=SUPERUSER, dbname="postgres", autocommit=True
        )
    except psycopg.OperationalError:
        return False
    with connection:
        if not connection.execute("SELECT FROM pg_roles WHERE rolname = %s", [ROLE]).rowcount:
            # Not a superuser; CREATEDB is for test databases.
            connection.execute(sql.SQL("CREATE ROLE {} LOGIN CREATEDB").format(sql.Identifier(ROLE)))
        if not connection.execute("SELECT FROM pg_database WHERE datname = %s", [DATABASE]).rowcount:
            statement = sql.SQL("CREATE DATABASE {} OWNER {}")
            connection.execute(statement.format(sql.Identifier(DATABASE), sql.Identifier(ROLE)))
    return True

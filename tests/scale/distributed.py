"""Two PostgreSQL servers of the system, and tables whose odd parts lie on the second one (`postgres_fdw`).

The embedded PostgreSQL has no `postgres_fdw`; Debian's package `postgresql` has.
"""

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from signal import SIGKILL
from typing import Any

import psutil
import psycopg
from psycopg import sql
from psycopg.sql import SQL, Identifier

from benchdb.embedded.config import POSTGRES_PORT, ROLE, SUPERUSER
from benchdb.embedded.directories import private_directory
from benchdb.embedded.supervisor.privileges import launcher, unprivileged_account
from benchdb.runs.store.partitions import TABLES
from tests.plugins.missing import postgres_with_fdw
from tests.support.waiting import wait_until

SETTINGS = {"listen_addresses": "", "fsync": "off", "timezone": "UTC"}
OTHER = "other"  # the second server, as the first one names it


class Cluster:
    """A PostgreSQL server in a directory of its own, as its administrator sees it."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir()
        self.sockets, self._data = directory / "s", directory / "data"
        self._programs, self._log = postgres_with_fdw(), directory / "log"
        self._account = unprivileged_account(self._data, [self._programs / "postgres", directory])
        for path in (self.sockets, self._data):
            private_directory(path, self._account)
        self._run("initdb", f"--pgdata={self._data}", f"--username={SUPERUSER}", "--auth=trust", *self._locale())
        self.start()
        self.ask(f"CREATE ROLE {ROLE} LOGIN CREATEDB", "postgres")

    def start(self) -> None:
        """Start it, also after `kill`, and wait until it answers."""
        settings = {**SETTINGS, "unix_socket_directories": str(self.sockets), "port": str(POSTGRES_PORT)}
        options = [f"--{name}={value}" for name, value in settings.items()]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [*launcher(SIGKILL, self._account), self._programs / "postgres", "-D", self._data, *options],
                cwd=self._data.parent,
                stderr=log,
            )
        wait_until(self._answers)

    def kill(self) -> None:
        """Kill all of its processes at once (SIGKILL)."""
        server = psutil.Process(self._process.pid)
        for process in [server, *server.children(recursive=True)]:
            process.kill()
        self._process.wait()
        (self._data / "postmaster.pid").unlink(missing_ok=True)

    def connect(self, database: str, role: str = SUPERUSER) -> psycopg.Connection[Any]:
        """A new connection that commits each statement."""
        return psycopg.connect(host=str(self.sockets), port=POSTGRES_PORT, user=role, dbname=database, autocommit=True)

    def ask(self, query: str, database: str, *arguments: object) -> list[tuple[Any, ...]]:
        """The rows of a statement, none if it has no result."""
        with self.connect(database) as connection:
            cursor = connection.execute(query, arguments or None)  # type: ignore[arg-type]
            return cursor.fetchall() if cursor.description else []

    @contextmanager
    def counted(self, statements: list[str]) -> Iterator[None]:
        """Append the statements that it gets while the block runs."""
        self._log_statements("all")
        begun = self._log.stat().st_size
        try:
            yield
        finally:
            self._log_statements("none")
            text = self._log.read_bytes()[begun:].decode()
            statements += [line for line in text.splitlines() if "LOG:  statement" in line or "LOG:  execute" in line]

    def _log_statements(self, which: str) -> None:
        with self.connect("postgres") as connection:
            connection.execute(f"ALTER SYSTEM SET log_statement = '{which}'")
            connection.execute("SELECT pg_reload_conf()")
            shown = connection.cursor()
            wait_until(lambda: shown.execute("SHOW log_statement").fetchone() == (which,))

    def _answers(self) -> bool:
        try:
            self.connect("postgres").close()
        except psycopg.OperationalError:
            return False
        return True

    def _locale(self) -> list[str]:
        builtin = int(self._run("postgres", "--version").split()[2].split(".")[0]) >= 17
        return [
            "--encoding=UTF8",
            *(["--locale-provider=builtin", "--builtin-locale=C.UTF-8"] if builtin else []),
            "--locale=C.UTF-8",
        ]

    def _run(self, program: str, *arguments: str) -> str:
        command = [*launcher(SIGKILL, self._account), self._programs / program, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True, cwd=self._data.parent).stdout


def distribute(here: Cluster, there: Cluster, database: str) -> None:
    """Move every second part of the partitioned tables of a database from `here` to `there`, a database of that name.

    A foreign table has no keys, so the whole tables lose theirs, and each part gets its own.
    """
    there.ask(f"CREATE DATABASE {database} OWNER {ROLE}", "postgres")
    with here.connect(database) as admin:
        admin.execute("CREATE EXTENSION postgres_fdw")
        admin.execute(
            f"CREATE SERVER {OTHER} FOREIGN DATA WRAPPER postgres_fdw"
            f" OPTIONS (host '{there.sockets}', port '{POSTGRES_PORT}', dbname '{database}')"
        )
        admin.execute(f"GRANT USAGE ON FOREIGN SERVER {OTHER} TO {ROLE}")
        admin.execute(
            f"CREATE USER MAPPING FOR PUBLIC SERVER {OTHER} OPTIONS (user '{ROLE}', password_required 'false')"
        )
    with here.connect(database, ROLE) as near, there.connect(database, ROLE) as far:
        for table in TABLES:
            _distribute(near, far, table)


def _distribute(near: psycopg.Connection[Any], far: psycopg.Connection[Any], table: str) -> None:
    keys, foreign_keys = (
        near.execute(
            "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint"
            " WHERE conrelid = %s::regclass AND contype = %s",
            [table, kind],
        ).fetchall()
        for kind in ("p", "f")
    )
    for name, _ in (*foreign_keys, *keys):
        near.execute(SQL("ALTER TABLE {} DROP CONSTRAINT {}").format(Identifier(table), Identifier(name)))
    indexes = near.execute(
        "SELECT indexname, substring(indexdef FROM ' USING .*') FROM pg_indexes WHERE tablename = %s", [table]
    ).fetchall()
    for name, _ in indexes:
        near.execute(SQL("DROP INDEX {}").format(Identifier(name)))
    parts = near.execute(
        "SELECT relname, pg_get_expr(relpartbound, c.oid) FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid"
        " WHERE inhparent = %s::regclass ORDER BY relname",
        [table],
    ).fetchall()
    own = [definition for _, definition in keys], [definition for _, definition in indexes]
    for i, (part, bound) in enumerate(parts):
        if i % 2:
            _move(near, far, table, part, bound, own)
        else:
            _add_keys(near, part, [*own[0], *(definition for _, definition in foreign_keys)], own[1])


def _move(
    near: psycopg.Connection[Any],
    far: psycopg.Connection[Any],
    table: str,
    part: str,
    bound: str,
    own: tuple[Sequence[str], Sequence[str]],
) -> None:
    columns = near.execute(
        "SELECT string_agg(format('%%I %%s%%s', attname, format_type(atttypid, atttypmod),"
        " CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END), ', ' ORDER BY attnum)"
        " FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped",
        [part],
    ).fetchone()
    assert columns is not None
    name, before = Identifier(part), Identifier(f"{part}_before")
    far.execute(SQL("CREATE TABLE {} ({})").format(name, _as_it_is(columns[0])))
    _add_keys(far, part, *own)
    near.execute(SQL("ALTER TABLE {} DETACH PARTITION {}").format(Identifier(table), name))
    near.execute(SQL("ALTER TABLE {} RENAME TO {}").format(name, before))
    foreign = SQL("CREATE FOREIGN TABLE {} PARTITION OF {} {} SERVER {}")
    near.execute(foreign.format(name, Identifier(table), _as_it_is(bound), Identifier(OTHER)))
    near.execute(SQL("INSERT INTO {} TABLE {}").format(name, before))
    near.execute(SQL("DROP TABLE {}").format(before))
    far.execute(SQL("ANALYZE {}").format(name))
    near.execute(SQL("ANALYZE {}").format(name))


def _add_keys(database: psycopg.Connection[Any], part: str, keys: Sequence[str], indexes: Sequence[str]) -> None:
    for key in keys:
        database.execute(SQL("ALTER TABLE {} ADD {}").format(Identifier(part), _as_it_is(key)))
    for index in indexes:
        database.execute(SQL("CREATE INDEX ON {}{}").format(Identifier(part), _as_it_is(index)))


def _as_it_is(definition: str) -> sql.Composed:
    return sql.Composed([SQL(definition)])


@contextmanager
def two_servers(directory: Path) -> Iterator[tuple[Cluster, Cluster]]:
    """Two running servers in a directory."""
    os.chmod(directory, 0o755)
    made: list[Cluster] = []
    try:
        made += [Cluster(directory / "a")]
        made += [Cluster(directory / "b")]
        yield made[0], made[1]
    finally:
        for cluster in made:
            cluster.kill()

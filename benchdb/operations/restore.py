"""Restores a backup in one transaction: either all of it is stored, or nothing has changed."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from shutil import copyfileobj
from typing import IO

import psycopg
from psycopg import sql

from . import manifest
from .manifest import Manifest, Unusable
from .postgres import address, environment, major_of, parameters, program, tables
from .probes import known_migrations

# Tables that `migrate` fills; a database with rows only in these counts as empty.
OF_DJANGO = {"django_migrations", "django_content_type", "auth_permission"}
REMOVED = {"federation.0001_sources"}  # migrations of backups that this program no longer has, but understands
LOCK_SECONDS = 10
HEAD_BYTES = 4096


def restore(dump: Path, *, replace: bool) -> Manifest:
    """Load a dump into Django's database; `replace` first deletes the data that are there.

    Raises Unusable, ServiceError or OperationalError, and changes nothing then.
    """
    facts = manifest.read(dump)
    if newer := sorted(set(facts.migrations) - {".".join(migration) for migration in known_migrations()} - REMOVED):
        raise Unusable(f"{dump} was made by BenchDB {facts.benchdb}, which is newer (it has {newer[0]}): update first.")
    with psycopg.connect(**parameters()) as database:
        present, major = tables(database), major_of(database)
        used = [name for name in present if name not in OF_DJANGO and _has_rows(database, name)]
    if used and not replace:
        raise Unusable(
            f"The database is not empty ({', '.join(used[:3])}{' …' if used[3:] else ''}). With --replace all that is "
            "in it is deleted."
        )
    _load(dump, present, facts.tables, major)
    return facts


def _has_rows(database: psycopg.Connection, table: str) -> bool:
    return bool(database.execute(sql.SQL("SELECT FROM {} LIMIT 1").format(sql.Identifier(table))).rowcount)


def _load(dump: Path, present: list[str], counts: Mapping[str, int], major: int) -> None:
    """Delete the tables that are present and load the dump; the last statement to psql is the commit."""
    read: list[str | Path] = [program("pg_restore", major), "--no-owner", "--no-privileges", "--file=-", dump]
    write: list[str | Path] = [program("psql", major), "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1"]
    with (
        subprocess.Popen(read, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as source,
        subprocess.Popen(
            [*write, f"--dbname={address()}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=environment(),
        ) as target,
    ):
        assert source.stdout
        assert source.stderr
        assert target.stdin
        assert target.stderr
        try:
            target.stdin.write(_beginning(present))
            target.stdin.write(understood(source.stdout.read(HEAD_BYTES), major))
            copyfileobj(source.stdout, target.stdin)
            if source.wait() == 0:
                target.stdin.write(_end(counts))
            target.stdin.close()
        except BrokenPipeError:  # psql has ended and printed the reason
            source.kill()
            with suppress(BrokenPipeError):  # what it did not read
                target.stdin.close()
        message = _last_words(target.stderr) or _last_words(source.stderr)
        failed = target.wait() or source.wait()
    if failed:
        raise Unusable(f"The backup was not restored, and nothing has changed: {message}")


def understood(head: bytes, major: int) -> bytes:
    """pg_restore's first lines without a setting that servers before version 17 do not have."""
    return head if major >= 17 else head.replace(b"SET transaction_timeout = 0;\n", b"", 1)


def _last_words(stream: IO[bytes]) -> str:
    return " ".join(stream.read().decode(errors="replace").split())


def _beginning(present: list[str]) -> bytes:
    names = sql.SQL(", ").join(sql.Identifier("public", name) for name in present)
    drop = sql.SQL("DROP TABLE {} CASCADE;\n").format(names) if present else sql.SQL("")
    # Of triggers; no table owns them.
    function = "DROP FUNCTION IF EXISTS public.audit_only_grows(), public.runs_forget_kept_parts();\n"
    return f"BEGIN;\nSET LOCAL lock_timeout = '{LOCK_SECONDS}s';\n{drop.as_string()}{function}".encode()


def _end(counts: Mapping[str, int]) -> bytes:
    """Statements that commit if every table has as many rows as the manifest lists."""
    check = sql.SQL("IF (SELECT count(*) FROM {}) <> {} THEN RAISE EXCEPTION '% has other rows', {}; END IF;\n")
    checks = sql.SQL("").join(
        check.format(sql.Identifier("public", name), count, name) for name, count in counts.items()
    )
    return f"DO $checks$ BEGIN\n{checks.as_string()}END $checks$;\nCOMMIT;\n".encode()

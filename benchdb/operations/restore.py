"""A backup put into a database, in one transaction: afterwards all of it is there, or nothing has changed."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path
from shutil import copyfileobj
from typing import IO

import psycopg
from psycopg import sql

from . import manifest
from .manifest import Manifest, Unusable
from .postgres import address, environment, major_of, parameters, program, tables
from .probes import known_migrations

# What `migrate` fills by itself: rows of these alone are nobody's.
OF_DJANGO = {"django_migrations", "django_content_type", "auth_permission"}
LOCK_SECONDS = 10
HEAD_BYTES = 4096


def restore(dump: Path, *, replace: bool) -> Manifest:
    """Put a dump into Django's database. Raises Unusable, ServiceError or OperationalError; nothing is changed then.

    `replace`: also where there is something, which is gone afterwards.
    """
    made = manifest.read(dump)
    if newer := sorted(set(made.migrations) - {".".join(each) for each in known_migrations()}):
        raise Unusable(f"{dump} was made by BenchDB {made.benchdb}, which is newer (it has {newer[0]}): update first.")
    with psycopg.connect(**parameters()) as database:
        there, major = tables(database), major_of(database)
        used = [name for name in there if name not in OF_DJANGO and _has_rows(database, name)]
    if used and not replace:
        raise Unusable(
            f"The database is not empty ({', '.join(used[:3])}{' …' if used[3:] else ''}). With --replace all that is "
            "in it is deleted."
        )
    _load(dump, there, made.tables, major)
    return made


def _has_rows(database: psycopg.Connection, table: str) -> bool:
    return bool(database.execute(sql.SQL("SELECT FROM {} LIMIT 1").format(sql.Identifier(table))).rowcount)


def _load(dump: Path, there: list[str], counts: Mapping[str, int], major: int) -> None:
    """Delete the tables that are there and load the dump. psql commits only when it is told to in the end."""
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
            target.stdin.write(_beginning(there))
            target.stdin.write(understood(source.stdout.read(HEAD_BYTES), major))
            copyfileobj(source.stdout, target.stdin)
            if source.wait() == 0:
                target.stdin.write(_end(counts))
            target.stdin.close()
        except BrokenPipeError:  # psql has ended; it says why
            source.kill()
        said = _last_words(target.stderr) or _last_words(source.stderr)
        failed = target.wait() or source.wait()
    if failed:
        raise Unusable(f"The backup was not restored, and nothing has changed: {said}")


def understood(head: bytes, major: int) -> bytes:
    """The first lines that pg_restore prints, for a server of this version: it sets what older ones do not know."""
    return head if major >= 17 else head.replace(b"SET transaction_timeout = 0;\n", b"", 1)


def _last_words(stream: IO[bytes]) -> str:
    return " ".join(stream.read().decode(errors="replace").split())


def _beginning(there: list[str]) -> bytes:
    names = sql.SQL(", ").join(sql.Identifier("public", name) for name in there)
    drop = sql.SQL("DROP TABLE {} CASCADE;\n").format(names) if there else sql.SQL("")
    return f"BEGIN;\nSET LOCAL lock_timeout = '{LOCK_SECONDS}s';\n{drop.as_string()}".encode()


def _end(counts: Mapping[str, int]) -> bytes:
    """Commit, if every table has as many rows as it had."""
    check = sql.SQL("IF (SELECT count(*) FROM {}) <> {} THEN RAISE EXCEPTION '% has other rows', {}; END IF;\n")
    checks = sql.SQL("").join(
        check.format(sql.Identifier("public", name), count, name) for name, count in counts.items()
    )
    return f"DO $checks$ BEGIN\n{checks.as_string()}END $checks$;\nCOMMIT;\n".encode()

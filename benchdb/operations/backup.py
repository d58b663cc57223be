"""Dumps the whole database as of one instant, while the server goes on working."""

from __future__ import annotations

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import psycopg
from psycopg import sql

from benchdb import __version__

from . import manifest
from .manifest import Manifest, Unusable
from .postgres import address, environment, major_of, parameters, program, tables

PATTERN = "benchdb-*.dump"


def make(directory: Path) -> tuple[Path, Manifest]:
    """Write a dump and its manifest into `directory`. Raises Unusable, ServiceError, OSError, OperationalError.

    The manifest is written last: a dump without a manifest was interrupted, and restore refuses it.
    """
    directory.mkdir(parents=True, exist_ok=True)
    now = datetime.now(UTC)
    dump = directory / f"benchdb-{now:%Y%m%dT%H%M%SZ}.dump"
    if dump.exists():
        raise Unusable(f"{dump} is there already: another backup began in the same second.")
    unfinished = dump.with_name(f"{dump.name}.part")
    try:
        with psycopg.connect(**parameters()) as database:
            database.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            (snapshot,) = database.execute("SELECT pg_export_snapshot()").fetchone() or ("",)
            _refuse_foreign_tables(database)
            counts = {name: _count(database, name) for name in tables(database)}
            applied = database.execute("SELECT app || '.' || name FROM django_migrations ORDER BY 1")
            migrations = [name for (name,) in applied]
            _dump(unfinished, snapshot, major_of(database))
            version = database.info.parameter_status("server_version") or ""
        size, digest = unfinished.stat().st_size, manifest.digest_of(unfinished)
        manifest.settle(unfinished, dump)
    finally:
        unfinished.unlink(missing_ok=True)
    facts = Manifest(
        manifest.SCHEMA, now.isoformat(), __version__, version, migrations, counts, dump.name, size, digest
    )
    manifest.write(manifest.path_of(dump), facts)
    return dump, facts


def _refuse_foreign_tables(database: psycopg.Connection) -> None:
    """Raise Unusable if rows lie on another server: pg_dump would write none of them, and without a warning."""
    query = "SELECT string_agg(foreign_table_name, ', ' ORDER BY 1) FROM information_schema.foreign_tables"
    (names,) = database.execute(query).fetchone() or (None,)
    if names:
        raise Unusable(f"The rows of {names} lie on another server (docs/scaling.md, “Two database servers”).")


def _count(database: psycopg.Connection, table: str) -> int:
    (count,) = database.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))).fetchone() or (0,)
    return int(count)


def _dump(file: Path, snapshot: str, major: int) -> None:
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))  # it holds digests of tokens and passwords
    command: list[str | Path] = [program("pg_dump", major), "--format=custom", "--no-owner", "--no-privileges"]
    done = subprocess.run(
        [*command, f"--snapshot={snapshot}", f"--file={file}", f"--dbname={address()}"],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise Unusable(f"pg_dump failed: {done.stderr.strip()}")


def forget(directory: Path, keep: int) -> list[Path]:
    """Delete all but the newest `keep` finished backups; returns the deleted ones."""
    old = sorted(dump for dump in directory.glob(PATTERN) if manifest.path_of(dump).exists())[:-keep]
    for dump in old:
        manifest.path_of(dump).unlink()
        dump.unlink()
    return old

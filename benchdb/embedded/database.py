"""Waits for the database of DATABASE_URL, and lets one process migrate at a time."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from django.conf import settings
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

from .errors import ServiceError

# An arbitrary number that every version of BenchDB must share.
MIGRATION_LOCK = 0x42656E6368


def wait_for_database() -> None:
    """Return when the database takes connections. Raises ServiceError after DATABASE_PATIENCE."""
    end = time.monotonic() + settings.DATABASE_PATIENCE
    logged = False
    while error := connection_error():
        if not logged:
            print(f"waiting for the database: {error}", flush=True)
            logged = True
        if time.monotonic() > end:
            raise ServiceError(f"The database does not take connections: {error}. Check {_source()}.")
        time.sleep(0.5)


def connection_error() -> str:
    """The reason why no connection is possible; empty if one is."""
    try:
        # Not through Django's connection: its circuit breaker would hide the reason.
        psycopg.connect(**{"connect_timeout": 5, **connection.get_connection_params()}).close()
    except psycopg.OperationalError as error:
        return str(error).strip()
    return ""


def _source() -> str:
    return "DATABASE_URL" if os.environ.get("DATABASE_URL") else "var/log/postgres.log"


@contextmanager
def migration_lock(database: BaseDatabaseWrapper) -> Iterator[None]:
    """Let one process migrate this database at a time; other processes wait here, then have nothing left to do.

    The lock is polled and no statement waits for it: CREATE INDEX CONCURRENTLY waits for every statement that has
    begun, including one that waits for this lock.
    """
    with database.cursor() as cursor:
        while not _locked(cursor):
            time.sleep(0.1)
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [MIGRATION_LOCK])


def _locked(cursor: CursorWrapper) -> bool:
    cursor.execute("SELECT pg_try_advisory_lock(%s)", [MIGRATION_LOCK])
    return bool(cursor.fetchone()[0])

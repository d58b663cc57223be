"""Waiting for the database of DATABASE_URL, and one migration at a time."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import psycopg
from django.conf import settings
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

from .errors import ServiceError

if TYPE_CHECKING:
    from benchdb.embedded.supervisor.supervisor import Supervisor

# Any number will do, as long as every BenchDB of all times takes the same.
MIGRATION_LOCK = 0x42656E6368


async def wait_for_database(supervisor: Supervisor) -> None:
    """Return when the database takes connections. Raises ServiceError when it does not for too long."""
    end = time.monotonic() + settings.DATABASE_PATIENCE
    told = False
    while error := await asyncio.to_thread(connection_error):
        if not told:
            supervisor.say(f"waiting for the database: {error}")
            told = True
        if time.monotonic() > end:
            raise ServiceError(f"The database does not take connections: {error}. Check {_source()}.")
        await asyncio.sleep(0.5)


def connection_error() -> str:
    """Why a connection is not possible; empty when it is."""
    try:
        # Not through Django's connection, which asks only so often and then has no reason to tell.
        psycopg.connect(**{"connect_timeout": 5, **connection.get_connection_params()}).close()
    except psycopg.OperationalError as error:
        return str(error).strip()
    return ""


def _source() -> str:
    return "DATABASE_URL" if os.environ.get("DATABASE_URL") else "var/log/postgres.log"


@contextmanager
def migration_lock(database: BaseDatabaseWrapper) -> Iterator[None]:
    """Let one process migrate this database at a time; another one waits here and then finds nothing to do.

    It asks again and again, outside any statement: an index that is made CONCURRENTLY waits for every statement that
    has begun, also for one that would wait for this lock.
    """
    with database.cursor() as cursor:
        while not _locked(cursor):
            time.sleep(0.1)
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [MIGRATION_LOCK])


def _locked(cursor: Any) -> bool:
    cursor.execute("SELECT pg_try_advisory_lock(%s)", [MIGRATION_LOCK])
    return bool(cursor.fetchone()[0])

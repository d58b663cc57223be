"""The current state of a permalink, read before each cached answer with the least work for the database.

Django takes longer to build the statement than PostgreSQL to execute it, and planning takes PostgreSQL longer still. So
the statement is prepared, once a connection; each thread of the web server has its own connection. Each process keeps a
row for a second: a link that many readers follow at once costs the database one query a second, and a permalink that
another process revokes is gone a second later.
"""

from __future__ import annotations

import json
import time
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID
from weakref import WeakSet

from django.db.utils import ProgrammingError
from psycopg.errors import DuplicatePreparedStatement, InvalidSqlStatementName

from benchdb.compare.models import DELETED, WITHDRAWN
from benchdb.replica.reading import reading

_SELECT = f"SELECT created_at, {DELETED}, {WITHDRAWN} FROM compare_permalink WHERE revoked_at IS NULL AND id = "
HOLDS_SECONDS, MOST_HELD = 1.0, 1000
_prepared: WeakSet[Any] = WeakSet()
_glances: dict[str, tuple[float, Glance]] = {}  # with the time of the query, by time.monotonic
# A connection pooler exchanged our connection with that of another client.
_LOST = (InvalidSqlStatementName, DuplicatePreparedStatement)


class Glance(NamedTuple):
    """The parts of the entity tag of a permalink's page."""

    id: str
    created_at: datetime
    deleted: list[UUID]
    withdrawn: list[dict[str, Any]]


def glance_at(permalink_id: str) -> Glance | None:
    """The permalink at this address; None if there is none, or it was revoked. One query at most."""
    now = time.monotonic()
    queried_at, held = _glances.get(permalink_id, (-HOLDS_SECONDS, None))
    if now - queried_at < HOLDS_SECONDS:
        return held
    current = _query(permalink_id)
    if len(_glances) >= MOST_HELD:
        _glances.clear()
    if current is not None:
        _glances[permalink_id] = (now, current)
    return current


def forget(**_: Any) -> None:
    """Query again from now on, because this process revoked or deleted something."""
    _glances.clear()


def _query(permalink_id: str) -> Glance | None:
    try:
        row = _row("EXECUTE glance(%s)", permalink_id)
    except ProgrammingError as error:
        if not isinstance(error.__cause__, _LOST):
            raise
        row = _row(f"{_SELECT}%s", permalink_id, prepare=False)
    if row is None:
        return None
    created_at, deleted, withdrawn = row
    # Django returns jsonb of raw queries as text.
    return Glance(permalink_id, created_at, deleted, json.loads(withdrawn))


def _row(statement: str, permalink_id: str, *, prepare: bool = True) -> Any:
    connection = reading()
    with connection.cursor() as cursor:
        if prepare and connection.connection not in _prepared:
            with connection.wrap_database_errors:
                connection.connection.execute(f"PREPARE glance(text) AS {_SELECT}$1")
            _prepared.add(connection.connection)
        cursor.execute(statement, [permalink_id])
        return cursor.fetchone()

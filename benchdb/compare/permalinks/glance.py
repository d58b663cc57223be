"""What became of a permalink, asked before each answer that is known already: as little as the database can be asked.

Django builds a statement longer than PostgreSQL takes to answer it, and PostgreSQL plans it longer still. So it is
prepared, once a connection; each thread of the web server keeps its own. And an answer holds for a second in the
process that got it: a link that many follow at once costs the database one question a second, and what another process
takes back is gone a second later.
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
_held: dict[str, tuple[float, Glance]] = {}  # when it was asked for, by time.monotonic
# A pooler between us and PostgreSQL gave the connection to others, or us theirs.
_LOST = (InvalidSqlStatementName, DuplicatePreparedStatement)


class Glance(NamedTuple):
    """What the tag of a permalink's page is made of."""

    id: str
    created_at: datetime
    deleted: list[UUID]
    withdrawn: list[dict[str, Any]]


def glance_at(permalink_id: str) -> Glance | None:
    """The permalink at this address, None where there is none or it was revoked. One query, or none."""
    now = time.monotonic()
    asked, held = _held.get(permalink_id, (-HOLDS_SECONDS, None))
    if now - asked < HOLDS_SECONDS:
        return held
    found = _ask(permalink_id)
    if len(_held) >= MOST_HELD:
        _held.clear()
    if found is not None:
        _held[permalink_id] = (now, found)
    return found


def forget(**_: Any) -> None:
    """Ask anew from now on: something was taken back here."""
    _held.clear()


def _ask(permalink_id: str) -> Glance | None:
    try:
        row = _row("EXECUTE glance(%s)", permalink_id)
    except ProgrammingError as error:
        if not isinstance(error.__cause__, _LOST):
            raise
        row = _row(f"{_SELECT}%s", permalink_id, prepare=False)
    if row is None:
        return None
    created_at, deleted, withdrawn = row
    # Django leaves jsonb of raw queries as text.
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

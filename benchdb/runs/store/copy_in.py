"""PostgreSQL's COPY, for rows in large numbers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from psycopg import Copy


@contextmanager
def copy_in(statement: str) -> Iterator[Copy]:
    """`COPY … FROM STDIN`, inside the caller's transaction.

    Errors are Django's exceptions, as for every other statement, so that a full disk leads to a 503 answer.
    """
    with connection.cursor() as cursor, connection.wrap_database_errors, cursor.copy(statement) as copy:
        yield copy

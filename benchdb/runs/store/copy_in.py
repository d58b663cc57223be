"""COPY, by which all that comes in large numbers is written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from psycopg import Copy


@contextmanager
def copy_in(statement: str) -> Iterator[Copy]:
    """`COPY … FROM STDIN`, inside the caller's transaction.

    Its errors are Django's, as those of every other statement, so that a full disk is answered with 503 here too.
    """
    with connection.cursor() as cursor, connection.wrap_database_errors, cursor.copy(statement) as copy:
        yield copy

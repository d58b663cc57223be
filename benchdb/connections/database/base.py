"""A connection for each thread; neither its health check nor a database that is away makes a request wait.

A pool hides from a request that the server has gone until the pool's own timeout ends, and then it reconnects ever more
rarely. The threads of gunicorn are few and live as long as their process, so one connection each is a pool already.
"""

from __future__ import annotations

import select
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import psycopg
from django.db.backends.postgresql import base, operations
from django.db.backends.utils import CursorWrapper
from psycopg.pq import Format, TransactionStatus

from benchdb.connections.circuit_breaker import CircuitBreaker

from .watched import WatchedConnection

SECONDS = 1.0  # between two attempts of a process while the database is away

_breakers: defaultdict[tuple[object, object], CircuitBreaker] = defaultdict(
    lambda: CircuitBreaker("the database", psycopg.OperationalError, SECONDS)
)


class DatabaseOperations(operations.DatabaseOperations):
    """Django's operations, with the text of prepared statements for its log of queries."""

    def last_executed_query(self, cursor: psycopg.Cursor, sql: str, params: Sequence[object]) -> str:
        """The statement with its parameters; Django reads it from the cursor, where a prepared one has none."""
        if type(cursor) is psycopg.Cursor:
            return str(self.compose_sql(sql, params))
        return super().last_executed_query(cursor, sql, params)


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's wrapper with fast failure, a local health check and prepared statements. Raises Django's errors."""

    ops_class = DatabaseOperations

    @property
    def _breaker(self) -> CircuitBreaker:
        return _breakers[self.settings_dict["HOST"], self.settings_dict["PORT"]]

    def get_new_connection(self, conn_params: dict[str, Any]) -> WatchedConnection:
        """A new connection. Raises OperationalError, at once if the server was away a moment ago.

        Django's own method also knows pools and other isolation levels; the settings have neither.
        """
        self.isolation_level = psycopg.IsolationLevel.READ_COMMITTED
        with self._breaker.attempt():
            connection = WatchedConnection.connect(**conn_params)
        connection.silent = self._breaker.trip
        return connection

    def prepared_cursor(self) -> CursorWrapper:
        """A cursor for a statement that very many requests repeat: it is planned once a connection, not each time.

        Django's own cursors put the parameters into the text of the statement, and receive bytes as hexadecimal digits.
        """
        self.close_if_health_check_failed()
        self.ensure_connection()
        with self.wrap_database_errors:
            cursor = psycopg.Cursor(self.connection)
            cursor.format = Format.BINARY
            return self._prepare_cursor(cursor)  # type: ignore[attr-defined, no-any-return]  # as Django's own `_cursor`

    def is_usable(self) -> bool:
        """Whether the connection is open and idle, with no input waiting: a server only sends some when it hangs up.

        None is usable while the server does not answer. The kernel has the rest of the answer; Django's own check sends
        a query at the start of each request.
        """
        kept = self.connection
        if (
            self._breaker.tripped
            or kept is None
            or kept.closed
            or kept.pgconn.transaction_status != TransactionStatus.IDLE
        ):
            return False
        poller = select.poll()
        poller.register(kept.fileno(), select.POLLIN)
        return not poller.poll(0)

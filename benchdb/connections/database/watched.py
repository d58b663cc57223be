"""A connection whose waits end if the server has stopped answering.

PostgreSQL's own timeouts run in the server, and those of TCP see only a lost machine: a server that is stopped, or
whose disk hangs, would keep a thread until it goes on. A fixed limit would also end long queries of a working server.
So a wait that takes long tries a second connection, which a working server accepts or refuses at once.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import ClassVar

import psycopg
from psycopg.abc import RV, PQGen
from psycopg.errors import ConnectionTimeout, _WaitTimeout
from psycopg.rows import TupleRow

SILENT_SECONDS = 2.0  # after which a wait looks whether the server answers, and again after as many
ANSWER_SECONDS = 3  # in which a server must answer a new connection


class WatchedConnection(psycopg.Connection[TupleRow]):
    """psycopg's connection; a wait raises OperationalError and closes it if the server does not answer."""

    # The longest wait, even for a server that answers others: its process for this connection may hang.
    longest_seconds: ClassVar[float] = float("inf")

    def __init__(self, pgconn: psycopg.pq.abc.PGconn, *arguments: object) -> None:
        super().__init__(pgconn)
        # Called when the server does not answer.
        self.silent: Callable[[], None] = lambda: None

    def wait(self, gen: PQGen[RV], interval: float = 0.1, timeout: float | None = None) -> RV:
        """The result of psycopg's generator. Raises OperationalError if the server stops answering meanwhile."""
        if timeout is not None:
            return super().wait(gen, interval, timeout)
        end = time.monotonic() + self.longest_seconds
        while True:
            try:
                return super().wait(gen, interval, SILENT_SECONDS)
            except _WaitTimeout:
                self._require_answer(end)

    def _require_answer(self, end: float) -> None:
        answers = self._answers()
        if answers and time.monotonic() < end:
            return
        self.pgconn.finish()
        if not answers:
            self.silent()
        raise psycopg.OperationalError("the database does not answer") from None

    def _answers(self) -> bool:
        """Whether the server takes, or refuses, another connection."""
        try:
            psycopg.connect(self.info.dsn, password=self.info.password or None, connect_timeout=ANSWER_SECONDS).close()
        except ConnectionTimeout:
            return False
        except psycopg.OperationalError:  # no connection is free, for example; the wait itself sees an ended server
            return True
        return True

"""A connection whose waits end if the server has stopped answering.

PostgreSQL's own timeouts run in the server, and those of TCP see only a lost machine: a server that is stopped, or
whose disk hangs, would keep a thread until it goes on. A fixed limit would also end long queries of a working server.
So a wait that takes long tries a second connection, which a working server accepts or refuses at once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from typing import Any, ClassVar

import psycopg
from psycopg.abc import RV, PQGen
from psycopg.errors import ConnectionTimeout, _WaitTimeout
from psycopg.rows import TupleRow
from psycopg.waiting import Ready, Wait

SILENT_SECONDS = 2.0  # after which a wait looks whether the server answers, and again after as many
ANSWER_SECONDS = 3  # in which a server must answer a new connection


class _Resumed(Generator[Wait, Ready | int, RV]):
    """psycopg's generator, which another wait can go on with.

    Each wait begins with `next`. The second one would end a statement that is still being sent with a TypeError, so it
    gets again what the generator waits for.
    """

    def __init__(self, gen: PQGen[RV]) -> None:
        self._gen = gen
        self._waits_for: Wait | None = None

    def __next__(self) -> Wait:
        if self._waits_for is None:
            self._waits_for = next(self._gen)
        return self._waits_for

    def send(self, ready: Ready | int, /) -> Wait:
        """Continue, now that the connection is ready."""
        self._waits_for = self._gen.send(ready)
        return self._waits_for

    def throw(self, *error: Any) -> Wait:
        """Not used by psycopg; generators have it."""
        return self._gen.throw(*error)


class WatchedConnection(psycopg.Connection[TupleRow]):
    """psycopg's connection; a wait raises OperationalError and closes it if the server does not answer."""

    # The longest wait, even for a server that answers others: its process for this connection may hang.
    longest_seconds: ClassVar[float] = float("inf")
    # Gets the seconds of each wait.
    waited: ClassVar[Callable[[float], object]] = float

    def __init__(self, pgconn: psycopg.pq.abc.PGconn, *arguments: object) -> None:
        super().__init__(pgconn)
        # Called when the server does not answer.
        self.silent: Callable[[], None] = lambda: None

    def wait(self, gen: PQGen[RV], interval: float = 0.1, timeout: float | None = None) -> RV:
        """The result of psycopg's generator. Raises OperationalError if the server stops answering meanwhile."""
        if timeout is not None:
            return super().wait(gen, interval, timeout)
        begun = time.monotonic()
        resumed = _Resumed(gen)
        try:
            while True:
                try:
                    return super().wait(resumed, interval, SILENT_SECONDS)
                except _WaitTimeout:
                    self._require_answer(begun + self.longest_seconds)
        finally:
            WatchedConnection.waited(time.monotonic() - begun)

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

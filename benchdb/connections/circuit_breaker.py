"""A circuit breaker: while a service is away, one caller at a time tries it and all others fail at once.

Without a breaker every request of a web server waits until the service times out. Soon all threads are waiting, and the
server cannot even answer its own liveness probe. The usual libraries (circuitbreaker, pybreaker) let all callers try at
once when the pause ends, or hold a lock while one caller waits.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class CircuitBreaker:
    """The state of one service, shared by all threads of this process; `name` is its name in messages.

    Callers get `error` if the service fails, and also if they may not try it. After a failure no caller tries for
    `seconds`. Then one caller may try; if it does not come back within `trial` seconds, the next one may.
    """

    def __init__(self, name: str, error: type[Exception], seconds: float, trial: float = 10) -> None:
        self._name, self._error, self._seconds, self._trial = name, error, seconds, trial
        self._until: float | None = None  # None while the service answers
        self._lock = threading.Lock()

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Use the service inside the block. Raises `error` at once if it did not answer a moment ago."""
        if not self._may_try():
            raise self._error(f"{self._name} did not answer a moment ago, and is not asked again yet")
        try:
            yield
        except self._error:
            self.trip()
            raise
        self._until = None

    @property
    def tripped(self) -> bool:
        """Whether the service did not answer the last time."""
        return self._until is not None

    def trip(self) -> None:
        """Note that the service does not answer."""
        self._until = time.monotonic() + self._seconds

    def _may_try(self) -> bool:
        with self._lock:
            if self._until is None:
                return True
            if time.monotonic() < self._until:
                return False
            self._until = time.monotonic() + self._trial
            return True

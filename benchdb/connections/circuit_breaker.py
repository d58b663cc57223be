"""Services that do not answer: one caller at a time finds out whether they are back, the others are told at once.

Without it each request of a web server waits as long as a service may take to answer, all its threads do, and nobody is
there to say that the server itself is alive. The libraries for that pattern (circuitbreaker, pybreaker) let all callers
try at once when the time is over, or hold a lock while one of them waits.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class Absence:
    """What is known of one service, `name` in sentences, for all threads of this process.

    `error` is what callers see when it fails, and when nobody is to ask it. After a failure nobody asks for `seconds`;
    whoever asks then has `trial` seconds before another one may.
    """

    def __init__(self, name: str, error: type[Exception], seconds: float, trial: float = 10) -> None:
        self._name, self._error, self._seconds, self._trial = name, error, seconds, trial
        self._until: float | None = None  # None while it answers, as far as is known
        self._lock = threading.Lock()

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Ask it inside the block. Raises `error` at once where it did not answer a moment ago."""
        if not self._may_ask():
            raise self._error(f"{self._name} did not answer a moment ago, and is not asked again yet")
        try:
            yield
        except self._error:
            self._until = time.monotonic() + self._seconds
            raise
        self._until = None

    def _may_ask(self) -> bool:
        with self._lock:
            if self._until is None:
                return True
            if time.monotonic() < self._until:
                return False
            self._until = time.monotonic() + self._trial
            return True

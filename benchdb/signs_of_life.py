"""Signs of life that a Celery worker gives to the supervisor which has started it.

A worker can run although it is stuck: after a full disk, hundreds of runs once waited for good while the worker
answered every question. So it gives signs only while it begins tasks or none waits.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

PIPE = "WORKER_SIGNS_OF_LIFE"  # the environment variable with the file to write into


def give() -> None:
    """Give a sign, if this process has a supervisor that waits for one."""
    if path := os.environ.get(PIPE):
        with suppress(OSError), open(os.open(path, os.O_WRONLY | os.O_NONBLOCK), "wb") as pipe:
            pipe.write(b".")


@dataclass
class TaskProgress:
    """Whether a worker begins tasks. No task takes longer than `longest_seconds`."""

    longest_seconds: float
    _begun: int = -1
    _since: float = field(default_factory=time.monotonic)

    def is_made(self, begun: int, is_waited: Callable[[], bool]) -> bool:
        """Whether the number of tasks begun has risen, or none waited, in the last `longest_seconds`."""
        if begun != self._begun or not is_waited():
            self._begun, self._since = begun, time.monotonic()
        return time.monotonic() - self._since < self.longest_seconds

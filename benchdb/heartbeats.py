"""The times of the last signs of life of worker and beat, kept in the cache for metrics and `manage.py doctor`.

A worker gives a sign with Celery's own heartbeat. Beat has no heartbeat; a completed sweep counts instead, because it
needs beat, the broker and a worker.
"""

from __future__ import annotations

import os
import sys
import time

from django.core.cache import cache

WORKER, SWEEP = "worker", "sweep"
NAMES = (WORKER, SWEEP)
KEPT_SECONDS = 7 * 24 * 3600


def record(name: str) -> None:
    """Record a sign of life. Raises RedisError."""
    cache.set(f"seen:{name}", time.time(), KEPT_SECONDS)


def last(name: str) -> float | None:
    """The time (Unix seconds) of the last sign of life; None if there was none. Raises RedisError."""
    moment: float | None = cache.get(f"seen:{name}")
    return moment


def main(name: str, seconds: str) -> int:
    """`python -m benchdb.heartbeats worker 60` is a health check: 0 if the last sign of life is at most 60 s old."""
    moment = last(name)
    return 0 if moment is not None and time.time() - moment <= float(seconds) else 1


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchdb.settings")
    sys.exit(main(*sys.argv[1:]))

"""The times of the last signs of life of the workers and of beat, kept in the cache for metrics and `manage.py doctor`.

A worker gives a sign with Celery's own heartbeat. Beat has no heartbeat; a completed sweep counts instead, because it
needs beat, the broker and a worker.
"""

from __future__ import annotations

import os
import sys
import time

from django.core.cache import cache

WORKER, FILES_WORKER, SWEEP = "worker", "files-worker", "sweep"
NAMES = (WORKER, FILES_WORKER, SWEEP)
KEPT_SECONDS = 7 * 24 * 3600


def record(name: str) -> None:
    """Record a sign of life. Raises RedisError."""
    cache.set(f"seen:{name}", time.time(), KEPT_SECONDS)


def last(name: str) -> float | None:
    """The time (Unix seconds) of the last sign of life; None if there was none. Raises RedisError."""
    moment: float | None = cache.get(f"seen:{name}")
    return moment


def main(seconds: str, *names: str) -> int:
    """`python -m benchdb.heartbeats 60 worker` is a health check: 0 if the last sign of life is at most 60 s old."""
    return 0 if all(time.time() - (last(name) or 0) <= float(seconds) for name in names) else 1


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchdb.settings")
    sys.exit(main(*sys.argv[1:]))

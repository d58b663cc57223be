"""When worker and beat gave their last signs of life, kept in the cache: metrics and `manage.py doctor` read it.

A worker gives one with Celery's own heartbeat. Beat has none, so its message counts: a sweep that was carried out says
that beat, broker and a worker are alive together.
"""

from __future__ import annotations

import os
import sys
import time

from django.core.cache import cache

WORKER, SWEEP = "worker", "sweep"
NAMES = (WORKER, SWEEP)
KEPT_SECONDS = 7 * 24 * 3600


def note(name: str) -> None:
    """Note a sign of life. Raises RedisError."""
    cache.set(f"seen:{name}", time.time(), KEPT_SECONDS)


def when(name: str) -> float | None:
    """The time (Unix seconds) of the last sign of life; None where there was none. Raises RedisError."""
    moment: float | None = cache.get(f"seen:{name}")
    return moment


def main(name: str, seconds: str) -> int:
    """`python -m benchdb.seen worker 60`: 0 where there was a sign of life so lately, for health checks."""
    moment = when(name)
    return 0 if moment is not None and time.time() - moment <= float(seconds) else 1


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchdb.settings")
    sys.exit(main(*sys.argv[1:]))

"""Another door to the services: workers make what readers wait for."""

from __future__ import annotations

from celery.exceptions import SoftTimeLimitExceeded

from benchdb.celery import app

from . import made_files as made

SECONDS = 60


@app.task(soft_time_limit=SECONDS, time_limit=SECONDS + 15)
def make(digest: str) -> None:
    """One picture or file. Idempotent, so that a message may come twice."""
    try:
        made.make(digest)
    except SoftTimeLimitExceeded:
        made.fail(digest, f"not done after {SECONDS} seconds")
        raise


@app.task
def tidy() -> dict[str, int]:
    """Ask again for what was lost, throw away what is old. Idempotent."""
    return made.tidy()

"""Celery tasks around `worker_files`."""

from __future__ import annotations

from celery.exceptions import SoftTimeLimitExceeded

from benchdb.celery import app

from . import worker_files

SECONDS = 60


@app.task(soft_time_limit=SECONDS, time_limit=SECONDS + 15)
def make(digest: str) -> None:
    """Make one picture or file. Idempotent, because a message may come twice."""
    try:
        worker_files.make(digest)
    except SoftTimeLimitExceeded:
        worker_files.fail(digest, f"not done after {SECONDS} seconds")
        raise


@app.task
def prepare_card(permalink_id: str) -> None:
    """Request the preview picture and the badge of a permalink before the first reader does. Idempotent."""
    worker_files.prepare_card(permalink_id)


@app.task
def tidy() -> dict[str, int]:
    """Request lost files again and delete old ones. Idempotent."""
    return worker_files.tidy()

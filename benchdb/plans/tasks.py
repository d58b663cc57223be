"""Celery tasks around `queue`."""

from __future__ import annotations

from benchdb.celery import app

from . import queue


@app.task
def expire_leases() -> int:
    """Give back the jobs whose agents stopped reporting, even if no agent asks for work. Idempotent."""
    return queue.expire()

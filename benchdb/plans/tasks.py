"""Another door to the services."""

from __future__ import annotations

from benchdb.celery import app

from . import queue


@app.task
def expire_leases() -> int:
    """Give back the jobs whose agents stopped reporting, so that pages say so where no agent asks. Idempotent."""
    return queue.expire()

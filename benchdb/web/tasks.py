"""Celery tasks of `web`."""

from __future__ import annotations

from benchdb.celery import app
from benchdb.web.account import leaving


@app.task
def sweep_deleted_accounts() -> int:
    """Delete data of deleted accounts. The accounts themselves are the queue, so no lost message matters."""
    return leaving.sweep()

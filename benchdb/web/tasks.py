"""Another door to the services."""

from __future__ import annotations

from benchdb.celery import app
from benchdb.web.account import leaving


@app.task
def sweep_deleted_accounts() -> int:
    """Delete what accounts had that were deleted. The accounts are the queue, so that no message can be lost."""
    return leaving.sweep()

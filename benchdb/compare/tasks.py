"""Background tasks of permalinks; each calls a service."""

from __future__ import annotations

from benchdb.celery import app
from benchdb.compare.permalinks.services import redact


@app.task
def redact_deleted() -> int:
    """Remove the figures of deleted runs from stored permalinks, and return the number of runs that are done.

    The tombstones are the queue, so that no message can be lost; `benchdb.celery.sweep_in_turn` calls this.
    """
    return redact(seconds=5)  # the next sweep continues

"""Background tasks of permalinks; each calls a service."""

from __future__ import annotations

from benchdb.celery import alone, app
from benchdb.compare.permalinks.services import redact
from benchdb.runs.models import Tombstone

REDACTED_AT_ONCE = 1000


@app.task
@alone
def redact_deleted() -> int:
    """Remove the figures of deleted runs from stored permalinks, and return the number of runs.

    The tombstones are the queue, so that no message can be lost; the timer of the sweep starts this task.
    """
    waiting = Tombstone.objects.filter(redacted_at=None).order_by("deleted_at").values_list("pk", flat=True)
    runs = list(waiting[:REDACTED_AT_ONCE])
    for run_id in runs:
        redact(run_id)
    return len(runs)

"""Another door to the services: what happens to permalinks without anybody asking."""

from __future__ import annotations

from benchdb.celery import app
from benchdb.compare.permalinks.services import redact
from benchdb.runs.models import Tombstone

REDACTED_AT_ONCE = 1000


@app.task
def redact_deleted() -> int:
    """Take the figures of runs that were deleted out of what is stored of permalinks; how many runs it was.

    The tombstones are the queue, so that no message can be lost; the sweep's timer calls it.
    """
    waiting = Tombstone.objects.filter(redacted_at=None).order_by("deleted_at").values_list("pk", flat=True)
    runs = list(waiting[:REDACTED_AT_ONCE])
    for run_id in runs:
        redact(run_id)
    return len(runs)

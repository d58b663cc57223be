"""Celery tasks that call the services."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Sequence
from uuid import UUID

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings

from benchdb.celery import app
from benchdb.ingest.imports import background, services
from benchdb.ingest.imports.turns import UNFINISHED, take_next
from benchdb.ingest.models import Import
from benchdb.runs.models import Parse
from benchdb.runs.tasks import BEHIND_UPLOADS, CHUNK_SECONDS

from .reparse import refuse, reparse

log = logging.getLogger(__name__)

CHUNK = 50  # runs per message
MOST_CHUNKS = 50


@app.task
def reparse_runs(run_ids: Sequence[str]) -> int:
    """Read the raw output of these runs again. Returns how many runs have a new parse; idempotent."""
    begun, changed = time.monotonic(), 0
    for run_id in random.sample(run_ids, len(run_ids)):
        if time.monotonic() - begun > CHUNK_SECONDS:
            break
        try:
            outcome = reparse(UUID(run_id))
        except SoftTimeLimitExceeded:
            refuse(UUID(run_id), f"not done after {settings.CELERY_TASK_SOFT_TIME_LIMIT} seconds")
            raise
        changed += bool(outcome.changed)
        log.info("%s", outcome)
    return changed


def enqueue_unread() -> int:
    """Enqueue the runs that the present parsers have not checked, in chunks. Returns the number of runs."""
    ids = [str(pk) for pk in Parse.objects.unread().values_list("run_id", flat=True)[: CHUNK * MOST_CHUNKS]]
    for start in range(0, len(ids), CHUNK):
        chunk = ids[start : start + CHUNK]
        reparse_runs.apply_async([chunk], expires=settings.SWEEP_SECONDS, priority=BEHIND_UPLOADS)
    return len(ids)


@app.task
def continue_imports() -> None:
    """Work on the import whose turn it is, and send another message if imports are left. Idempotent."""
    draft = take_next()
    if draft is None:
        return
    if _in_time(draft) and Import.objects.filter(state__in=UNFINISHED).exists():
        background.send()


@app.task
def tidy_imports() -> dict[str, int]:
    """Send lost tasks of imports again, and delete old imports. Idempotent."""
    return services.tidy()


def _in_time(draft: Import) -> bool:
    try:
        return background.continue_import(draft)
    except SoftTimeLimitExceeded:
        background.give_up(draft.pk, f"it was not done after {settings.CELERY_TASK_SOFT_TIME_LIMIT} seconds")
        background.send()  # for the rest, and for other imports
        raise

"""Celery tasks of runs: each reads the runs that its message names, and calls a service."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import TypeVar
from uuid import UUID

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from redis import RedisError
from structlog.contextvars import bind_contextvars

from benchdb import heartbeats
from benchdb.celery import app
from benchdb.runs.store.archive import forget_deleted
from benchdb.runs.store.recomputation import chunks
from benchdb.runs.store.summaries import compute_summaries, fail, recompute_summaries

from .models import RunState, State, Tombstone

Done = TypeVar("Done")

log = logging.getLogger(__name__)

SWEPT_AT_ONCE = 1000
CHUNK_SECONDS = 60  # a chunk of many large runs ends here; the next sweep sends the rest of it
BEHIND_UPLOADS = 9  # of kombu's priorities on Redis, where 0 comes first


@app.task
def summarise(run_id: str) -> None:
    """Compute the summaries of one run. Idempotent, because a message may come twice."""
    _in_time(compute_summaries, run_id)


@app.task
def recompute(run_ids: Sequence[str]) -> int:
    """Bring these runs to the newest statistics. Returns how many were computed; idempotent.

    The order is random: if a run kills the process, the message comes again and other runs get their turn first.
    """
    begun, done = time.monotonic(), 0
    for run_id in random.sample(run_ids, len(run_ids)):
        if time.monotonic() - begun > CHUNK_SECONDS:
            break
        done += _in_time(recompute_summaries, run_id)
    return done


@app.task
def recompute_outdated() -> int:
    """Enqueue the runs with older statistics than this server's, in chunks. Returns their number.

    Every sweep sends the remaining runs again, so each message expires when the next sweep is due.
    """
    outdated = chunks()
    for run_ids in outdated:
        recompute.apply_async([run_ids], expires=settings.SWEEP_SECONDS, priority=BEHIND_UPLOADS)
    return sum(map(len, outdated))


def _in_time(compute: Callable[[UUID], Done], run_id: str) -> Done:
    """Compute one run; mark it failed if it takes too long."""
    bind_contextvars(run_id=run_id)
    try:
        return compute(UUID(run_id))
    except SoftTimeLimitExceeded:
        fail(UUID(run_id), f"not done after {settings.CELERY_TASK_SOFT_TIME_LIMIT} seconds")
        raise


@app.task
def tidy_archive() -> int:
    """Delete the archived raw output of deleted runs; returns their number. The tombstones are the queue."""
    waiting = list(Tombstone.objects.exclude(archived=None).values_list("pk", "archived")[:SWEPT_AT_ONCE])
    for run_id, names in waiting:
        forget_deleted(run_id, names or [])
    return len(waiting)


@app.task
def sweep() -> int:
    """Enqueue every run whose task was lost: not finished, unchanged for one interval, and not locked by a worker.

    A worker locks the row of its run, so the run of a killed worker is free at once. Returns the number of enqueued
    runs. Their new `changed_at` keeps the next sweep from enqueuing them again.
    """
    now = timezone.now()
    overdue = RunState.objects.filter(
        state__in=[State.RECEIVED, State.COMPUTING], changed_at__lt=now - timedelta(seconds=settings.SWEEP_SECONDS)
    )
    with transaction.atomic():
        free = overdue.order_by("changed_at").select_for_update(skip_locked=True)
        lost = list(free.values_list("pk", flat=True)[:SWEPT_AT_ONCE])
        RunState.objects.filter(pk__in=lost).update(changed_at=now)
    for run_id in lost:
        summarise.delay(str(run_id))
    try:
        heartbeats.record(heartbeats.SWEEP)
    except RedisError as error:  # the runs are enqueued; only the record of this sweep is missing
        log.warning("this sweep was not recorded: %s", error)
    return len(lost)

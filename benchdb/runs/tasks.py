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
from django.utils import timezone
from kombu.exceptions import OperationalError
from redis import RedisError
from structlog.contextvars import bind_contextvars

from benchdb import heartbeats
from benchdb.celery import app, waiting_messages
from benchdb.runs import changes, kept
from benchdb.runs.store.archive import forget_deleted
from benchdb.runs.store.recomputation import chunks
from benchdb.runs.store.summaries import compute_taken, fail, recompute_summaries
from benchdb.runs.store.waiting_runs import count_waiting, give_back, take_next

from .models import Tombstone

Done = TypeVar("Done")

log = logging.getLogger(__name__)

SWEPT_AT_ONCE = 1000
CHUNK_SECONDS = 60  # a chunk of many large runs ends here; the next sweep sends the rest of it
FEW = 10  # messages that a sweep sends however long the queue is
# Priorities of kombu on Redis, where 0 comes first: periodic tasks have 0, so that no number of uploads delays a sweep.
OF_UPLOADS = 3
BEHIND_UPLOADS = 9


@app.task(soft_time_limit=settings.STATISTICS_SECONDS, time_limit=settings.STATISTICS_SECONDS + 15)
def summarise() -> None:
    """Compute the summaries of the run whose turn it is. The message says only that some run waits."""
    run_id = take_next()
    if run_id is None:
        log.info("no run waits for its statistics")
        return
    _in_time(compute_taken, str(run_id))


@app.task(soft_time_limit=CHUNK_SECONDS + settings.STATISTICS_SECONDS)
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
    """Compute one run; mark it failed if it takes too long, so that it does not hold the workers again."""
    bind_contextvars(run_id=run_id)
    try:
        return compute(UUID(run_id))
    except SoftTimeLimitExceeded:
        fail(UUID(run_id), f"not done after {settings.STATISTICS_SECONDS} seconds")
        raise


@app.task
def tidy_archive() -> int:
    """Delete the archived raw output of deleted runs; returns their number. The tombstones are the queue."""
    waiting = list(Tombstone.objects.exclude(archived=None).values_list("pk", "archived")[:SWEPT_AT_ONCE])
    for run_id, names in waiting:
        forget_deleted(run_id, names or [])
    return len(waiting)


@app.task
def trim_kept() -> int:
    """Delete what was kept of comparisons and is not used any more; returns how many parts there were. Idempotent."""
    return kept.trim()


@app.task
def number_changes() -> int:
    """Number the changes of public runs, so that feeds show them; returns how many there were. Idempotent."""
    return changes.number_changes()


@app.task
def sweep() -> int:
    """Find runs whose worker was killed or whose message was lost. Returns the number of messages sent.

    A worker locks the row of its run, so the run of a killed worker is free at once. All messages are equal: this sends
    as many as are missing, and a few in any case, because messages of other tasks are counted too.
    """
    overdue = timezone.now() - timedelta(seconds=settings.SWEEP_SECONDS)
    waiting = count_waiting(overdue, SWEPT_AT_ONCE) + give_back(overdue, SWEPT_AT_ONCE)
    missing = max(min(waiting, FEW), waiting - _in_queue())
    for _ in range(missing):
        summarise.apply_async(expires=settings.SWEEP_SECONDS, priority=OF_UPLOADS)
    try:
        heartbeats.record(heartbeats.SWEEP)
    except RedisError as error:  # the messages are sent; only the record of this sweep is missing
        log.warning("this sweep was not recorded: %s", error)
    return missing


def _in_queue() -> int:
    """The number of messages that wait; 0 if the broker does not answer."""
    try:
        return waiting_messages(app.conf.task_default_queue)
    except (RedisError, OperationalError) as error:
        log.warning("the messages were not counted: %s", error)
        return 0

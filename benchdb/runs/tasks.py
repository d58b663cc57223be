"""Another door to the services: fetch what the message names, call the service."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.utils import timezone

from benchdb.celery import app

from .models import RunState, State
from .services import compute_summaries, fail

SWEPT_AT_ONCE = 1000


@app.task
def summarise(run_id: str) -> None:
    """Summaries of one run. Idempotent, so that a message may come twice."""
    try:
        compute_summaries(UUID(run_id))
    except SoftTimeLimitExceeded:
        fail(UUID(run_id), f"not done after {settings.CELERY_TASK_SOFT_TIME_LIMIT} seconds")
        raise


@app.task
def sweep() -> int:
    """Enqueue every run whose task was lost: not finished, and unchanged for longer than a task may take to begin.

    A run that is received waits one sweep interval, one that is computing the hard time limit of its task. Returns how
    many were enqueued. Touching them keeps the next sweep from enqueuing them again at once.
    """
    now = timezone.now()
    waiting = {
        State.RECEIVED: timedelta(seconds=settings.SWEEP_SECONDS),
        State.COMPUTING: timedelta(seconds=settings.CELERY_TASK_TIME_LIMIT),
    }
    lost: list[UUID] = []
    for state, patience in waiting.items():
        overdue = RunState.objects.filter(state=state, changed_at__lt=now - patience).order_by("changed_at")
        lost += overdue.values_list("pk", flat=True)[:SWEPT_AT_ONCE]
    RunState.objects.filter(pk__in=lost).update(changed_at=now)
    for run_id in lost:
        summarise.delay(str(run_id))
    return len(lost)

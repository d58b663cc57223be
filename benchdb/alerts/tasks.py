"""Celery tasks of watches; timers start them, and the tables are their queues."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from celery.exceptions import SoftTimeLimitExceeded
from django.db.models import F, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from benchdb.celery import app

from . import outbox
from .confirming import advance
from .models import Alert, AlertState, Watch
from .watching import look_at, stamps

SECONDS = 60  # after which a sweep ends; the next one continues
LIMIT = 300  # after which a hanging sweep is stopped
WATCHES_AT_ONCE = 1000
NO_RUNS = "no runs"  # the stamp of a machine without any
OPEN = (AlertState.SUSPECTED, AlertState.MEASURING)
LONGEST_AGO = F("checked_at").asc(nulls_first=True)


@app.task(soft_time_limit=LIMIT, time_limit=LIMIT + 15)
def sweep() -> int:
    """Look at the watches whose machines have new runs, then go on with open alerts. Returns the number of looks.

    Idempotent. Accounts take turns, each with the watch that was looked at longest ago. Raises ExceptionGroup of the
    defects of single watches and alerts, after the others had their turn.
    """
    until, failures, looks = time.monotonic() + SECONDS, list[Exception](), 0
    turn = Window(RowNumber(), partition_by="owner", order_by=LONGEST_AGO)
    turns = Watch.objects.select_related("owner").annotate(turn=turn).order_by("turn", LONGEST_AGO)
    watches = list(turns[:WATCHES_AT_ONCE])
    now = stamps({watch.machine_id for watch in watches})
    changed = [watch for watch in watches if now.get(watch.machine_id, NO_RUNS) != watch.stamp]
    quiet = {watch.pk for watch in watches}.difference(watch.pk for watch in changed)
    Watch.objects.filter(pk__in=quiet).update(checked_at=timezone.now())  # to the end of the order, too
    for watch in changed:
        if time.monotonic() < until:
            with _collected(failures):
                look_at(watch, now.get(watch.machine_id, NO_RUNS))
            looks += 1
    waiting = Alert.objects.filter(state__in=OPEN).order_by("changed_at").values_list("pk", flat=True)
    for alert_id in waiting:
        if time.monotonic() > until:
            break
        with _collected(failures):
            advance(alert_id)
    if failures:
        raise ExceptionGroup("watches or alerts", failures)
    return looks


@contextmanager
def _collected(failures: list[Exception]) -> Iterator[None]:
    """Keep a defect for the end of the sweep, so that the other watches have their turn."""
    try:
        yield
    except SoftTimeLimitExceeded:
        raise
    except Exception as error:
        failures.append(error)


@app.task(soft_time_limit=LIMIT, time_limit=LIMIT + 15)
def send_due() -> int:
    """Send the notifications that are due. Returns the number of attempts; idempotent."""
    return outbox.send_due()

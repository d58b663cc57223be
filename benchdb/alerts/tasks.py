"""Celery tasks of watches; timers start them, and the tables are their queues."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from celery.exceptions import SoftTimeLimitExceeded

from benchdb.celery import app

from . import outbox
from .confirming import advance
from .models import Alert, AlertState, Watch
from .watching import look_at, stamps

SECONDS = 60  # after which a sweep ends; the next one continues
LIMIT = 300  # after which a hanging sweep is stopped
WATCHES_AT_ONCE = 1000
OPEN = (AlertState.SUSPECTED, AlertState.MEASURING)


@app.task(soft_time_limit=LIMIT, time_limit=LIMIT + 15)
def sweep() -> int:
    """Look at the watches whose machines have new runs, then go on with open alerts. Returns the number of looks.

    Idempotent. The watches that were looked at longest ago come first. Raises ExceptionGroup of the defects of single
    watches and alerts, after the others had their turn.
    """
    until, failures = time.monotonic() + SECONDS, list[Exception]()
    watches = list(Watch.objects.select_related("owner").order_by("checked_at")[:WATCHES_AT_ONCE])
    now, looks = stamps({watch.machine_id for watch in watches}), 0
    for watch in watches:
        stamp = now.get(watch.machine_id, "no runs")
        if stamp != watch.stamp and time.monotonic() < until:
            with _collected(failures):
                look_at(watch, stamp)
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

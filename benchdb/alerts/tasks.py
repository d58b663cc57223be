"""Celery tasks of watches; timers start them, and the tables are their queues."""

from __future__ import annotations

import time

from benchdb.celery import app

from . import outbox
from .confirming import advance
from .models import Alert, AlertState, Watch
from .watching import look_at, stamps

SECONDS = 60  # after which a sweep ends; the next one continues
WATCHES_AT_ONCE = 1000
OPEN = (AlertState.SUSPECTED, AlertState.MEASURING)


@app.task
def sweep() -> int:
    """Look at the watches whose machines have new runs, then go on with open alerts. Returns the number of looks.

    Idempotent. The watches that were looked at longest ago come first.
    """
    until = time.monotonic() + SECONDS
    watches = list(Watch.objects.select_related("owner").order_by("checked_at")[:WATCHES_AT_ONCE])
    now, looks = stamps({watch.machine_id for watch in watches}), 0
    for watch in watches:
        stamp = now.get(watch.machine_id, "no runs")
        if stamp != watch.stamp and time.monotonic() < until:
            look_at(watch, stamp)
            looks += 1
    waiting = Alert.objects.filter(state__in=OPEN).order_by("changed_at").values_list("pk", flat=True)
    for alert_id in waiting:
        if time.monotonic() > until:
            break
        advance(alert_id)
    return looks


@app.task
def send_due() -> int:
    """Send the notifications that are due. Returns the number of attempts; idempotent."""
    return outbox.send_due()

"""Celery tasks of watches; a timer starts them in turn with others, and the tables are their queues."""

from __future__ import annotations

import time
from collections import defaultdict

from django.db.models import F, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from benchdb.celery import app, collected

from . import outbox
from .confirming import advance
from .models import Alert, AlertState, Watch
from .watching import look_at, stamps

SECONDS = 20  # of a sweep for looks; the next one continues
OWNER_SECONDS = 10  # after which an account's further looks wait for the next sweep
ALERT_SECONDS = 10  # of a sweep for open alerts, which no number of looks takes away
WATCHES_AT_ONCE = 1000
NO_RUNS = "no runs"  # the stamp of a machine without any
OPEN = (AlertState.SUSPECTED, AlertState.MEASURING)
LONGEST_AGO = F("checked_at").asc(nulls_first=True)


@app.task
def sweep() -> int:
    """Look at the watches whose machines have new runs, then go on with open alerts. Returns the number of looks.

    Idempotent. Raises ExceptionGroup of the defects of single watches and alerts, after the others had their turn.
    """
    failures = list[Exception]()
    looks = _look(failures)
    _advance(failures)
    if failures:
        raise ExceptionGroup("watches or alerts", failures)
    return looks


def _look(failures: list[Exception]) -> int:
    """Look at watches; accounts take turns, each with the watch that was looked at longest ago."""
    looks, spent, until = 0, defaultdict[int, float](float), time.monotonic() + SECONDS
    turn = Window(RowNumber(), partition_by="owner", order_by=LONGEST_AGO)
    active = Watch.objects.filter(owner__is_active=True).select_related("owner")
    watches = list(active.annotate(turn=turn).order_by("turn", LONGEST_AGO)[:WATCHES_AT_ONCE])
    now = stamps({watch.machine_id for watch in watches})
    changed = [watch for watch in watches if now.get(watch.machine_id, NO_RUNS) != watch.stamp]
    quiet = {watch.pk for watch in watches}.difference(watch.pk for watch in changed)
    Watch.objects.filter(pk__in=quiet).update(checked_at=timezone.now())  # to the end of the order, too
    for watch in changed:
        started = time.monotonic()
        if started < until and spent[watch.owner_id] < OWNER_SECONDS:
            with collected(failures):
                look_at(watch, now.get(watch.machine_id, NO_RUNS))
            spent[watch.owner_id] += time.monotonic() - started
            looks += 1
    return looks


def _advance(failures: list[Exception]) -> None:
    """Go on with open alerts in a time of their own; accounts take turns."""
    until = time.monotonic() + ALERT_SECONDS
    turn = Window(RowNumber(), partition_by="watch__owner", order_by="changed_at")
    waiting = Alert.objects.filter(state__in=OPEN).annotate(turn=turn).order_by("turn", "changed_at")
    for alert_id in waiting.values_list("pk", flat=True):
        if time.monotonic() > until:
            break
        with collected(failures):
            advance(alert_id)


@app.task
def send_due() -> int:
    """Send the notifications that are due. Returns the number of attempts; idempotent."""
    return outbox.send_due()

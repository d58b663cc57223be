"""Celery tasks of watches; a timer starts them in turn with others, and the tables are their queues."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import Count, F, Max, Q, Sum, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from benchdb.celery import app, collected
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.trend.evaluate import evaluate_trend
from benchdb.compare.trend.selection import TrendSelection
from benchdb.runs.models import FINISHED, Run, RunState, in_short

from . import outbox
from .causes import causes_of
from .confirming import advance
from .models import Alert, AlertState, SecondMeasurement, Watch
from .suspicion import Suspect, suspects_in

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


GONE = "Later runs no longer show the change."


def stamps(machines: Collection[int]) -> dict[int, str]:
    """A text for each machine that changes with its runs: new, computed, read again, withdrawn, deleted. One query."""
    finished = Q(state__in=FINISHED)
    states = RunState.objects.filter(run__machine__in=machines).order_by().values("run__machine")
    counted = states.annotate(
        runs=Count("pk"),
        newest=Max("run__received_at"),
        finished=Count("pk", filter=finished),
        parses=Sum("current_parse"),
        versions=Sum("statistics_version"),
        withdrawn=Count("withdrawn_at"),
    )
    columns = ("runs", "newest", "finished", "parses", "versions", "withdrawn")
    return {int(row["run__machine"]): " ".join(str(row.get(name)) for name in columns) for row in counted}


def look_at(watch: Watch, stamp: str) -> None:
    """Evaluate the trend of a watch, and keep its alerts and the stamp in one transaction; safe to kill and to repeat.

    The stamp was read before, so a run that arrives meanwhile makes the next sweep look again.
    """
    try:
        content, _ = evaluate_trend(TrendSelection.parse(watch.query), watch.owner)
    except ImpossibleSelection as error:
        Watch.objects.filter(pk=watch.pk).update(stamp=stamp, checked_at=timezone.now(), problem=str(error))
        return
    shown = {UUID(run) for series in content.series for run in series.runs}
    suspects = suspects_in(content)
    with transaction.atomic():
        locked = Watch.objects.select_for_update().filter(pk=watch.pk).first()
        if locked is None:  # deleted meanwhile
            return
        alerts = list(locked.alerts.filter(run__in=shown))
        runs = in_short(Run.objects.with_context()).in_bulk(
            [run for each in suspects for run in (each.run, each.before)]
        )
        for suspect in suspects:
            _keep(locked, suspect, alerts, runs)
        _drop_gone(alerts, suspects)
        locked.stamp, locked.checked_at, locked.problem = stamp, timezone.now(), ""
        locked.save(update_fields=["stamp", "checked_at", "problem"])


def _keep(watch: Watch, suspect: Suspect, alerts: Sequence[Alert], runs: Mapping[object, Run]) -> None:
    """The alert of a suspect: a new one, or the one that is there, which may have become certain."""
    known = next((alert for alert in alerts if alert.run_id in suspect.near), None)
    if known is not None:
        _more_certain(known, suspect)
        return
    run, before = runs.get(suspect.run), runs.get(suspect.before)
    if run is None or before is None or run.received_at < watch.created_at:
        return  # deleted meanwhile, or older than the watch
    Alert.objects.create(
        watch=watch,
        run=run,
        before=before,
        kind=suspect.kind,
        ratio=suspect.ratio,
        change=suspect.change,
        certain=suspect.certain,
        causes=causes_of(before, run),
    )


def _more_certain(alert: Alert, suspect: Suspect) -> None:
    """A change that has become certain is measured again, unless its repetition was."""
    if alert.certain or not suspect.certain:
        return
    alert.certain, alert.change, alert.ratio = True, suspect.change, suspect.ratio
    if alert.state in (AlertState.SUSPECTED, AlertState.NOT_CONFIRMED) and alert.method != SecondMeasurement.REPETITION:
        alert.state, alert.reason = AlertState.SUSPECTED, ""
    alert.save()


def _drop_gone(alerts: Sequence[Alert], suspects: Sequence[Suspect]) -> None:
    """Suspected changes that the trend does not show any more are not confirmed; what is being measured goes on."""
    for alert in alerts:
        if alert.state == AlertState.SUSPECTED and not any(alert.run_id in suspect.near for suspect in suspects):
            alert.state, alert.reason = AlertState.NOT_CONFIRMED, GONE
            alert.save()

"""Looks at watched trends after new runs arrived, and keeps an alert for each suspected change."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import Count, Max, Q, Sum
from django.utils import timezone

from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.trend.evaluate import evaluate_trend
from benchdb.compare.trend.selection import TrendSelection
from benchdb.runs.models import FINISHED, Run, RunState

from .causes import causes_of
from .models import Alert, AlertState, SecondMeasurement, Watch
from .suspicion import Suspect, suspects_in

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
        runs = Run.objects.with_context().in_bulk([run for each in suspects for run in (each.run, each.before)])
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

"""The second measurement of a suspected change: its plan, and what its runs say."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.trend.runs import MEASURED_FOR_ALERT
from benchdb.facts.storage import TUNABLES
from benchdb.plans.again import NoPlan, PlanFrame, plan_on
from benchdb.plans.models import Job, JobState
from benchdb.plans.offers import MachineOffer, why_not
from benchdb.plans.plan_texts import CheckedPlan
from benchdb.plans.queue import QueueFull, queue_plan
from benchdb.quotas.limits import QuotaExceeded
from benchdb.roles import only_reads
from benchdb.runs.models import Run, State, Visibility

from .causes import NEW, OLD, targets_of
from .judging import Judgement, judge_repetition, judge_settings
from .limits import ROUNDS
from .models import Alert, AlertState, SecondMeasurement
from .outbox import notify

LATE = timedelta(days=1)  # that runs of a finished plan may still be in the spool of their agent
NOT_CERTAIN = "A repetition is measured as soon as the change point is certain."
NOTHING_TO_RESTORE = "No setting that a plan can restore differs."


class Unmeasurable(Exception):
    """The machine cannot measure the change; the text is the reason."""


def advance(alert_id: UUID) -> None:
    """Queue the second measurement of an alert, or read its runs if they are there. One transaction, idempotent."""
    with transaction.atomic():
        open_alerts = Alert.objects.select_for_update(skip_locked=True, of=("self",)).filter(pk=alert_id)
        alert = open_alerts.select_related("watch__owner", "job").first()
        if alert is None:
            return
        if alert.state == AlertState.SUSPECTED and not alert.reason:
            _decide(alert)
        elif alert.state == AlertState.MEASURING:
            _read(alert)


def _decide(alert: Alert) -> None:
    """Queue the next measurement, or store why there is none."""
    said = []
    try:
        if alert.method == SecondMeasurement.NONE:
            if _queued(alert, SecondMeasurement.SETTINGS):
                return
            said.append(NOTHING_TO_RESTORE)
        if alert.certain:
            _queued(alert, SecondMeasurement.REPETITION)
            return
        alert.reason = " ".join([*said, NOT_CERTAIN])
    except Unmeasurable as error:
        alert.state, alert.reason = AlertState.UNMEASURABLE, " ".join([*said, str(error)])
    except QueueFull:  # a later sweep tries again
        return
    alert.save()


def _queued(alert: Alert, method: SecondMeasurement) -> bool:
    """Queue the plan of this method; False if it has nothing to compare. Raises Unmeasurable and QueueFull."""
    before, after = (Run.objects.with_context().defer("rounds").get(pk=pk) for pk in (alert.before_id, alert.run_id))
    try:
        both = targets_of(before, after)
        if method == SecondMeasurement.SETTINGS and not both.differ:
            return False
        present = {name: value for name, value in both.new.items() if name not in TUNABLES}  # which the agent leaves
        targets = [both.old, both.new] if method == SecondMeasurement.SETTINGS else [present]
        plan = plan_on(after, targets, PlanFrame("alert", ROUNDS, "rotated", {MEASURED_FOR_ALERT: str(alert.pk)}))
    except NoPlan as error:
        raise Unmeasurable(
            f"There is no plan for it: {'; '.join(error.reasons) or 'the run has too few facts'}."
        ) from None
    _check_machine(alert, plan)
    owner = alert.watch.owner
    try:
        [alert.job] = queue_plan(owner, plan, [after.machine], Visibility.PRIVATE)
    except QuotaExceeded as error:
        raise Unmeasurable(str(error)) from None
    alert.state, alert.method, alert.reason = AlertState.MEASURING, method, ""
    alert.save()
    return True


def _check_machine(alert: Alert, plan: CheckedPlan) -> None:
    machine, owner = alert.watch.machine, alert.watch.owner
    if only_reads(owner) or not owner.is_active:
        raise Unmeasurable("The account may not queue plans.")
    listener = getattr(machine, "listener", None)
    if listener is None:
        raise Unmeasurable(f"The agent of {machine.name} takes no queued plans.")
    offer = MachineOffer.of(listener)
    if offer and (reasons := why_not(plan.plan, offer)):
        raise Unmeasurable(f"{machine.name} cannot run the plan: {'; '.join(reasons)}.")


def _read(alert: Alert) -> None:
    """Judge the runs of the plan once they are complete."""
    job = alert.job
    if job is None:
        _end(alert, Judgement(AlertState.UNMEASURABLE, "Its plan was deleted."))
    elif job.state in (JobState.FAILED, JobState.REFUSED, JobState.CANCELLED):
        _end(alert, Judgement(AlertState.UNMEASURABLE, f"Its plan was {job.get_state_display().lower()}: {job.reason}"))
    elif job.state == JobState.FINISHED:
        _judge(alert, job)


def _judge(alert: Alert, job: Job) -> None:
    wanted = (OLD, NEW) if alert.method == SecondMeasurement.SETTINGS else (NEW,)
    runs = _runs_of(alert, job)
    if not all(name in runs and runs[name].runstate.state == State.READY for name in wanted):
        if job.ended_at is not None and timezone.now() - job.ended_at > LATE:
            _end(alert, Judgement(AlertState.UNMEASURABLE, "Its plan ended without all of its runs."))
        return
    alert.old_run, alert.new_run = runs.get(OLD), runs[NEW]
    try:
        if alert.method == SecondMeasurement.SETTINGS:
            _end(alert, judge_settings(alert, runs[OLD], runs[NEW]))
        else:
            _end(alert, judge_repetition(alert, runs[NEW]))
    except ImpossibleSelection as error:
        _end(alert, Judgement(AlertState.UNMEASURABLE, str(error)))


def _runs_of(alert: Alert, job: Job) -> dict[str, Run]:
    """The newest run of the workload on each target of the plan, by the target's name."""
    if job.campaign_id is None:
        return {}
    runs = Run.objects.filter(campaign_id=job.campaign_id, runstate__owner=alert.watch.owner_id, tool=alert.run.tool)
    return {
        (run.campaign_point or "").partition("/")[0]: run for run in runs.with_context().defer("rounds").order_by("id")
    }


def _end(alert: Alert, found: Judgement) -> None:
    """Store the answer of a measurement. A change that became certain meanwhile goes on to its repetition."""
    alert.state, alert.reason = found.state, found.reason
    if found.state == AlertState.NOT_CONFIRMED and alert.certain and alert.method == SecondMeasurement.SETTINGS:
        alert.state, alert.reason = AlertState.SUSPECTED, ""
    alert.save()
    if alert.state == AlertState.CONFIRMED:
        notify(alert)

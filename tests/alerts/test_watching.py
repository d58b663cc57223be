"""From new runs to an alert and to the end of its second measurement, with the real tasks and database."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from benchdb.alerts import tasks
from benchdb.alerts.causes import causes_of
from benchdb.alerts.confirming import NOT_CERTAIN, NOTHING_TO_RESTORE, advance
from benchdb.alerts.models import Alert, AlertState, SecondMeasurement, Watch
from benchdb.alerts.services import WatchSettings, make_watch
from benchdb.alerts.tasks import GONE, sweep
from benchdb.compare.trend.evaluate import evaluate_trend
from benchdb.compare.trend.selection import TrendSelection
from benchdb.plans.models import Job, JobState, Listener
from benchdb.plans.plan_texts import read_plan
from benchdb.quotas.models import OwnQuota
from benchdb.roles import Role, set_role
from benchdb.runs.models import Run
from benchdb.runs.services import delete_run, withdraw
from benchdb.web.account.leaving import leave
from benchdb.web.account.leaving import sweep as sweep_accounts
from tests.alerts.watched import (
    confirmed,
    days,
    finished,
    image,
    listening,
    measured,
    slower,
    suspected,
    sweep_again,
    watched,
)
from tests.support.comparing.trends import NEW, OLD, on_kernel
from tests.support.documents import MIB, uuid7
from tests.texts import missing_in

pytestmark = pytest.mark.django_db


def test_a_changed_mount_option_is_measured_old_against_new_in_turns(owner: User) -> None:
    watch = watched(owner)
    slower(owner)
    with CaptureQueriesContext(connection) as queries:
        sweep()
    alert = watch.alerts.get()

    assert not [query["sql"] for query in queries if '"runs_run"."rounds"' in query["sql"]]
    assert (alert.state, alert.method, alert.kind) == (AlertState.MEASURING, SecondMeasurement.SETTINGS, "worse")
    assert alert.ratio == pytest.approx(0.8, rel=0.02)
    assert alert.change.startswith("Throughput of write: 20 % slower")
    assert [(each["label"], each["restored"]) for each in alert.causes] == [("mount options", True)]
    job = Job.objects.get()
    assert alert.job == job
    assert (job.machine, job.visibility, job.state) == (alert.watch.machine, "private", JobState.WAITING)
    plan = read_plan(job.plan_text).plan
    assert (plan.rounds, plan.order, plan.labels) == (12, "rotated", {"benchdb.alert": str(alert.pk)})
    assert [(part.name, part.mount_options) for part in plan.targets] == [
        ("old", ("relatime",)),
        ("new", ("relatime", "sync")),
    ]


def test_it_is_confirmed_if_the_rounds_show_the_same_change(owner: User) -> None:
    alert = confirmed(owner)

    assert (alert.state, alert.method) == (AlertState.CONFIRMED, SecondMeasurement.SETTINGS)
    assert alert.reason.startswith("Worse: 2")
    assert alert.old_run is not None
    assert alert.new_run is not None
    assert (alert.old_run.campaign_point, alert.new_run.campaign_point) == ("old/iozone", "new/iozone")


def test_a_sure_change_is_confirmed_though_it_may_be_smaller_than_the_margin(owner: User) -> None:
    """A gate would leave it undecided, because it fails only for a loss above its margin."""
    alert = suspected(owner)
    measured(alert, {"old": 100, "new": 98.9})

    advance(alert.pk)

    alert.refresh_from_db()
    assert alert.state == AlertState.CONFIRMED
    assert alert.reason.startswith("Worse, but perhaps by less than 1 %: 1.1 % slower (95 % interval 0.")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [(100, 100.02, "Equal within 1 %"), (80, 100, "Better"), (100, 99.9, "Equal within 1 %")],
    ids=["alike", "the other way", "tiny"],
)
def test_it_is_not_confirmed_by_other_rounds(owner: User, old: float, new: float, reason: str) -> None:
    alert = suspected(owner)
    Alert.objects.update(certain=False)
    measured(alert, {"old": old, "new": new})

    advance(alert.pk)

    alert.refresh_from_db()
    assert alert.state == AlertState.NOT_CONFIRMED
    assert alert.reason.startswith(reason)
    assert not alert.notices.exists()


def test_runs_of_a_second_measurement_are_in_no_trend(owner: User) -> None:
    alert = confirmed(owner)
    (series,) = evaluate_trend(TrendSelection.parse(alert.watch.query), owner)[0].series
    assert len(series.runs) == 12
    by_machine = TrendSelection.parse(f"machine={alert.watch.machine_id}")
    assert len(evaluate_trend(by_machine, owner)[0].series[0].runs) == 4, "those with the newest run's mount options"


def test_a_new_kernel_cannot_be_undone_but_a_repetition_confirms_it_once_it_is_certain(owner: User) -> None:
    watch = watched(owner)
    kernel = {"environment": on_kernel(NEW), "target": image("relatime")}
    slower(owner, count=3, level=97, **kernel)
    sweep()
    alert = watch.alerts.get()
    assert {each["label"]: each["restored"] for each in alert.causes}["kernel"] is False
    assert (alert.state, alert.reason) == (AlertState.SUSPECTED, f"{NOTHING_TO_RESTORE} {NOT_CERTAIN}")
    assert not Job.objects.exists()

    slower(owner, 11, 6, 97, **kernel)
    sweep()

    alert.refresh_from_db()
    assert (alert.state, alert.method, alert.certain) == (AlertState.MEASURING, SecondMeasurement.REPETITION, True)
    (part,) = read_plan(Job.objects.get().plan_text).plan.targets
    assert (part.name, part.mount_options, part.scheduler) == ("new", ("relatime",), None)
    measured(alert, {"new": 96})
    sweep_again(alert)
    assert alert.state == AlertState.CONFIRMED
    assert not missing_in(alert.reason, "outside the 95 % prediction interval", "of the 8 days before")


def test_a_repetition_like_the_days_before_confirms_nothing(owner: User) -> None:
    watch = watched(owner)
    slower(owner, count=9, level=92, environment=on_kernel(NEW), target=image("relatime"))
    sweep()
    alert = watch.alerts.get()
    assert alert.method == SecondMeasurement.REPETITION
    measured(alert, {"new": 100.1})
    sweep_again(alert)
    assert alert.state == AlertState.NOT_CONFIRMED
    assert "inside the 95 % prediction interval" in alert.reason


def test_settings_that_do_not_explain_a_certain_change_are_followed_by_a_repetition(owner: User) -> None:
    alert = suspected(owner)
    slower(owner, 12, 6)
    sweep_again(alert)
    assert alert.certain
    measured(alert, {"old": 80, "new": 80})
    sweep_again(alert)
    assert alert.state == AlertState.SUSPECTED
    sweep_again(alert)
    assert (alert.state, alert.method) == (AlertState.MEASURING, SecondMeasurement.REPETITION)
    measured(alert, {"new": 80})
    sweep_again(alert)
    assert (alert.state, Job.objects.count()) == (AlertState.CONFIRMED, 2)


def test_no_run_and_no_change_is_looked_at_twice(owner: User) -> None:
    alert = suspected(owner)
    assert sweep() == 0
    slower(owner, 12, 1)
    assert sweep() == 1
    slower(owner, 13, 1)
    sweep()
    assert ((Alert.objects.count(), Job.objects.count()), alert.watch.alerts.get()) == ((1, 1), alert)


def test_a_change_point_that_moves_by_a_day_is_the_same_change(owner: User) -> None:
    alert = suspected(owner)
    earlier = days(owner, 7, [80], target=image("sync", "relatime"))[0]  # one more run of the last day before
    sweep()
    assert earlier.pk != alert.run_id
    assert Alert.objects.get() == alert


def test_changes_before_the_watch_are_history(owner: User) -> None:
    watch = watched(owner)
    Watch.objects.filter(pk=watch.pk).update(created_at=timezone.now() + timedelta(hours=1))
    slower(owner)
    sweep()
    assert not watch.alerts.exists()


def test_a_change_that_later_runs_do_not_show_is_not_confirmed(owner: User) -> None:
    watch = watched(owner)
    low = slower(owner, count=3, level=97, target=image("relatime"))
    sweep()
    alert = watch.alerts.get()
    assert alert.state == AlertState.SUSPECTED
    withdraw(low[1], "wrong")
    sweep_again(alert)
    assert (alert.state, alert.reason) == (AlertState.NOT_CONFIRMED, GONE)


def test_a_deleted_run_takes_its_alert_with_it(owner: User) -> None:
    alert = suspected(owner)
    delete_run(alert.run)
    assert not Alert.objects.exists()
    delete_run(alert.before)
    sweep()
    assert Alert.objects.count() == 1, "the change is still there, between other runs"


def test_a_watch_whose_trend_is_gone_says_so_and_recovers(owner: User) -> None:
    watch = watched(owner)
    origin = TrendSelection.parse(watch.query).run
    delete_run(Run.objects.with_context().get(pk=origin))
    sweep_again(watch)
    assert watch.problem == f"There is no run {origin} that you may see."


@pytest.mark.parametrize("state", [JobState.FAILED, JobState.REFUSED, JobState.CANCELLED])
def test_a_plan_that_ends_without_runs_leaves_it_unmeasurable(owner: User, state: JobState) -> None:
    alert = suspected(owner)
    assert alert.job is not None
    finished(alert.job, None, state, "No space left on device")
    sweep_again(alert)
    assert (alert.state, alert.reason) == (
        AlertState.UNMEASURABLE,
        f"Its plan was {state.value}: No space left on device",
    )


def test_runs_that_are_late_are_waited_for_a_day(owner: User) -> None:
    alert = suspected(owner)
    assert alert.job is not None
    job = finished(alert.job, uuid7())
    sweep_again(alert)
    assert alert.state == AlertState.MEASURING
    Job.objects.filter(pk=job.pk).update(ended_at=timezone.now() - timedelta(days=2))
    sweep_again(alert)
    assert (alert.state, alert.reason) == (AlertState.UNMEASURABLE, "Its plan ended without all of its runs.")


def takes_no_images(owner: User) -> None:
    Listener.objects.update(offer={**Listener.objects.get().offer, "images": False})


@pytest.mark.parametrize(
    ("hinder", "reason"),
    [
        (lambda owner: Listener.objects.all().delete(), "The agent of epyc-2 takes no queued plans."),
        (takes_no_images, "epyc-2 cannot run the plan: the agent’s config file allows no images"),
        (lambda owner: set_role(owner, Role.VIEWER), "The account may not queue plans."),
        (lambda owner: OwnQuota.objects.create(owner=owner, quota="plans", most=0), "plan"),
    ],
    ids=["no agent", "no images", "viewer", "quota"],
)
def test_what_hinders_a_measurement_is_named(owner: User, hinder: Callable[[User], object], reason: str) -> None:
    watch = watched(owner)
    hinder(owner)
    slower(owner)
    sweep()
    alert = watch.alerts.get()
    assert alert.state == AlertState.UNMEASURABLE
    assert reason in alert.reason


def test_a_device_cannot_be_formatted_by_an_alert(owner: User) -> None:
    device = {**image("relatime"), "kind": "device"}
    runs = days(owner, 0, [100] * 8, target=device)
    listening(owner, runs[0].machine)
    watch = make_watch(owner, f"run={runs[0].pk}&test=write&vary=mount_options", WatchSettings("x", False, ""))
    slower(owner, target={**image("sync", "relatime"), "kind": "device"})
    sweep()
    alert = watch.alerts.get()
    assert alert.state == AlertState.UNMEASURABLE
    assert "neither a directory nor an image" in alert.reason


def test_a_killed_sweep_loses_and_repeats_nothing(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    watch = watched(owner)
    slower(owner)

    def killed(alert_id: object) -> None:
        raise SystemExit

    monkeypatch.setattr(tasks, "advance", killed)
    with pytest.raises(SystemExit):
        sweep()
    monkeypatch.undo()
    assert (Alert.objects.count(), Job.objects.count()) == (1, 0)
    sweep()
    assert watch.alerts.get().state == AlertState.MEASURING


def test_tunables_of_a_directory_can_be_restored_and_mount_options_cannot(owner: User) -> None:
    directory = {**image("relatime"), "kind": "directory"}
    before, _ = days(owner, 0, [100, 100], target=directory)
    changed = {**image("sync", "relatime"), "kind": "directory", "scheduler": "none", "read_ahead": 4 * MIB}
    (after,) = days(owner, 2, [100], target=changed)
    found = {each["label"]: each["restored"] for each in causes_of(before, after)}
    assert found == {"read-ahead": True, "scheduler": True, "mount options": False}


def test_a_kernel_is_named_with_both_values(owner: User) -> None:
    before, after = (days(owner, i, [100], environment=on_kernel(kernel))[0] for i, kernel in enumerate((OLD, NEW)))
    (cause,) = [each for each in causes_of(before, after) if each["name"] == "kernel"]
    assert (cause["before"], cause["after"], cause["restored"]) == (OLD, NEW, False)


def test_watches_end_with_their_account(owner: User) -> None:
    suspected(owner)
    leave(owner)
    sweep_accounts()
    assert not Watch.objects.exists()

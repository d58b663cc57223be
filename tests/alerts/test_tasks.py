"""A defect in one watch or alert does not stop the others, and is reported."""

import pytest
from django.contrib.auth.models import User

from benchdb.alerts import tasks
from benchdb.alerts.models import Alert, AlertState, Watch
from benchdb.alerts.services import WatchSettings, make_watch
from benchdb.alerts.tasks import look_at
from tests.alerts.watched import measured, slower, suspected, watched
from tests.support.store import make_user

pytestmark = pytest.mark.django_db


def test_a_defect_in_one_watch_does_not_stop_the_others(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    damaged = watched(owner)
    other = make_watch(owner, damaged.query, WatchSettings(name="the same trend", mail=False, webhook=""))
    slower(owner)

    def look(watch: Watch, stamp: str) -> None:
        if watch == damaged:
            raise ZeroDivisionError
        look_at(watch, stamp)

    monkeypatch.setattr(tasks, "look_at", look)
    with pytest.raises(ExceptionGroup, match="watches or alerts") as raised:
        tasks.sweep()

    assert ([type(each) for each in raised.value.exceptions], other.alerts.count()) == ([ZeroDivisionError], 1)
    assert damaged.alerts.count() == 0


def test_a_watch_whose_query_became_impossible_ends_its_measurement(owner: User) -> None:
    alert = suspected(owner)
    measured(alert, {"old": 100, "new": 80})
    Watch.objects.update(query="machine=1&file_size=large")

    tasks.sweep()

    alert.refresh_from_db()
    assert alert.state == AlertState.UNMEASURABLE
    assert "file_size" in alert.reason


def test_quiet_watches_and_those_of_one_account_leave_turns_to_others(
    owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched(make_user("grace"), place={"machine": {"name": "other", "machine_id": "c" * 64}})  # nothing changes on it
    watch = watched(owner)
    new = make_watch(owner, watch.query, WatchSettings(name="never looked at", mail=False, webhook=""))
    slower(owner)
    monkeypatch.setattr(tasks, "WATCHES_AT_ONCE", 1)

    assert [tasks.sweep() for _ in range(3)] == [1, 0, 1]

    assert (new.alerts.count(), watch.alerts.count()) == (1, 1)


def test_looks_leave_time_for_open_alerts(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    alert = suspected(owner)
    measured(alert, {"old": 100, "new": 80})
    monkeypatch.setattr(tasks, "SECONDS", 0)  # as if looks had taken all of it

    assert tasks.sweep() == 0

    alert.refresh_from_db()
    assert alert.state == AlertState.CONFIRMED


def test_slow_looks_of_one_account_leave_time_for_another(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = watched(make_user("grace"), place={"machine": {"name": "other", "machine_id": "c" * 64}})
    make_watch(slow.owner, slow.query, WatchSettings(name="the same trend", mail=False, webhook=""))
    watch = watched(owner)
    Watch.objects.update(stamp="", checked_at=None)
    monkeypatch.setattr(tasks, "OWNER_SECONDS", 1e-9)  # so that each look takes longer

    assert tasks.sweep() == 2

    watch.refresh_from_db()
    assert watch.checked_at is not None
    assert Watch.objects.filter(owner=slow.owner, checked_at=None).count() == 1


def test_alerts_of_one_account_leave_turns_to_another(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    place = {"machine": {"name": "other", "machine_id": "c" * 64}}
    many, one = suspected(make_user("grace"), place=place), suspected(owner)
    Alert.objects.create(watch=many.watch, run=many.before, before=many.before, certain=True, ratio=2.0)
    Alert.objects.filter(watch=many.watch).update(changed_at=many.watch.created_at)
    turns = list[object]()
    monkeypatch.setattr(tasks, "advance", turns.append)

    tasks.sweep()

    assert turns[1] == one.pk

"""Parts that were evaluated from runs: found by readers of the same runs, gone with every change."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection, transaction
from django.utils import timezone

from benchdb.runs import kept
from benchdb.runs.models import KeptPart, Run, RunState, Visibility
from benchdb.runs.services import delete_run, edit
from tests.support.store import make_user, store_run
from tests.support.threads import at_once
from tests.support.waiting import wait_until

NOBODY = AnonymousUser()
WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"


def seen() -> kept.SeenRuns:
    return kept.seen(Run.objects.visible_to(NOBODY))


def test_a_part_is_found_by_its_selection_and_runs(db: None) -> None:
    store_run(make_user("ada"))
    now = seen()
    kept.keep(now, now.key("table", "x"), b"content")

    store_run(make_user("bob"), visibility="private")
    asked = [("table", "x"), ("table", "y"), ("tablex", "")]
    assert [kept.find(seen().key(*of_part)) for of_part in asked] == [b"content", None, None]

    store_run(make_user("eve"))
    assert kept.find(seen().key("table", "x")) is None


def test_nothing_is_kept_without_runs_or_beyond_the_limits(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = seen()
    kept.keep(nothing, nothing.key(), b"content")
    assert not KeptPart.objects.exists()

    store_run(make_user("ada"))
    store_run(make_user("bob"))
    monkeypatch.setattr(kept, "MOST_BYTES", 10)
    kept.keep(seen(), seen().key(), bytes(range(256)))
    monkeypatch.undo()
    kept.keep(seen(), seen().key(), b"content", most=0)
    assert not KeptPart.objects.exists()


def test_parts_go_when_nobody_uses_them_and_the_least_used_when_they_are_too_many(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_run(make_user("ada"))
    now = seen()
    keys = [now.key(str(number)) for number in range(4)]
    for number, key in enumerate(keys):
        kept.keep(now, key, bytes(range(250)) * 2)
        KeptPart.objects.filter(pk=key).update(used_at=timezone.now() - timedelta(days=number, hours=2))
    size = len(bytes(KeptPart.objects.get(pk=keys[0]).data)) + 32
    KeptPart.objects.filter(pk=keys[3]).update(used_at=timezone.now() - kept.KEPT_FOR - timedelta(minutes=1))

    assert kept.trim() == 1
    kept.find(keys[2])
    monkeypatch.setattr(kept, "MOST_BYTES_OF_ALL", 2 * size)

    assert (kept.trim(), {bytes(part.key) for part in KeptPart.objects.all()}) == (1, {keys[0], keys[2]})


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("change", [lambda run: edit(run, {}, Visibility.PRIVATE), delete_run], ids=["hide", "delete"])
def test_what_was_evaluated_before_a_change_is_not_kept_after_it(change: object) -> None:
    run = store_run(make_user("ada"))
    before = seen()

    change(run)  # type: ignore[operator]
    kept.keep(before, before.key("table"), b"content")

    assert not KeptPart.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_nothing_is_kept_of_a_run_that_is_changing() -> None:
    run = store_run(make_user("ada"))
    before = seen()

    with transaction.atomic():
        RunState.objects.filter(pk=run.pk).update(visibility=Visibility.PRIVATE)
        at_once([lambda: kept.keep(before, before.key("table"), b"content")])

    assert not KeptPart.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_change_that_comes_while_a_part_is_being_kept_takes_it_along() -> None:
    run = store_run(make_user("ada"))
    now = seen()

    def somebody_waits() -> bool:
        with connection.cursor() as cursor:
            cursor.execute(WAITING)
            return bool(cursor.fetchone()[0])

    with ThreadPoolExecutor(1) as thread:
        with transaction.atomic():
            kept.keep(now, now.key("table"), b"content")
            hidden = thread.submit(at_once, [lambda: edit(run, {}, Visibility.PRIVATE)])
            wait_until(somebody_waits)
        hidden.result()

    assert not KeptPart.objects.exists()

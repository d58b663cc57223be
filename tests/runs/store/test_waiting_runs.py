"""The order in which workers take the runs that wait: accounts take turns, and no run is taken twice or forgotten."""

from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.db import connection

from benchdb.ingest.services import store_document
from benchdb.runs.models import RunState, State, Turn
from benchdb.runs.store.summaries import compute_taken
from benchdb.runs.store.waiting_runs import take_next
from tests.support.documents import document, encoded, result
from tests.support.many import copy_run
from tests.support.store import make_token, make_user, store_run
from tests.support.threads import at_once


def waiting(owner: User, count: int) -> list[UUID]:
    """Store runs that wait, and return their ids in the order of their arrival."""
    token = make_token(owner)[0]
    ids = []
    for _ in range(count):
        sent = document()
        ids.append(UUID(sent["run_id"]))
        store_document(token, ids[-1], encoded(sent))
    return ids


def taken_and_computed(count: int) -> list[UUID | None]:
    """The order in which one worker computes the next runs."""
    order = []
    for _ in range(count):
        order.append(take_next())
        if order[-1] is not None:
            compute_taken(order[-1])
    return order


def test_the_runs_of_one_account_are_computed_in_the_order_of_their_arrival(owner: User) -> None:
    ids = waiting(owner, 3)

    assert taken_and_computed(4) == [*ids, None]


def test_accounts_take_turns_however_many_runs_one_of_them_sent_before(owner: User) -> None:
    many = waiting(owner, 6)
    few = waiting(make_user("eve"), 2)
    one = waiting(make_user("bob"), 1)

    assert taken_and_computed(9) == [many[0], few[0], one[0], many[1], few[1], *many[2:]]


def test_who_was_served_last_comes_after_who_waits_for_the_first_time(owner: User) -> None:
    many = waiting(owner, 4)
    assert taken_and_computed(2) == many[:2]
    late = waiting(make_user("eve"), 1)

    assert taken_and_computed(3) == [late[0], *many[2:]]


def test_the_account_with_runs_in_progress_comes_last(owner: User) -> None:
    many, few = waiting(owner, 3), waiting(make_user("eve"), 3)
    assert taken_and_computed(1) == many[:1]

    assert [take_next(), take_next()] == [few[0], many[1]]
    compute_taken(few[0])
    assert take_next() == few[1]
    compute_taken(few[1])
    assert take_next() == few[2]


@pytest.mark.django_db(transaction=True)
def test_workers_that_look_at_once_take_different_runs_of_different_accounts(owner: User) -> None:
    ids = [*waiting(owner, 8), *waiting(make_user("eve"), 1), *waiting(make_user("bob"), 1)]

    first = at_once([take_next] * 3)
    rest = at_once([take_next] * 8)

    assert len(set(RunState.objects.filter(pk__in=first).values_list("owner", flat=True))) == 3
    assert sorted([run_id for run_id in [*first, *rest] if run_id is not None]) == sorted(ids)
    assert set(RunState.objects.values_list("state", "attempts")) == {(State.COMPUTING, 1)}


def test_a_run_that_was_deleted_or_is_computed_already_is_not_taken(owner: User) -> None:
    gone, done, failed = waiting(owner, 3)
    RunState.objects.get(pk=gone).run.delete()
    RunState.objects.filter(pk=done).update(state=State.READY)
    RunState.objects.filter(pk=failed).update(state=State.FAILED)

    assert take_next() is None
    assert not Turn.objects.exists()


def test_taking_reads_only_the_runs_that_are_not_finished(owner: User, django_assert_num_queries: Any) -> None:
    """With 5,000 unfinished runs among 15,000 finished ones. The plan is tested: a time would depend on the machine."""
    waiting(make_user("eve"), 1)
    with connection.cursor() as cursor:
        copy_run(cursor, store_run(owner, results=[result([1.0] * 3)], artifacts=[]).pk, 20_000)
        finished = RunState.objects.filter(state=State.READY).order_by("pk").values("pk")
        RunState.objects.filter(pk__in=finished[:5_000]).update(state=State.RECEIVED)
        cursor.execute("ANALYZE runs_runstate")

    with django_assert_num_queries(1) as queries:
        assert take_next() is not None

    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE) {queries[0]['sql']}")
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "unfinished_runs" in plan, plan
    assert "Seq Scan on runs_runstate" not in plan, plan

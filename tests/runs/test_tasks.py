"""Tasks of workers: summaries of one run, and the sweep that finds runs whose task was lost."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.contrib.auth.models import User
from django.db import DatabaseError, OperationalError, connection, transaction
from django.test import override_settings
from django.utils import timezone

from benchdb.celery import app, hand_over
from benchdb.ingest.services import store_document
from benchdb.runs.models import Result, RunState, State, Summary
from benchdb.runs.queries import measured
from benchdb.runs.store.columns import SUMMARY_SINGLES
from benchdb.runs.store.summaries import MOST_ATTEMPTS, compute_summaries
from benchdb.runs.store.waiting_runs import take_next
from benchdb.runs.tasks import FEW, OF_UPLOADS, _in_time, recompute, summarise, sweep
from benchdb.stats import STATISTICS_VERSION
from benchdb.stats import summarise as summarise_values
from tests.support.documents import document, encoded, iozone_document, result
from tests.support.refusing import refuse_rows
from tests.support.store import make_token
from tests.support.threads import at_once
from tests.support.waiting import wait_until


@pytest.fixture
def receive(owner: User):
    """Store a document as an upload does and return its run's state; there is no worker."""
    token = make_token(owner)[0]

    def store(sent: dict[str, Any] | None = None) -> RunState:
        sent = sent or document()
        store_document(token, UUID(sent["run_id"]), encoded(sent))
        return RunState.objects.get(pk=sent["run_id"])

    return store


@pytest.fixture
def queue() -> Any:
    """The broker's queue, empty before and after; `queue()` returns the names of the waiting tasks."""

    def waiting() -> list[str]:
        return list(_taken())

    waiting()
    yield waiting
    waiting()


def _taken() -> Iterator[str]:
    with app.connection_for_read() as connection, connection.SimpleQueue(app.conf.task_default_queue) as queue:
        while True:
            try:
                message = queue.get_nowait()
            except queue.Empty:
                return
            message.ack()
            yield message.headers["task"].rpartition(".")[2]


def age(run: RunState, seconds: float, **fields: Any) -> None:
    changed_at = timezone.now() - timedelta(seconds=seconds)
    RunState.objects.filter(pk=run.pk).update(changed_at=changed_at, **fields)


def test_a_run_is_ready_when_its_summaries_are_stored(receive) -> None:
    state = receive()
    assert state.state == State.RECEIVED

    summarise()

    state.refresh_from_db()
    assert (state.state, state.failure) == (State.READY, "")
    assert list(Summary.objects.order_by("ordinal").values_list("ordinal", "n", "statistics_version")) == [
        (0, 3, STATISTICS_VERSION),
        (1, 0, STATISTICS_VERSION),
        (2, 0, STATISTICS_VERSION),
    ]


def test_summaries_are_the_statistics_of_the_values(receive) -> None:
    rows = [
        [109.3, 109.4, 108.9, None, 109.1, 140.0, 109.2],
        [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0],
        [5.5] * 7,
        [None] * 6 + [42.0],
    ]
    state = receive(document(rounds=7, results=[result(row, f"test_{i}") for i, row in enumerate(rows)]))

    summarise()

    expected = list(summarise_values(np.array(rows, dtype=float)).rows())
    assert len(expected) == len(rows)
    for stored, row in zip(measured([state.pk], diagnostics=True), expected, strict=True):
        for name in row.__slots__:
            value = getattr(row, name)
            if name == "warnings":
                value = [warning.as_dict() for warning in value]
            if name in SUMMARY_SINGLES and value is not None:
                value = float(str(np.float32(value)))
            assert getattr(stored, name) == (list(value) if isinstance(value, tuple) else value), name


def test_tables_do_not_read_what_only_a_results_own_page_shows(receive) -> None:
    state = receive(document(rounds=7, results=[result([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])]))
    summarise()

    (whole,), (plain,) = measured([state.pk], diagnostics=True), measured([state.pk])

    left_out = {"drift_tau", "drift_p", "drift_change", "autocorrelation", "autocorrelation_p", "modes_p"}
    assert {name for name in whole._fields if getattr(whole, name) != getattr(plain, name)} <= left_out
    assert whole.drift_tau == 1.0
    assert all(getattr(plain, name) is None for name in left_out)
    assert plain.warnings == whole.warnings != []


def test_a_run_of_many_results_takes_as_many_queries_as_one_of_few(receive, django_assert_num_queries) -> None:
    few, many = receive(), receive(iozone_document())

    for _state in (few, many):
        with django_assert_num_queries(10):
            summarise()


def test_a_message_that_comes_twice_changes_nothing(receive) -> None:
    receive()
    summarise()
    before = list(Summary.objects.values()), RunState.objects.values().get()

    summarise()

    assert (list(Summary.objects.values()), RunState.objects.values().get()) == before


def test_a_run_whose_worker_died_half_way_is_finished_by_the_next(receive, queue) -> None:
    state = receive()
    summarise()
    Summary.objects.filter(ordinal__gt=0).delete()
    age(state, settings.SWEEP_SECONDS + 1, state=State.COMPUTING)

    sweep()
    summarise()

    assert (RunState.objects.get().state, Summary.objects.count()) == (State.READY, 3)


def test_a_message_without_a_run_does_nothing(db: None) -> None:
    summarise()

    assert not Summary.objects.exists()


def test_what_somebody_else_computed_is_summarised_too(receive) -> None:
    given = {"write": {"n": 10, "mean": 5.0, "sd": 0.1}, "read": {"mean": 5.0}}
    state = receive(document(results=[result(None, test, summary=summary) for test, summary in given.items()]))

    summarise()

    assert RunState.objects.get().state == State.READY
    stored = measured([state.pk])
    assert [(row.n, row.mean, row.sd) for row in stored] == [(10, 5.0, 0.1), (None, 5.0, None)]
    assert [row.mean_low for row in stored] == [pytest.approx(5 - 2.262157 * 0.1 / 10**0.5), None]
    assert [[warning["code"] for warning in row.warnings or ()] for row in stored] == [[], ["n_unknown"]]


def test_statistics_that_fail_are_shown_with_their_reason(receive) -> None:
    state = receive()
    Result.objects.filter(ordinal=0).update(values=[1.0])  # fewer than the run's rounds, so no matrix can be made

    summarise()

    state.refresh_from_db()
    assert state.state == State.FAILED
    assert state.failure.startswith(f"Statistics version {STATISTICS_VERSION} failed: ValueError: ")
    assert not Summary.objects.exists()


def test_a_failed_run_is_not_tried_again_by_a_message_that_comes_twice(receive) -> None:
    state = receive()
    values = Result.objects.get(ordinal=0).values
    Result.objects.filter(ordinal=0).update(values=[1.0])
    summarise()
    Result.objects.filter(ordinal=0).update(values=values)

    summarise()
    compute_summaries(state.pk)

    state.refresh_from_db()
    assert state.state == State.FAILED
    assert state.failure
    # An upgrade of the statistics makes another attempt.
    RunState.objects.filter(pk=state.pk).update(statistics_version=STATISTICS_VERSION - 1)
    recompute([str(state.pk)])
    state.refresh_from_db()
    assert (state.state, state.failure) == (State.READY, "")


def test_what_ends_without_an_answer_every_time_is_not_tried_for_ever(receive, queue) -> None:
    state = receive()
    refuse_rows("runs_summary", "raise_exception")
    for attempt in range(1, MOST_ATTEMPTS + 1):
        with pytest.raises(DatabaseError):
            summarise()
        state.refresh_from_db()
        assert (state.state, state.attempts) == (State.COMPUTING, attempt)
        age(state, settings.SWEEP_SECONDS + 1)
        sweep()

    summarise()

    state.refresh_from_db()
    assert (state.state, state.attempts) == (State.FAILED, 0)
    assert state.failure == (
        f"Statistics version {STATISTICS_VERSION} failed: {MOST_ATTEMPTS} attempts ended without an answer"
    )


def test_a_run_that_takes_too_long_has_failed_and_is_not_tried_again(receive, queue) -> None:
    state = receive()
    assert take_next() == state.pk

    with pytest.raises(SoftTimeLimitExceeded):
        _in_time(_too_slow, str(state.pk))

    state.refresh_from_db()
    assert (state.state, state.attempts) == (State.FAILED, 0)
    assert state.failure.endswith(f"failed: not done after {settings.STATISTICS_SECONDS} seconds")
    age(state, settings.SWEEP_SECONDS + 1)
    assert (sweep(), take_next()) == (0, None)
    assert summarise.soft_time_limit == settings.STATISTICS_SECONDS < summarise.time_limit


def _too_slow(run_id: UUID) -> None:
    """What Celery does in the middle of a task at the time limit."""
    raise SoftTimeLimitExceeded


def test_a_full_disk_of_the_database_is_no_attempt(receive) -> None:
    state = receive()
    refuse_rows("runs_summary", "disk_full")

    with pytest.raises(OperationalError):
        summarise()

    state.refresh_from_db()
    assert (state.state, state.attempts) == (State.COMPUTING, 0)


def test_the_sweep_finds_runs_whose_task_was_lost(receive, queue) -> None:
    received, computing = receive(), receive()
    age(received, settings.SWEEP_SECONDS + 1)
    age(computing, settings.SWEEP_SECONDS + 1, state=State.COMPUTING)

    assert (sweep(), queue()) == (2, ["summarise"] * 2)
    assert set(RunState.objects.values_list("state", flat=True)) == {State.RECEIVED}


def test_the_sweep_sends_only_the_messages_that_are_missing(receive, queue) -> None:
    for _ in range(FEW + 2):
        age(receive(), settings.SWEEP_SECONDS + 1)

    assert ([sweep(), sweep()], len(queue())) == ([FEW + 2, FEW], 2 * FEW + 2)


def test_a_sweep_comes_before_the_uploads_that_wait(receive, queue) -> None:
    receive()
    for _ in range(2):
        hand_over(summarise.name, priority=OF_UPLOADS)
    sweep.delay()

    assert queue() == ["sweep", "summarise", "summarise"]


def test_the_sweep_leaves_runs_alone_that_are_on_their_way(receive, queue) -> None:
    fresh, computing, ready, failed = receive(), receive(), receive(), receive()
    age(fresh, settings.SWEEP_SECONDS - 5)
    age(computing, settings.SWEEP_SECONDS - 5, state=State.COMPUTING)
    age(ready, 10**6, state=State.READY)
    age(failed, 10**6, state=State.FAILED)

    assert (sweep(), queue()) == (0, [])


@pytest.mark.django_db(transaction=True)
@override_settings(SWEEP_SECONDS=-1)  # every run is overdue
def test_the_sweep_leaves_a_run_alone_as_long_as_a_worker_computes_it(receive, queue) -> None:
    receive()
    queue()
    with ThreadPoolExecutor() as threads:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("LOCK TABLE runs_summary")  # the worker waits with its run locked
            worker = threads.submit(at_once, [summarise])
            wait_until(lambda: _somebody_waits_for_summaries(cursor))
            assert (RunState.objects.get().state, (sweep(), queue())) == (State.COMPUTING, (0, []))
        worker.result()
    assert RunState.objects.get().state == State.READY


def _somebody_waits_for_summaries(cursor) -> bool:
    """Locking the run to see whether it is free could block the worker."""
    cursor.execute(
        "SELECT EXISTS (SELECT FROM pg_locks JOIN pg_database d ON d.oid = database AND datname = current_database()"
        " WHERE relation = 'runs_summary'::regclass AND NOT granted)"
    )
    return cursor.fetchone()[0]


def test_the_sweep_does_not_give_back_the_same_run_again_at_once(receive, queue) -> None:
    age(receive(), settings.SWEEP_SECONDS + 1, state=State.COMPUTING)

    assert ([sweep(), sweep()], len(queue())) == ([1, 0], 1)


def test_the_sweep_looks_at_any_number_of_runs_with_the_same_queries(receive, queue, django_assert_num_queries) -> None:
    for count in (1, 5):
        for _ in range(count):
            age(receive(), settings.SWEEP_SECONDS + 1, state=State.COMPUTING)
        with django_assert_num_queries(5):
            assert sweep() == count
        RunState.objects.update(state=State.READY)


@pytest.mark.django_db(transaction=True)
def test_an_upload_puts_its_run_into_the_queue(receive, queue) -> None:

    assert (receive().state, queue()) == (State.RECEIVED, ["summarise"])

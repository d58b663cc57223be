"""After an upgrade, every run is recomputed automatically, and pages always have figures."""

import threading
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connections, transaction

from benchdb.celery import app
from benchdb.runs.models import Result, Run, RunState, State, Summary
from benchdb.runs.queries import measured
from benchdb.runs.store import recomputation, summaries
from benchdb.runs.store.recomputation import Recomputation, progress
from benchdb.runs.store.summaries import MOST_ATTEMPTS
from benchdb.runs.tasks import recompute, recompute_outdated
from benchdb.stats import STATISTICS_VERSION
from tests.support.documents import document, result
from tests.support.store import PREVIOUS, computed_before, store_run


def figures(run: Run) -> list[tuple[int, int | None, float | None]]:
    """Ordinal, version and mean of the displayed figures."""
    return [(each.ordinal, each.statistics_version, each.mean) for each in measured([run.pk])]


def versions(run: Run) -> set[int]:
    return set(Summary.objects.filter(run=run).values_list("statistics_version", flat=True))


@pytest.fixture
def waiting(db: None) -> Any:
    """`waiting()` takes the messages of the queue: the runs in each, its priority, and whether it expires."""

    def take() -> list[tuple[list[str], int, bool]]:
        messages = []
        with app.connection_for_read() as broker, broker.SimpleQueue(app.conf.task_default_queue) as queue:
            while True:
                try:
                    message = queue.get_nowait()
                except queue.Empty:
                    return messages
                message.ack()
                expires, arguments = message.headers["expires"] is not None, message.payload[0]
                if arguments:  # those of uploads by other tests have none
                    messages.append((arguments[0], message.properties["priority"], expires))

    take()
    yield take
    take()


def test_after_an_upgrade_each_run_is_computed_once_more(owner: User) -> None:
    runs = [store_run(owner), store_run(owner)]
    before = [figures(run) for run in runs]
    computed_before(runs)

    assert recompute([str(run.pk) for run in runs]) == 2

    assert [figures(run) for run in runs] == before
    assert [versions(run) for run in runs] == [{PREVIOUS, STATISTICS_VERSION}] * 2
    assert recompute([str(run.pk) for run in runs]) == 0


def test_until_then_pages_have_the_figures_of_the_version_before(owner: User) -> None:
    run = store_run(owner)
    ((_, _, now), *_rest) = figures(run)
    assert now is not None
    computed_before([run])

    shown = measured([run.pk])

    assert ([row.statistics_version for row in shown], shown[0].mean) == ([PREVIOUS] * 3, pytest.approx(now * 1.01))
    assert all(row.outdated for row in shown)
    assert RunState.objects.get().state == State.READY


def test_figures_of_a_newer_version_are_not_shown_by_an_older_server(owner: User) -> None:
    run = store_run(owner)
    before = figures(run)
    newer = Summary.objects.get(ordinal=0)
    newer.pk, newer.mean = (run.pk, 1, 0, STATISTICS_VERSION + 1), 1.0
    newer.save(force_insert=True)

    assert figures(run) == before


def test_the_version_before_is_kept_and_older_ones_go(owner: User) -> None:
    run = store_run(owner)
    computed_before([run], version=STATISTICS_VERSION - 3)
    store = Summary.objects.filter(run=run)
    for row in store:
        row.pk = (*row.pk[:3], STATISTICS_VERSION - 2)
        row.save(force_insert=True)

    recompute([str(run.pk)])

    assert versions(run) == {STATISTICS_VERSION - 2, STATISTICS_VERSION}


def test_what_somebody_else_computed_is_computed_again_too(owner: User) -> None:
    run = store_run(owner, results=[result(None, summary={"n": 10, "mean": 5.0, "sd": 0.1})])
    computed_before([run])

    assert recompute([str(run.pk)]) == 1
    assert progress() is None
    assert figures(run) == [(0, STATISTICS_VERSION, 5.0)]


def test_statistics_that_fail_leave_the_older_figures_and_say_why(owner: User) -> None:
    run = store_run(owner)
    computed_before([run])
    before = figures(run)
    Result.objects.filter(run=run, ordinal=0).update(values=[1.0])

    assert recompute([str(run.pk)]) == 1

    state = RunState.objects.get()
    assert (state.state, state.statistics_version) == (State.FAILED, STATISTICS_VERSION)
    assert state.failure.startswith(f"Statistics version {STATISTICS_VERSION} failed: ValueError: ")
    assert figures(run) == before
    assert progress() is None


def test_a_recomputation_that_ends_its_worker_every_time_is_given_up(owner: User) -> None:
    run = store_run(owner)
    computed_before([run])
    before = figures(run)
    RunState.objects.update(attempts=MOST_ATTEMPTS)

    assert recompute([str(run.pk)]) == 1

    state = RunState.objects.get()
    assert (state.state, state.statistics_version, state.attempts) == (State.FAILED, STATISTICS_VERSION, 0)
    assert state.failure.endswith(f": {MOST_ATTEMPTS} attempts ended without an answer")
    assert figures(run) == before


def test_a_run_that_failed_before_is_tried_again(owner: User) -> None:
    run = store_run(owner)
    computed_before([run])
    RunState.objects.update(state=State.FAILED, failure="Statistics version 0 failed: something")

    recompute([str(run.pk)])

    assert RunState.objects.values_list("state", "failure").get() == (State.READY, "")


def test_many_values_are_read_in_parts(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    run = store_run(owner, document(results=[result([1.0, 2.0, i + 3.0], f"test_{i}") for i in range(7)]))
    before = figures(run)
    computed_before([run])
    monkeypatch.setattr(summaries, "VALUES_AT_ONCE", 9)

    recompute([str(run.pk)])

    assert figures(run) == before


def test_the_sweep_sends_all_outdated_runs_in_chunks(
    owner: User, waiting: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [store_run(owner) for _ in range(5)]
    computed_before(runs[:4])
    monkeypatch.setattr(recomputation, "CHUNK", 3)

    assert recompute_outdated() == 4

    newest_first = [str(run.pk) for run in runs[3::-1]]
    assert waiting() == [(newest_first[:3], 9, True), (newest_first[3:], 9, True)]


def test_the_sweep_sends_again_what_was_lost_and_nothing_else(owner: User, waiting: Any) -> None:
    runs = [store_run(owner), store_run(owner)]
    computed_before(runs)

    assert recompute_outdated() == 2
    waiting()  # pretends that the broker lost them
    recompute([str(runs[0].pk)])

    assert (recompute_outdated(), [ids for ids, _, _ in waiting()]) == (1, [[str(runs[1].pk)]])


def test_the_sweep_leaves_runs_alone_that_wait_for_their_first_statistics(owner: User, waiting: Any) -> None:
    computed_before([store_run(owner)])
    RunState.objects.update(state=State.RECEIVED)

    assert (recompute_outdated(), waiting()) == (0, [])


def test_the_sweep_asks_once_however_many_runs_there_are(
    owner: User, waiting: Any, django_assert_num_queries: Any
) -> None:
    for count in (0, 3):
        computed_before([store_run(owner) for _ in range(count)])
        with django_assert_num_queries(1):
            assert recompute_outdated() == count


def test_progress_counts_what_is_left(owner: User) -> None:
    runs = [store_run(owner) for _ in range(3)]
    assert progress() is None

    computed_before(runs[:2])

    counts = progress()
    assert (counts, counts.done) == (Recomputation(total=3, outdated=2), 1)


def test_a_deleted_run_in_a_chunk_is_passed_over(owner: User) -> None:
    runs = [store_run(owner), store_run(owner)]
    computed_before(runs)
    ids = [str(run.pk) for run in runs]
    runs[0].delete()

    assert recompute(ids) == 1


@pytest.mark.django_db(transaction=True)
def test_a_run_that_another_worker_has_is_passed_over(owner: User) -> None:
    runs = [store_run(owner), store_run(owner)]
    computed_before(runs)
    done: list[int] = []

    def other_worker() -> None:
        try:
            done.append(recompute([str(run.pk) for run in runs]))
        finally:
            connections.close_all()

    with transaction.atomic():
        RunState.objects.select_for_update().get(pk=runs[0].pk)
        worker = threading.Thread(target=other_worker)
        worker.start()
        worker.join()

    assert (done, progress()) == ([1], Recomputation(total=2, outdated=1))


def test_the_schedule_sends_it(settings: Any) -> None:
    assert settings.CELERY_BEAT_SCHEDULE["recomputation"]["task"] == recompute_outdated.name
    assert settings.CELERY_BEAT_SCHEDULE["recomputation"]["schedule"] == settings.SWEEP_SECONDS

"""A run is deleted with all its results and summaries, also with those that are being stored meanwhile."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction

from benchdb.runs.models import Facets, Parse, Result, Run, RunState, Summary
from benchdb.runs.services import delete_run
from benchdb.runs.store.results import store_parse, stored_results
from benchdb.runs.store.summaries import adopt_parse
from tests.support.documents import result
from tests.support.store import store_run
from tests.support.waiting import wait_until

SOMEBODY_WAITS = """
SELECT EXISTS (
  SELECT FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND datname = current_database()
)
"""


def somebody_waits() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(SOMEBODY_WAITS)
        return bool(cursor.fetchone()[0])


def left() -> list[int]:
    return [model._default_manager.count() for model in (Run, RunState, Facets, Parse, Result, Summary)]


@pytest.mark.django_db(transaction=True)
def test_deletion_waits_for_a_worker_that_stores_another_parse(owner: User) -> None:
    run = store_run(owner)

    def delete() -> None:
        try:
            delete_run(Run.objects.get(pk=run.pk))
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as threads:
        with transaction.atomic():
            RunState.objects.select_for_update().get(pk=run.pk)  # as everybody does who stores results of a stored run
            deletion = threads.submit(delete)
            wait_until(somebody_waits)
            store_parse(run.pk, 2, "later", *stored_results(run.pk, 1))
            adopt_parse(run.pk, 2, 0)
        deletion.result()

    assert left() == [0] * 6


def test_nothing_of_a_deleted_run_is_left_and_nothing_of_others_is_deleted(owner: User) -> None:
    kept = store_run(owner)
    before = left()

    delete_run(store_run(owner, results=[result([1.0])], rounds=1))

    assert (left(), set(Result.objects.values_list("run_id", flat=True))) == (before, {kept.pk})

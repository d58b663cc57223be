"""What rounds amount to: sums and means as stored, the tool's own account, failed rounds, and rounds stored before."""

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchdb.runs.models import RoundSeries, Run
from benchdb.runs.store.round_totals import totals_of_runs
from tests.support.documents import GIB, document, result, series
from tests.support.store import store_run

SENT = [
    series([1, 4, 4], name="device_write_bytes", scale=512, start=0.5),
    series([-40, 3], name="temperature_cpu", scale=0.5, step=1.0),
    series([5, 30], name="operations", test="write", step=1.0),
    series([2, 7], name="operations", test="read", step=1.0),
    *(series([1, 2], name="disk_write_bytes", scale=512, device=disk) for disk in ("sda", "sdb")),
    series([9], round=2),
]


def stored(owner: User, **of_first: Any) -> Run:
    content = document(series=SENT, results=[result([None, 2e6, 3e6])])
    content["rounds"][0] |= of_first
    return store_run(owner, content)


def test_counters_are_summed_and_levels_are_means(owner: User) -> None:
    run = stored(owner, evidence={"logical_bytes": 4096})
    ((run_id, (first, third)),) = totals_of_runs([run.pk]).items()
    assert run_id == run.pk
    assert first.of_machine == {
        "device_write_bytes": 2048,
        "temperature_cpu": pytest.approx(-9.25),
        "disk_write_bytes": 2048,
    }
    assert first.own == {"operations": 37}
    assert (first.number, first.seconds, first.logical_bytes) == (0, 2.0, 4096)
    assert (third.number, third.of_machine, third.logical_bytes) == (2, {"device_flushes": 9}, GIB)


def test_failed_rounds_are_left_out(owner: User) -> None:
    run = stored(owner, status="failed", error="No space left on device")
    assert [each.number for each in totals_of_runs([run.pk])[run.pk]] == [2]


def test_rounds_stored_by_an_earlier_version_are_summed_up_by_the_migration(owner: User) -> None:
    run = stored(owner)
    before = totals_of_runs([run.pk])
    RoundSeries.objects.update(totals=None, seconds=None)
    assert totals_of_runs([run.pk]) == {}
    import_module("benchdb.runs.migrations.0006_totals_of_rounds").sum_up(apps, None)
    assert totals_of_runs([run.pk]) == before


def test_one_query_reads_any_number_of_runs(owner: User) -> None:
    runs = [stored(owner).pk for _ in range(3)]
    with CaptureQueriesContext(connection) as captured:
        assert totals_of_runs(runs).keys() == set(runs)
    assert len(captured) == 1

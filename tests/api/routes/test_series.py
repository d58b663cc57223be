"""Series of a run: stored by round, read in base units, deleted with the run."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.runs.models import RoundSeries, Run
from benchdb.runs.services import delete_run
from tests.support.api import error_of
from tests.support.documents import document, series
from tests.support.store import store_run


@pytest.fixture
def run(owner: User) -> Run:
    sent = [
        series(round=2),
        series([1, 4, 4], name="device_write_bytes", scale=512, start=0.5),
        series([-40, 3], name="temperature_cpu", scale=0.5, step=1.0, test="write"),
        series([1], name="disk_busy_time", device="sda"),
    ]
    return store_run(owner, document(series=sent, visibility="public"))


def address(run: Run) -> str:
    return f"/api/v1/runs/{run.pk}/series"


def test_series_are_read_by_round_in_base_units(run: Run, client: Client) -> None:
    first, third = (client.get(address(run), {"round": number}).json() for number in (0, 2))

    assert (first["round"], first["rounds"], len(third["series"])) == (0, [0, 2], 1)
    assert [(each["name"], each["test"], each["unit"], each["grows"], each["samples"]) for each in first["series"]] == [
        ("device_write_bytes", None, "B", True, [512, 2048, 2048]),
        ("temperature_cpu", "write", "°C", False, [-20, 1.5]),
        ("disk_busy_time", None, "s", True, [1]),
    ]
    assert [each["device"] for each in first["series"]] == [None, None, "sda"]
    assert (first["series"][0]["start"], first["series"][1]["step"]) == (0.5, 1.0)


@pytest.mark.parametrize(("query", "status"), [("round=1", 200), ("round=-1", 200), ("round=99999999999", 200)])
def test_a_round_without_series_is_empty(run: Run, client: Client, query: str, status: int) -> None:
    answer = client.get(f"{address(run)}?{query}")
    assert (answer.status_code, answer.json()["series"]) == (status, [])


def test_a_round_that_is_no_number_is_refused(run: Run, client: Client) -> None:
    error_of(client.get(f"{address(run)}?round=x"), 422)


def test_series_are_deleted_with_their_run(run: Run) -> None:
    delete_run(run)
    assert RoundSeries.objects.count() == 0

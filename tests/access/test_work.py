"""The budget of processor time for each address and account, and one large request at a time."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from itertools import islice
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchdb.http import work
from benchdb.http.work import MOST_WAITING, NoTurn, accounted, pays, take_turn
from benchdb.variables import Variables
from tests.conftest import Upload
from tests.load.sizes import grid, with_columns
from tests.support.api import error_of
from tests.support.documents import document
from tests.support.html import read
from tests.support.store import store_run

ADDRESS, ELSEWHERE = "192.0.2.1", "192.0.2.2"


def spend(who: str, seconds: float) -> None:
    """Use processor time in a request for which `who` pays."""
    with accounted():
        pays(who)
        end = time.thread_time() + seconds
        while time.thread_time() < end:
            pass


def waits(answer: HttpResponse) -> int:
    assert answer.status_code == 429, answer.content[:500]
    return int(answer["Retry-After"])


def test_an_address_that_used_up_its_processor_time_waits(client: Client, owner: User, settings: Any) -> None:
    settings.WORK_RATE = "1/d"
    run = f"/api/v1/runs/{store_run(owner, document(visibility='public')).pk}"
    spend(f"address {ADDRESS}", 0.6)
    assert client.get("/runs/", REMOTE_ADDR=ADDRESS).status_code == 200
    spend(f"address {ADDRESS}", 0.6)

    answer = client.get("/runs/", REMOTE_ADDR=ADDRESS)
    assert 1 <= waits(answer) <= 86400
    assert "Too much at once" in read(answer, 429).text
    assert error_of(client.get(run, REMOTE_ADDR=ADDRESS), 429)["code"] == "too_many_requests"
    assert client.get(run, REMOTE_ADDR=ELSEWHERE).status_code == 200


def test_an_account_waits_wherever_it_is(client: Client, owner: User, upload: Upload, settings: Any) -> None:
    settings.WORK_RATE = "1/d"
    spend(f"account {owner.pk}", 1.1)

    assert error_of(upload(document()), 429)["code"] == "too_many_requests"
    assert client.get("/runs/").status_code == 200, "the address has used nothing"
    client.force_login(owner)
    waits(client.get("/runs/", REMOTE_ADDR=ELSEWHERE))


def test_each_request_is_charged(client: Client, db: None, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.WORK_RATE = "1/d"
    monkeypatch.setattr(work, "FREE_SECONDS", 0.0)

    statuses = [client.get("/runs/", REMOTE_ADDR="192.0.2.3").status_code for _ in range(1000)]
    assert statuses == sorted(statuses)
    assert {200, 429} == set(statuses)


def test_nobody_waits_without_a_cache(settings: Any) -> None:
    settings.CACHES = {"default": {**settings.CACHES["default"], "LOCATION": "redis://127.0.0.1:1/0"}}
    settings.WORK_RATE = "1/d"
    spend("x", 1.1)
    with accounted():
        assert pays("x") is None


def test_an_agent_with_a_hundred_runs_and_a_reader_of_all_of_them_do_not_wait(
    client: Client, upload: Upload, settings: Any
) -> None:
    settings.WORK_RATE = Variables.model_fields["work_rate"].default
    for _ in range(100):
        sent = with_columns(13, grid(10, 1), 10, visibility="public")
        assert upload(sent).status_code == 201
        assert client.get(f"/runs/{sent['run_id']}/").status_code == 200


@contextmanager
def large_request() -> Iterator[None]:
    """Another thread has the turn."""
    begun, may_end = threading.Event(), threading.Event()

    def answer() -> None:
        with accounted():
            take_turn()
            begun.set()
            may_end.wait()

    thread = threading.Thread(target=answer)
    thread.start()
    try:
        assert begun.wait(60)
        yield
    finally:
        may_end.set()
        thread.join()


@pytest.fixture
def every_request_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """And none waits for another."""
    monkeypatch.setattr("benchdb.runs.queries.LARGE_RESULTS", 0)
    monkeypatch.setattr("benchdb.ingest.services.LARGE_BODY", 0)
    monkeypatch.setattr(work, "WAIT_SECONDS", 0.0)


@pytest.mark.usefixtures("every_request_is_large")
def test_one_large_request_is_answered_at_a_time(client: Client, owner: User, upload: Upload) -> None:
    run = store_run(owner, document(visibility="public")).pk
    pages = [f"/compare/?run={run}", f"/compare/table.csv?run={run}", f"/api/v1/runs/{run}"]
    another = document()
    with large_request():
        answers = [*map(client.get, pages), upload(another)]
        assert [waits(answer) for answer in answers] == [5] * 4
        assert error_of(answers[-1], 429)["code"] == "too_many_requests"
        assert client.get("/runs/").status_code == 200, "small ones do not wait"
    assert [client.get(page).status_code for page in pages] == [200] * 3
    assert upload(another).status_code == 201


@pytest.mark.usefixtures("every_request_is_large")
def test_a_large_run_is_refused_before_its_results_are_read(
    client: Client, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database's answer alone took as much memory as the results: eight at once took 1.9 GB."""
    monkeypatch.setattr("benchdb.api.routes.run_answers.LARGE_RESULTS", 0)
    run = store_run(owner, document(visibility="public")).pk
    with large_request(), CaptureQueriesContext(connection) as queries:
        waits(client.get(f"/api/v1/runs/{run}"))
    assert not [query for query in queries if "runs_summary" in query["sql"]]


def test_few_wait_for_the_turn_and_the_others_are_refused() -> None:
    def answer() -> str:
        try:
            with accounted():
                take_turn()
                take_turn()  # once is enough
        except NoTurn:
            return "refused"
        return "answered"

    with ThreadPoolExecutor(MOST_WAITING + 3) as pool:
        with large_request():
            asked = [pool.submit(answer) for _ in range(MOST_WAITING + 3)]
            first = [each.result() for each in islice(as_completed(asked), 3)]
            assert first == ["refused"] * 3
        assert sorted(each.result() for each in asked) == ["answered"] * MOST_WAITING + ["refused"] * 3


def test_work_outside_of_requests_has_no_turn() -> None:
    with large_request():
        take_turn()
    assert pays("x") is None

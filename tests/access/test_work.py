"""The budget of processor time for each address and account, and one large request at a time."""

import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from itertools import islice, takewhile
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchdb.http import work
from benchdb.http.work import LARGE_SECONDS, LITTLE, MOST_WAITING, NoBudget, NoTurn, accounted, begin, expect, pays
from benchdb.variables import Variables
from tests.access.test_limits import waits
from tests.conftest import Upload
from tests.load.sizes import grid, with_columns
from tests.support.api import error_of
from tests.support.documents import GIB, KIB, MIB, document, result, series
from tests.support.html import read
from tests.support.store import store_run
from tests.support.waiting import wait_until

ADDRESS, ELSEWHERE = "192.0.2.1", "192.0.2.2"


def spend(who: str, seconds: float) -> None:
    """Use processor time in a request for which `who` pays."""
    with accounted():
        pays(who)
        end = time.thread_time() + seconds
        while time.thread_time() < end:
            pass


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

    def status() -> int:
        return client.get("/runs/", REMOTE_ADDR="192.0.2.3").status_code

    answered = list(takewhile(lambda each: each == 200, (status() for _ in range(1000))))
    assert 1 < len(answered) < 1000
    assert status() == 429


@pytest.mark.parametrize("reads", [True, False])
def test_the_time_of_the_database_is_charged_to_requests_that_only_read(
    client: Client, db: None, settings: Any, reads: bool
) -> None:
    client.get("/healthz")  # the middleware, which counts, is made
    settings.WORK_RATE = "1/d"
    who, used = str(uuid4()), []
    for _ in range(2):
        request = begin(reads=reads)
        pays(who)
        used.append(request.share > LITTLE)
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(0.2)")
        request.end()
    assert used == [False, reads]


def test_what_requests_expect_counts_until_they_end(settings: Any) -> None:
    settings.WORK_RATE = "1/d"
    who = str(uuid4())

    def ask(seconds: float) -> str:
        with accounted():
            pays(who)
            try:
                expect(seconds)
            except NoBudget:
                return "refused"
            return "answered"

    with accounted(), ThreadPoolExecutor(1) as another_thread:
        pays(who)
        expect(0.2)
        assert another_thread.submit(ask, 0.2).result() == "answered"
        expect(0.9)
        assert another_thread.submit(ask, 0.2).result() == "refused"
    assert ask(0.2) == "answered"


@pytest.mark.parametrize(("reserved", "waits"), [(0.2, True), (0.9, False)])
def test_what_was_not_reserved_counts_in_the_period_of_the_end(settings: Any, reserved: float, waits: bool) -> None:
    settings.WORK_RATE = "1/d"
    with accounted():
        pays(who := str(uuid4()))
        expect(reserved)
        settings.WORK_RATE = "1/h"  # another period has begun
        work.spent(1.3)
    with accounted():
        assert (pays(who) is not None) == waits


def test_nobody_waits_without_a_cache(settings: Any) -> None:
    settings.CACHES = {"default": {**settings.CACHES["default"], "LOCATION": "redis://127.0.0.1:1/0"}}
    settings.WORK_RATE = "1/d"
    spend("x", 1.1)
    with accounted():
        assert pays("x") is None
        expect(1.1)


def test_an_agent_with_many_runs_and_a_reader_of_all_of_them_do_not_wait(
    client: Client, upload: Upload, settings: Any
) -> None:
    """A quarter of the default budget is enough for a quarter of a hundred."""
    seconds, of, period = Variables.model_fields["work_rate"].default.partition("/")
    settings.WORK_RATE = f"{int(seconds) // 4}{of}{period}"
    for _ in range(25):
        sent = with_columns(13, grid(10, 1), 10, visibility="public")
        assert (upload(sent).status_code, client.get(f"/runs/{sent['run_id']}/").status_code) == (201, 200)


@contextmanager
def large_request() -> Iterator[None]:
    """Another thread has the turn."""
    begun, may_end = threading.Event(), threading.Event()

    def answer() -> None:
        with accounted():
            expect(LARGE_SECONDS)
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
    for name in ("FREE_SECONDS", "LARGE_SECONDS", "WAIT_SECONDS"):
        monkeypatch.setattr(work, name, 0.0)


@pytest.mark.usefixtures("every_request_is_large")
def test_one_large_request_is_answered_at_a_time(client: Client, owner: User, upload: Upload) -> None:
    """The others are refused before the query of results: its answer takes as much memory as the results."""
    results = [
        result([1.0, 2.0, 3.0], file_size=file, record_size=record) for file in (MIB, GIB) for record in (KIB, MIB)
    ]
    run = store_run(owner, visibility="public", results=results, series=[series()]).pk
    pages = [f"/{path}run={run}" for path in ("compare/?", "compare/table.csv?", "surface/?", "trend/?")]
    pages += [f"/runs/{run}/{page}" for page in ("", "inside/", "inside.csv", "inside.svg")]
    pages += [f"/api/v1/runs/{run}{part}" for part in ("", "/series")]
    another = document()
    with large_request():
        with CaptureQueriesContext(connection) as queries:
            answers = [client.get(page) for page in pages]
        answers.append(upload(another))
        assert [waits(answer) for answer in answers] == [5] * len(answers)
        assert not [query["sql"] for query in queries if "runs_summary" in query["sql"]]
        assert error_of(answers[-1], 429)["code"] == "too_many_requests"
        assert client.get("/runs/").status_code == 200, "small ones do not wait"
    assert [client.get(page).status_code for page in pages] == [200] * len(pages)
    assert upload(another).status_code == 201


def test_a_short_document_of_many_values_is_large(upload: Upload, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "WAIT_SECONDS", 0.0)
    short = document(extra={"a": [0] * 200_000})

    with large_request():
        assert (waits(upload(short)), upload(document()).status_code) == (5, 201)


def test_few_wait_for_the_turn_and_the_others_are_refused() -> None:
    def answer() -> str:
        try:
            with accounted():
                expect(LARGE_SECONDS)
                expect(LARGE_SECONDS)  # it has the turn
        except NoTurn:
            return "refused"
        return "answered"

    with ThreadPoolExecutor(MOST_WAITING + 3) as pool:
        with large_request():
            asked = [pool.submit(answer) for _ in range(MOST_WAITING + 3)]
            assert [each.result() for each in islice(as_completed(asked), 3)] == ["refused"] * 3
        assert sorted(each.result() for each in asked) == ["answered"] * MOST_WAITING + ["refused"] * 3


def test_the_last_place_is_for_somebody_else(settings: Any) -> None:
    settings.WORK_RATE = "100/d"
    busy, frugal, much = (str(uuid4()) for _ in range(3))
    spend(much, 0.1)
    settings.WORK_RATE = "1/d"  # of which a tenth is used

    def answer(who: str) -> str:
        try:
            with accounted():
                pays(who)
                expect(LARGE_SECONDS)
        except NoTurn:
            return "refused"
        return "answered"

    with ThreadPoolExecutor(8) as pool:
        with large_request():
            asked = [pool.submit(answer, busy) for _ in range(MOST_WAITING + 1)]
            refused = [each.result() for each in islice(as_completed(asked), 2)]
            assert refused == ["refused"] * 2, "one waits; the place beside it is the last one"
            assert pool.submit(answer, much).result() == "refused"
            waiting = pool.submit(answer, frugal)
            wait_until(lambda: len(work._places) == 1 + MOST_WAITING)
        assert (waiting.result(), [each.result() for each in asked].count("answered")) == ("answered", 1)


def test_work_outside_of_requests_has_no_turn() -> None:
    with large_request():
        expect(LARGE_SECONDS)
    assert pays("x") is None


@pytest.mark.usefixtures("every_request_is_large")
def test_the_turn_and_the_account_of_an_answer_in_pieces_end_with_the_last_one(
    client: Client, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchdb.api.routes.run_answers.MOST_AT_ONCE", 0)
    run = f"/api/v1/runs/{store_run(owner, document(visibility='public')).pk}"

    def taken() -> bool:
        try:
            with accounted():
                expect(LARGE_SECONDS)
        except NoTurn:
            return False
        return True

    answer = client.get(run)
    with ThreadPoolExecutor(1) as another_thread:
        assert not another_thread.submit(taken).result()
        assert json.loads(answer.getvalue())["results"]
        answer.close()
        assert another_thread.submit(taken).result()

"""Requests that use much more processor time than they announced are ended, and their threads work on."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.embedded.config import PROJECT
from benchdb.embedded.web_front import WORKERS, Front
from benchdb.http import overtime
from benchdb.http.overtime import FACTOR, OutOfTime, allow, limited
from tests.embedded.test_web_front import answer_of
from tests.load.sizes import grid, with_columns
from tests.support.api import error_of
from tests.support.html import read
from tests.support.store import store_run


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overtime, "SECONDS", 0.1)
    monkeypatch.setattr(overtime, "LOOK_SECONDS", 0.005)


def work(seconds: float) -> None:
    """Use processor time of this thread, and catch every error."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        try:
            sum(range(1000))
        except Exception as error:
            raise AssertionError from error


def used(seconds: float) -> float:
    """The processor time that a block has used which is limited, and wants so much."""
    began = time.thread_time()
    with pytest.raises(OutOfTime), limited():
        work(seconds)
    return time.thread_time() - began


def test_work_that_was_not_announced_is_ended() -> None:
    assert 0.1 <= used(30) < 15


def test_announced_work_may_take_longer() -> None:
    with limited():
        allow(0.3)
        work(0.15 * FACTOR)


def test_nothing_is_raised_after_the_end() -> None:
    for _ in range(30):
        with pytest.raises(OutOfTime), limited():
            work(30)
        assert threading.get_ident() not in overtime._watched
        work(0.02)
    work(0.3)


def test_it_is_raised_again_if_the_work_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overtime, "AGAIN_SECONDS", 0.1)

    def stubborn() -> None:
        try:
            work(30)
        except OutOfTime:
            work(30)

    began = time.thread_time()
    with pytest.raises(OutOfTime), limited():
        stubborn()
    assert time.thread_time() - began < 15


PROGRAM = """
import sys, time
from benchdb.http import overtime
overtime.SECONDS, overtime.LOOK_SECONDS = -9.0, 0.001
for _ in range(300):
    try:
        with overtime.limited():
            end = time.thread_time() + 0.001
            while time.thread_time() < end: pass
    except overtime.OutOfTime:
        pass
sys.setprofile(lambda *arguments: None)
print(sum(map(abs, range(1000))))
"""


def test_functions_can_be_traced_afterwards() -> None:
    """In Python 3.11 they are not while an exception seems to wait."""
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=PROJECT, capture_output=True, text=True, timeout=60)
    assert done.stdout == "499500\n", done.stderr


def endless(environ: WSGIEnvironment, start_response: StartResponse) -> Iterator[bytes]:
    """An application whose answer is never whole."""
    start_response("200 OK", [])
    while True:
        work(1)
        yield b"more"


def test_threads_whose_request_was_ended_answer_the_next_ones() -> None:
    def application(environ: WSGIEnvironment, start_response: StartResponse) -> Iterator[bytes]:
        return endless(environ, start_response) if environ["PATH_INFO"] == "/endless" else iter([b"well"])

    front = Front(application, lambda environ: "")
    for path, answer in [("/endless", b"This took too long, and was ended. Ask for less.\n"), ("/", b"well")]:
        assert [answer_of(front, b"", path)[1] for _ in range(2 * WORKERS)] == [answer] * 2 * WORKERS


@pytest.fixture
def run(client: Client, owner: User, monkeypatch: pytest.MonkeyPatch) -> str:
    """A run whose surface and page take several times what they may."""
    large, small = [store_run(owner, with_columns(13, grid(n, n), 1, visibility="public")) for n in (40, 2)]
    client.get(f"/runs/{small.pk}/")  # what is imported for a first page is not its work
    client.get("/api/v1/comparisons/surface", {"run": small.pk})
    monkeypatch.setattr(overtime, "SECONDS", 0.01)
    monkeypatch.setattr(overtime, "FACTOR", 0)
    return str(large.pk)


def test_a_page_that_takes_too_long_says_so(client: Client, run: str, caplog: pytest.LogCaptureFixture) -> None:
    with limited():
        answer = client.get(f"/runs/{run}/")
    assert "This took too long, and was ended" in read(answer, 503).text
    assert f"ended GET /runs/{run}/, which took too long" in caplog.text


def test_an_answer_of_the_api_that_takes_too_long_is_an_error(client: Client, run: str) -> None:
    with limited():
        answer = client.get("/api/v1/comparisons/surface", {"run": run})
    assert error_of(answer, 503)["code"] == "too_long"

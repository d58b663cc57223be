"""Functions that run after the answer is sent."""

from collections.abc import Iterator

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, reset_queries
from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars

from benchdb.http.after_response import after_answer


@pytest.fixture
def done() -> Iterator[list[object]]:
    """The results of the functions. Signals are as on a server, except that a test keeps its connections."""
    for signal, receiver in ((request_started, reset_queries), (request_started, close_old_connections)):
        signal.disconnect(receiver)
    request_finished.disconnect(close_old_connections)
    yield []
    for signal, receiver in ((request_started, reset_queries), (request_started, close_old_connections)):
        signal.connect(receiver)
    request_finished.connect(close_old_connections)


def test_it_waits_for_the_answer_and_is_done_in_order_and_once(done: list[object]) -> None:
    request_started.send(None)
    after_answer(lambda: done.append(1))
    after_answer(lambda: done.append(2))
    assert done == []

    request_finished.send(None)
    assert done == [1, 2]

    request_started.send(None)
    request_finished.send(None)
    assert done == [1, 2]


def test_where_nobody_asks_nobody_waits(done: list[object]) -> None:
    after_answer(lambda: done.append(1))

    assert done == [1]


def test_its_log_lines_have_the_ids_of_the_request(done: list[object]) -> None:
    request_started.send(None)
    bind_contextvars(request_id="7f3a")
    after_answer(lambda: done.append(get_contextvars()["request_id"]))
    clear_contextvars()

    request_finished.send(None)

    assert done == ["7f3a"]


def test_one_that_fails_is_logged_and_the_others_are_done(done: list[object], caplog: pytest.LogCaptureFixture) -> None:
    request_started.send(None)
    after_answer(lambda: done.append(1 // 0))
    after_answer(lambda: done.append(2))

    request_finished.send(None)

    assert done == [2]
    assert "ZeroDivisionError" in caplog.text

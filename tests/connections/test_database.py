"""Persistent connections of threads: reused if they work, replaced unnoticed otherwise."""

from collections.abc import Callable
from typing import Any

import psutil
import psycopg
import pytest
from django.conf import settings
from django.db import OperationalError, close_old_connections, connection, transaction
from django.db.utils import ConnectionHandler
from django.test.utils import CaptureQueriesContext

from benchdb.connections.database import watched
from benchdb.connections.database.watched import WatchedConnection
from tests.api.test_outages import session_database

pytestmark = pytest.mark.django_db(transaction=True)


def backend() -> int:
    """The server process of this thread's connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def terminate(pid: int) -> None:
    with psycopg.connect(session_database(), autocommit=True) as other:
        assert other.execute("SELECT pg_terminate_backend(%s, 10000)", [pid]).fetchone() == (True,)


def test_the_next_request_uses_it_again() -> None:
    before = backend()
    close_old_connections()  # as at the end of a request
    assert backend() == before


def test_one_that_the_server_closed_meanwhile_is_replaced_unnoticed() -> None:
    before = backend()
    close_old_connections()
    terminate(before)
    assert backend() != before


def closed_under_us() -> None:
    terminate(backend())
    with pytest.raises(OperationalError):
        backend()


def left_in_a_transaction() -> None:
    connection.connection.execute("BEGIN")  # bypasses Django, which would notice


@pytest.mark.parametrize("spoil", [closed_under_us, left_in_a_transaction])
def test_one_that_is_spoilt_is_not_kept(spoil: Callable[[], None]) -> None:
    before = backend()
    spoil()
    close_old_connections()
    assert backend() != before


def sleep_too_long() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 1")
        cursor.execute("SELECT pg_sleep(10)")


def test_a_statement_that_fails_costs_no_connection() -> None:
    before = backend()
    with pytest.raises(OperationalError):
        sleep_too_long()
    close_old_connections()
    assert backend() == before


def test_a_server_that_is_away_is_not_asked_by_everybody() -> None:
    database = {**settings.DATABASES["default"], "HOST": "127.0.0.1", "PORT": 9}
    elsewhere: Any = ConnectionHandler({"default": database})["default"]
    with pytest.raises(OperationalError, match="refused"):
        elsewhere.ensure_connection()
    with pytest.raises(OperationalError, match="the database did not answer a moment ago"):
        elsewhere.ensure_connection()


def test_a_statement_that_is_repeated_is_planned_once_and_logged_with_its_parameters() -> None:
    with CaptureQueriesContext(connection) as captured:
        for number in range(10):
            with connection.prepared_cursor() as cursor:
                cursor.execute("SELECT %s::int, '\\xff00'::bytea", [number])
                assert cursor.fetchone() == (number, b"\xff\x00")

    with connection.cursor() as cursor:
        cursor.execute("SELECT generic_plans + custom_plans FROM pg_prepared_statements")
        assert [executions for (executions,) in cursor.fetchall()] == [5]
    assert "SELECT 9::int" in captured.captured_queries[-1]["sql"]


def test_a_prepared_cursor_gets_a_new_connection_too() -> None:
    before = backend()
    close_old_connections()
    terminate(before)
    with connection.prepared_cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        assert cursor.fetchone() != (before,)


def test_a_statement_that_takes_long_to_send_arrives(monkeypatch: pytest.MonkeyPatch) -> None:
    """It ended with a TypeError, and the request with 500, when the server took nothing for two seconds."""
    server = psutil.Process(backend())
    looks = 0

    def answers(self: WatchedConnection) -> bool:
        nonlocal looks
        looks += 1
        if looks == 3:
            server.resume()
        return True

    monkeypatch.setattr(watched, "SILENT_SECONDS", 0.05)
    monkeypatch.setattr(WatchedConnection, "_answers", answers)
    text = "x" * 20_000_000
    server.suspend()
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT length(%s)", [text])
            assert cursor.fetchone() == (len(text),)
    finally:
        server.resume()
    assert looks >= 3

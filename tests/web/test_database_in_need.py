"""A working database that cannot answer one query: its page does not retry, but a page that was cut off does."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client

from tests.api.test_outages import session_database
from tests.support.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)
PAGE, API = f"/runs/{uuid4()}/", f"/api/v1/runs/{uuid4()}/state"
CUT_OFF = """
SELECT pg_terminate_backend(pid, 10000) FROM pg_locks JOIN pg_database ON pg_database.oid = database
WHERE NOT granted AND relation = 'runs_run'::regclass AND datname = current_database()
"""


@pytest.fixture
def other() -> Iterator[psycopg.Connection[Any]]:
    """A session with a lock on all runs, for which other sessions wait."""
    with psycopg.connect(session_database()) as keeper:
        keeper.execute("LOCK TABLE runs_run")
        yield keeper


def cut_off_who_waits() -> None:
    """End the first session that waits."""
    with psycopg.connect(session_database(), autocommit=True) as admin:
        wait_until(lambda: admin.execute(CUT_OFF).fetchone() == (True,))


def impatient(path: str, of: str = "statement") -> HttpResponse:
    """The answer with a timeout of a tenth of a second."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET {of}_timeout = 100")
    try:
        return Client().get(path)
    finally:
        connection.close()


def test_a_page_that_takes_too_long_is_not_asked_again_by_itself(
    other: psycopg.Connection[Any], caplog: pytest.LogCaptureFixture
) -> None:
    answer = impatient(PAGE)

    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "Refresh" not in answer
    text = answer.content.decode()
    assert "could not answer this" in text
    assert "loads itself" not in text
    assert f"could not answer {PAGE}: canceling statement due to statement timeout" in caplog.text


def test_the_api_says_so_too(other: psycopg.Connection[Any], caplog: pytest.LogCaptureFixture) -> None:
    answer = impatient(API)

    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert answer.json()["error"]["message"].startswith("The database could not answer this.")
    assert f"could not answer {API}: canceling statement" in caplog.text


def test_a_page_that_was_cut_off_loads_itself_again(other: psycopg.Connection[Any]) -> None:
    with ThreadPoolExecutor() as pool:
        cut = pool.submit(cut_off_who_waits)
        answer = Client().get(PAGE)
        cut.result()
    connection.close()

    assert (answer.status_code, answer["Refresh"]) == (503, "5")
    assert "does not answer" in answer.content.decode()


@pytest.mark.parametrize("path", [PAGE, API], ids=["page", "api"])
def test_what_another_session_changes_is_to_be_tried_again_soon(other: psycopg.Connection[Any], path: str) -> None:
    answer = impatient(path, "lock")

    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "Something else is changing this at the moment" in answer.content.decode()

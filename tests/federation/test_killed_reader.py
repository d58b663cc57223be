"""A reader that is killed (-9) in the middle of its work: the next reading completes it, and nothing is there twice."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from benchdb.embedded.config import manage
from benchdb.federation.models import RefusedRun, Source
from benchdb.federation.reading import SOURCES, read_source
from benchdb.quotas.models import Usage
from benchdb.runs.models import Parse, Run, RunState
from tests.api.test_outages import session_database
from tests.federation.conftest import Given, OtherServer
from tests.support.signals import signalled
from tests.support.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE = 120.0  # seconds
OF_THIS = "datname = current_database()"
WAITING = f"SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND {OF_THIS}"
# What PostgreSQL does by itself some time after its client has died (client_connection_check_interval).
END_WAITING = (
    f"SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND {OF_THIS}"
)
READING = f"""
SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database
WHERE locktype = 'advisory' AND classid = %s AND {OF_THIS}
"""
# Locks with which others may read these rows or tables, but not write them, so that the reader stops at this step.
NUMBER_MOVES = "SELECT FROM federation_source FOR UPDATE"
STATE_IS_STORED = "LOCK TABLE runs_runstate IN SHARE MODE"  # after the run, the last but one step of storing it
CHANGE_IS_RECORDED = "LOCK TABLE runs_runchange IN SHARE MODE"  # at the end of each transaction that changes a run


def count(query: str, *values: object) -> int:
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        (found,) = cursor.fetchone()
    return int(found)


@contextmanager
def reader() -> Iterator[None]:
    """`manage.py source read`, which is killed at the end of the block."""
    environment = {**signalled(), "DATABASE_URL": session_database(), "REDIS_URL": settings.REDIS_URL}
    with subprocess.Popen(manage("source", "read", "lab"), env=environment, cwd=settings.BASE_DIR) as process:
        try:
            yield
            assert process.poll() is None, "the reader ended before it was killed"
        finally:
            process.kill()


def kill_reader_at(lock: str) -> None:
    """Start a reader, and kill it when it waits for this lock."""
    with psycopg.connect(session_database()) as other:
        other.execute(lock)
        with reader():
            wait_until(lambda: count(WAITING) > 0, PATIENCE)
        count(END_WAITING)
        wait_until(nobody_reads, PATIENCE)


def nobody_reads() -> bool:
    """Whether no session of the database reads a source; that of a killed reader ends a moment after it."""
    return count(READING, SOURCES) == 0


def followed(source: Source, other: OtherServer) -> None:
    """Read again, and check that everything is there once and as it is on the other server."""
    read_source(source)
    source.refresh_from_db()
    assert (source.after, source.error) == (max(each["change"] for each in other.changes), "")
    there = {UUID(each["run_id"]): each for each in other.changes if each["left"] != "deleted"}
    states = {state.run_id: state for state in RunState.objects.all()}
    assert states.keys() == there.keys()
    for run_id, state in states.items():
        withdrawn = there[run_id]["left"] == "withdrawn"
        assert (state.withdrawn_at is not None, state.withdrawn_reason) == (withdrawn, there[run_id]["reason"])
        assert state.visibility == ("private" if there[run_id]["left"] == "hidden" else "public")
        assert there[run_id]["left"] is not None or state.labels == there[run_id]["labels"]
    assert Parse.objects.count() == Run.objects.count() == len(there)
    assert all(run.results.count() == 3 and run.artifacts.count() == 1 for run in Run.objects.all())
    assert Usage.objects.get().runs == len(there)
    assert not RefusedRun.objects.exists()


@pytest.mark.parametrize(
    ("lock", "stored"), [(STATE_IS_STORED, 0), (NUMBER_MOVES, 2)], ids=["within the first run", "before the number"]
)
def test_while_a_page_of_new_runs_is_stored(source: Source, other: OtherServer, lock: str, stored: int) -> None:
    other.add(labels={"disk": "a"})
    other.add()
    kill_reader_at(lock)
    source.refresh_from_db()
    assert (source.after, Run.objects.count()) == (0, stored)
    followed(source, other)


def test_while_the_second_document_of_a_page_arrives(source: Source, other: OtherServer) -> None:
    first, second = other.add(), other.add()
    path, whole, end = f"/api/v1/runs/{second}/document", other.documents[str(second)], threading.Event()
    other.given[path] = Given(whole[:100], headers={"Content-Length": str(len(whole))}, until=end)
    with reader():
        wait_until(lambda: path in other.asked, PATIENCE)
    end.set()
    wait_until(nobody_reads, PATIENCE)
    assert set(Run.objects.values_list("pk", flat=True)) == {first}
    other.given.clear()
    followed(source, other)


@pytest.mark.parametrize(
    ("left", "lock"),
    [
        (None, CHANGE_IS_RECORDED),
        ("withdrawn", CHANGE_IS_RECORDED),
        ("deleted", CHANGE_IS_RECORDED),
        ("deleted", NUMBER_MOVES),
    ],
    ids=["labels", "withdrawal", "deletion before its commit", "deletion after its commit"],
)
def test_while_a_change_is_followed(source: Source, other: OtherServer, left: str | None, lock: str) -> None:
    run_id = other.add()
    other.add()
    read_source(source)
    if left is None:
        other.change(run_id, labels={"disk": "new"})
    else:
        other.leave(run_id, left, "the disk was failing" if left == "withdrawn" else "")
    kill_reader_at(lock)
    source.refresh_from_db()
    assert source.after == 2
    assert RunState.objects.filter(pk=run_id, labels={"plan": "tests"}, withdrawn_at=None).exists() == (
        lock == CHANGE_IS_RECORDED
    )
    followed(source, other)

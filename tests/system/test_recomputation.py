"""All runs are recomputed after an upgrade, even if workers die and the broker loses its memory."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from benchdb.embedded.config import VALKEY_SUPERUSER, database_url, redis_url
from benchdb.stats import STATISTICS_VERSION
from tests.support.documents import iozone_document
from tests.support.many import copy_run
from tests.support.waiting import wait_until
from tests.system.server import PATIENCE, Server, running, worker

RUNS, RESULTS = 100, 396
PREVIOUS = STATISTICS_VERSION - 1


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server whose beat sweeps every second, without a worker."""
    with running(tmp_path / "var", "--no-worker", BENCHDB_SWEEP_SECONDS="1") as server:
        yield server


@pytest.fixture
def database(server: Server) -> Iterator[psycopg.Cursor]:
    with psycopg.connect(database_url(server.var), autocommit=True) as connection, connection.cursor() as cursor:
        yield cursor


def as_before_an_upgrade(server: Server, database: psycopg.Cursor) -> None:
    """A hundred runs with statistics of the previous version."""
    secret = server.manage("token", "ada", "--create-owner")
    sent = iozone_document(visibility="public")
    server.upload(sent, secret)
    with worker(server):
        server.until_ready(sent["run_id"])
    copy_run(database, sent["run_id"], RUNS - 1)
    # In one transaction, so that a sweep finds all of them.
    with database.connection.transaction():
        database.execute("UPDATE runs_runstate SET statistics_version = %s", [PREVIOUS])
        database.execute("UPDATE runs_summary SET statistics_version = %s", [PREVIOUS])


def left(database: psycopg.Cursor) -> int:
    database.execute("SELECT count(*) FROM runs_runstate WHERE statistics_version < %s", [STATISTICS_VERSION])
    (count,) = database.fetchone() or (None,)
    assert count is not None
    return count


def forget(server: Server) -> None:
    """Delete every message of the broker."""
    with redis.from_url(redis_url(server.var, VALKEY_SUPERUSER)) as broker:
        broker.flushall()


def test_it_ends_complete_after_killed_workers_and_lost_messages(server: Server, database: psycopg.Cursor) -> None:
    as_before_an_upgrade(server, database)

    with worker(server) as first:
        wait_until(lambda: left(database) < RUNS - 10, PATIENCE)
        os.killpg(first.pid, signal.SIGKILL)
        first.wait()
    after_kill = left(database)
    assert 0 < after_kill < RUNS - 10

    forget(server)
    with worker(server):
        wait_until(lambda: left(database) < after_kill - 10, PATIENCE)
        forget(server)
        assert left(database) > 0
        output = server.manage("recompute", "--wait")

    assert output.endswith(f"statistics version {STATISTICS_VERSION}.")
    assert left(database) == 0
    assert states(database) == {("ready", "")}
    assert stored(database) == {PREVIOUS: RUNS * RESULTS, STATISTICS_VERSION: RUNS * RESULTS}
    assert left_alone(database)


def states(database: psycopg.Cursor) -> set[tuple[str, str]]:
    return set(database.execute("SELECT DISTINCT state, failure FROM runs_runstate").fetchall())


def stored(database: psycopg.Cursor) -> dict[int, int]:
    """The number of summaries of each version; the key of the table prevents duplicates."""
    return dict(
        database.execute("SELECT statistics_version, count(*) FROM runs_summary GROUP BY statistics_version").fetchall()
    )


def left_alone(database: psycopg.Cursor) -> bool:
    """Whether all figures are unchanged: statistics of the same values."""
    count = database.execute(
        "SELECT count(*) FROM runs_summary a JOIN runs_summary b USING (run_id, parse, ordinal)"
        " WHERE a.statistics_version = %s AND b.statistics_version = %s"
        " AND (a.n, a.mean, a.warnings) IS NOT DISTINCT FROM (b.n, b.mean, b.warnings)",
        [PREVIOUS, STATISTICS_VERSION],
    ).fetchone()
    return count == (RUNS * RESULTS,)

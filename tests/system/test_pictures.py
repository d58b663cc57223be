"""Pictures and large pages are finished even if a worker is killed and the broker loses its messages."""

import os
import signal

import psycopg
import pytest
import redis

from benchdb.embedded.config import VALKEY_SUPERUSER, database_url, redis_url
from tests.load.sizes import grid, query_of, with_columns
from tests.support.documents import Section, iozone_document
from tests.support.waiting import wait_until
from tests.system.server import PATIENCE, Server, worker


@pytest.mark.parametrize(
    ("path", "sent", "more", "begins"),
    [
        ("compare/table.png", iozone_document(visibility="public"), "", b"\x89PNG"),
        ("compare/", with_columns(13, grid(1, 96), 3, visibility="public"), query_of([]), b"<!doctype html>"),
    ],
    ids=["picture", "page"],
)
def test_it_outlives_a_killed_worker_and_a_broker_that_forgets(
    idle: Server, idle_secret: str, path: str, sent: Section, more: str, begins: bytes
) -> None:
    idle.upload(sent, idle_secret)
    with worker(idle):
        idle.until_ready(sent["run_id"])
    address = f"{path}?run={sent['run_id']}{more}"
    assert idle.request(address)[0] == 202

    with psycopg.connect(database_url(idle.var), autocommit=True) as connection:

        def found() -> tuple[str, int]:
            row = connection.execute("SELECT state, attempts FROM exports_export ORDER BY asked_at DESC").fetchone()
            assert row is not None
            return row

        with worker(idle) as killed:
            wait_until(lambda: found()[1] > 0, PATIENCE)
            os.killpg(killed.pid, signal.SIGKILL)  # with the child that draws
            killed.wait()
        assert found()[0] == "waiting"
        with redis.from_url(redis_url(idle.var, VALKEY_SUPERUSER)) as broker:
            broker.flushall()

        with worker(idle):
            wait_until(lambda: found()[0] == "ready", PATIENCE)
        status, made = idle.request(address)

    assert status == 200
    assert made.startswith(begins)

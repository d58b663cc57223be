"""Pictures are made by a worker, and come also where a worker is killed in between and the broker forgets."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import psycopg
import redis

from benchdb.embedded.config import database_url, redis_url
from tests.support.documents import iozone_document
from tests.support.waiting import wait_until
from tests.system.server import PATIENCE, running, worker


def test_a_picture_outlives_a_killed_worker_and_a_broker_that_forgets(tmp_path: Path) -> None:
    with running(tmp_path / "var", "--no-worker", BENCHDB_SWEEP_SECONDS="1") as server:
        sent = iozone_document(visibility="public")
        server.upload(sent, server.manage("token", "ada", "--create-owner"))
        with worker(server):
            server.until_ready(sent["run_id"])
        address = f"compare/table.png?run={sent['run_id']}"
        assert server.request(address)[0] == 202

        with psycopg.connect(database_url(server.var), autocommit=True) as connection:

            def found() -> tuple[str, int]:
                row = connection.execute("SELECT state, attempts FROM exports_export").fetchone()
                assert row is not None
                return row

            with worker(server) as killed:
                wait_until(lambda: found()[1] > 0, PATIENCE)
                os.killpg(killed.pid, signal.SIGKILL)  # with the child that draws
                killed.wait()
            assert found()[0] == "waiting"
            with redis.from_url(redis_url(server.var)) as broker:
                broker.flushall()

            with worker(server):
                wait_until(lambda: found()[0] == "ready", PATIENCE)
            status, picture = server.request(address)

    assert status == 200
    assert picture.startswith(b"\x89PNG")

"""Runs become ready even if workers die and the broker loses its memory, and a stop leaves only the data."""

import signal
from pathlib import Path

import psutil
import redis

from benchdb.embedded.config import VALKEY_SUPERUSER, Paths, redis_url
from benchdb.embedded.supervisor.lock import holder
from tests.embedded.conftest import processes_in
from tests.embedded.processes import services
from tests.embedded.services.test_valkey import damage
from tests.support.documents import document
from tests.system.server import PATIENCE, Server, running, worker

NEVER = "3600"


def supervisor(server: Server) -> psutil.Process:
    found = holder(Paths(server.var))
    assert found is not None
    return psutil.Process(found.pid)


def test_a_run_outlives_dead_workers_a_broker_that_forgets_and_a_damaged_file(tmp_path: Path) -> None:
    before, waiting, after = (document(visibility="public") for _ in range(3))

    with running(tmp_path / "var", "--no-worker", BENCHDB_SWEEP_SECONDS=NEVER) as server:
        secret = server.manage("token", "ada", "--create-owner")
        with worker(server) as first:
            first.send_signal(signal.SIGKILL)
            first.wait()
        assert server.upload(before, secret) == "received"
        assert server.state(before["run_id"]) == "received"
        with worker(server):
            server.until_ready(before["run_id"])
        assert server.upload(waiting, secret) == "received"
        processes = [supervisor(server), *supervisor(server).children(recursive=True)]

    assert psutil.wait_procs(processes, timeout=PATIENCE)[1] == []
    assert processes_in(tmp_path / "var") == set()
    damage(Paths(tmp_path / "var"))

    with running(tmp_path / "var", "--no-worker", BENCHDB_SWEEP_SECONDS="1") as server:
        assert server.state(before["run_id"]) == "ready"
        assert server.upload(after, secret) == "received"
        with redis.from_url(redis_url(server.var, VALKEY_SUPERUSER)) as broker:
            broker.flushall()
        assert server.state(after["run_id"]) == "received"
        with worker(server):
            server.until_ready(after["run_id"])
            server.until_ready(waiting["run_id"])


def test_the_worker_of_a_running_server_comes_back_when_it_is_killed(server: Server, secret: str) -> None:
    killed = services(supervisor(server).pid)["worker"]
    sent = document(visibility="public")

    killed.kill()
    server.upload(sent, secret)

    server.until_ready(sent["run_id"])

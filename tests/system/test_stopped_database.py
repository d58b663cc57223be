"""A database whose processes are stopped, as by a hanging disk: pages answer 503 meanwhile, and recover."""

import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from uuid import uuid4

import psutil
import psycopg

from benchdb.embedded.config import Paths, database_url
from benchdb.embedded.supervisor.lock import holder
from tests.support.waiting import wait_until
from tests.system.server import Server

REQUESTS = 20  # several times the threads that handle pages, of two processes


@contextmanager
def stopped(server: Server) -> Iterator[None]:
    """Stop every process of the database for the duration of the block."""
    supervisor = holder(Paths(server.var))
    assert supervisor
    postmaster = next(child for child in psutil.Process(supervisor.pid).children() if child.name() == "postgres")
    processes = [postmaster, *postmaster.children(recursive=True)]
    for process in processes:
        with suppress(psutil.NoSuchProcess):  # a session that ended just now
            process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGCONT)


def page(server: Server) -> int:
    return server.request("runs/")[0]


def test_pages_answer_503_while_it_hangs_and_recover(idle: Server) -> None:
    with ThreadPoolExecutor(REQUESTS) as readers:

        def pages() -> list[int]:
            return list(readers.map(page, [idle] * REQUESTS))

        assert pages() == [200] * REQUESTS  # each thread has a connection now

        with stopped(idle):
            waiting = [readers.submit(page, idle) for _ in range(REQUESTS)]
            assert idle.request("healthz")[0] == 200
            assert not all(reader.done() for reader in waiting), "it is answered while pages wait"
            assert [reader.result() for reader in waiting] == [503] * REQUESTS
            assert idle.request("healthz")[0] == 200

        wait_until(lambda: pages() == [200] * REQUESTS)


def test_a_request_that_waits_for_a_lock_frees_its_thread(idle: Server) -> None:
    with psycopg.connect(database_url(idle.var)) as keeper:
        keeper.execute("LOCK TABLE runs_run")
        assert idle.request(f"runs/{uuid4()}/")[0] == 503
    assert idle.request(f"runs/{uuid4()}/")[0] == 404

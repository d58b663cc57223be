"""A database server that accepts connections but does not answer: the web server stays available and retries rarely."""

import json
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from uuid import uuid4

import pytest

from benchdb.connections.database.base import SECONDS
from benchdb.embedded.config import PROJECT
from benchdb.embedded.services.web import listen, url_of, web_service
from benchdb.embedded.supervisor.privileges import launcher
from tests.support.signals import signalled
from tests.support.waiting import wait_until

CONNECT_SECONDS = 2  # libpq's minimum
REQUESTS = 30  # several times the threads of the server


@pytest.fixture
def database() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0), backlog=REQUESTS) as listener:
        yield listener


@contextmanager
def serving(database: socket.socket) -> Iterator[str]:
    """The address of a gunicorn configured as on a server."""
    url = f"postgresql://benchdb@127.0.0.1:{database.getsockname()[1]}/benchdb?connect_timeout={CONNECT_SECONDS}"
    with listen("127.0.0.1", 0) as listener:
        service = web_service(listener, workers=1)
        process = subprocess.Popen(
            [*launcher(signal.SIGKILL), *service.command],
            env={**signalled(), "DATABASE_URL": url},
            cwd=PROJECT,
            pass_fds=service.descriptors,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            wait_until(service.ready, 60)
            yield url_of(listener)
        finally:
            process.kill()
            process.wait()


def ask(url: str) -> tuple[int, str, bytes]:
    """Status, Retry-After and body."""
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            return answer.status, "", answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers["Retry-After"], error.read()


def asked(database: socket.socket) -> int:
    """The number of connections since the last call."""
    database.setblocking(False)
    count = 0
    while True:
        try:
            database.accept()[0].close()
        except BlockingIOError:
            return count
        count += 1


def test_it_answers_503_and_says_that_it_is_alive(database: socket.socket) -> None:
    with serving(database) as url:
        run = f"{url}api/v1/runs/{uuid4()}"
        started = time.monotonic()
        assert ask(run)[0] == 503

        with ThreadPoolExecutor(REQUESTS) as threads:
            answers = list(threads.map(ask, [run] * REQUESTS))

        assert {(status, int(after)) for status, after, _ in answers} == {(503, 5)}
        assert {json.loads(body)["error"]["code"] for _, _, body in answers} == {"unavailable"}
        seconds = time.monotonic() - started
        assert 1 <= asked(database) <= 2 + seconds / SECONDS, "one try a second, and one at a time"
        assert ask(f"{url}healthz")[0] == 200

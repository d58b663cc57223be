"""A BenchDB server started as by an operator, and its use over the network."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from benchdb.embedded.background import server
from benchdb.embedded.config import PROJECT, manage
from tests.support.documents import encoded

PATIENCE = 60
# All tests use one address, many at once, and one sends a thousand runs.
NO_BUDGET = {"BENCHDB_WORK_RATE": "1000000/m", "BENCHDB_UPLOAD_RATE": "1000000/m"}


@dataclass
class Server:
    """A running server; `var` is its data directory, `url` ends with a slash."""

    url: str
    var: Path
    environment: Mapping[str, str]
    killed: bool = False  # whether a trial kills parts of it, so that 503 is a valid answer in the meantime

    def manage(self, *arguments: str) -> str:
        """Run a `manage.py` command and return its output."""
        done = subprocess.run(
            manage(*arguments), env=self.environment, cwd=PROJECT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def request(self, path: str, method: str = "GET", secret: str = "", body: bytes | None = None) -> tuple[int, bytes]:
        """Status and body of an answer."""
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {secret}"} if secret else {})}
        request = urllib.request.Request(self.url + path, body, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read()

    def upload(self, document: dict[str, Any], secret: str) -> str:
        """Store a document. Returns the state of its run."""
        status, body = self.request(f"api/v1/runs/{document['run_id']}", "PUT", secret, encoded(document))
        assert status == 201, body
        return json.loads(body)["state"]

    def state(self, run_id: str) -> str:
        """The state of a public run."""
        status, body = self.request(f"api/v1/runs/{run_id}/state")
        assert status == 200, body
        return json.loads(body)["state"]

    def until_ready(self, run_id: str) -> None:
        """Wait until a run's statistics are ready."""
        end = time.monotonic() + PATIENCE
        while True:
            status, body = self.request(f"api/v1/runs/{run_id}/state")
            assert status == 200 or (self.killed and status == 503), body
            if status == 200 and (state := json.loads(body)["state"]) not in ("received", "computing"):
                break
            assert time.monotonic() < end, f"run {run_id} is still not ready: {body!r}"
            time.sleep(0.1)
        assert state == "ready"


@contextmanager
def running(var: Path, *arguments: str, **settings: str) -> Iterator[Server]:
    """`manage.py up` in `var` with these settings as environment variables; SIGTERM ends it."""
    elsewhere = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    environment = {**elsewhere, "BENCHDB_VAR": str(var), **NO_BUDGET, **settings}
    with server("--port", "0", *arguments, environment=environment) as url:
        yield Server(url, var, environment)


@contextmanager
def worker(of: Server, queues: str = "celery,celery-files") -> Iterator[subprocess.Popen[bytes]]:
    """Start a Celery worker for a server without one; with these queues alone it is one of the two that `up` starts."""
    command = [
        sys.executable,
        "-m",
        "celery",
        "-A",
        "benchdb",
        "worker",
        "--queues",
        queues,
        "--concurrency",
        "1",
        "--without-mingle",
        "--loglevel",
        "INFO",
    ]
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, env=of.environment, cwd=PROJECT, stderr=log, start_new_session=True)
        try:
            _until_it_takes_messages(process, log)
            yield process
        finally:
            process.terminate()
            process.wait()
            with suppress(ProcessLookupError):  # a killed worker left its children
                os.killpg(process.pid, signal.SIGKILL)


def _until_it_takes_messages(process: subprocess.Popen[bytes], log: IO[bytes]) -> None:
    end = time.monotonic() + PATIENCE
    while b" ready." not in os.pread(log.fileno(), 1 << 20, 0):
        assert process.poll() is None
        assert time.monotonic() < end, "the worker does not get ready"
        time.sleep(0.05)

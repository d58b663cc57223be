"""The server in normal operation, with each part a program that can be killed and restarted at once.

`manage.py up` would restart it too, but after longer and longer delays, up to 30 s: a hundred kills would take hours.
"""

import os
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import redis

from benchdb.embedded.background import services
from benchdb.embedded.config import PROJECT, VALKEY_SUPERUSER, Paths, redis_url
from benchdb.embedded.services.celery import beat_service, worker_services
from benchdb.embedded.services.web import web_service
from benchdb.embedded.supervisor.forks import Facts
from benchdb.embedded.supervisor.lock import holder
from benchdb.embedded.supervisor.privileges import launcher
from benchdb.embedded.supervisor.process import Service
from tests.browser.support.provider import free_port
from tests.support.signals import signalled
from tests.system.server import NO_BUDGET, PATIENCE, Server

SWEEP_SECONDS = "5"  # the dozen sweeps take a second of a busy machine, and come before the runs of uploads
DATABASE, BROKER = ("postgres",), ("valkey", "redis")  # the names of their programs


@dataclass
class Program:
    """One service of the server, started without its supervisor."""

    service: Service
    environment: Mapping[str, str]
    log: Path
    process: subprocess.Popen[bytes] = field(init=False)

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*launcher(self.service.orphan_signal), *self.service.command],
                env={**signalled(self.service.environment), **self.environment},
                cwd=PROJECT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def children(self) -> list[psutil.Process]:
        """The workers of gunicorn or the processes of Celery's pool."""
        try:
            return psutil.Process(self.process.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            return []

    def kill(self) -> None:
        """Kill the master with -9. Its children must end with it."""
        left = self.children()
        self.process.kill()
        self.process.wait()
        assert psutil.wait_procs(left, timeout=10)[1] == []


@dataclass
class Stack:
    """A running server."""

    server: Server
    secret: str
    programs: Mapping[str, Program]

    def keep_up(self) -> None:
        """Restart services that ended, as a supervisor does: Celery's master ends when the first of its pool dies."""
        for program in self.programs.values():
            if program.process.poll() is not None:
                program.start()

    def embedded(self, *programs: str) -> psutil.Process | None:
        """A program run by the supervisor of the services; None while it waits for a restart."""
        keeper = holder(Paths(self.server.var))
        assert keeper is not None
        children = psutil.Process(keeper.pid).children()
        return next((child for child in children if child.name().startswith(programs)), None)

    def forget_messages(self) -> bool:
        """Empty the broker; False if it is down."""
        try:
            with redis.from_url(redis_url(self.server.var, VALKEY_SUPERUSER)) as broker:
                broker.flushall()
        except redis.RedisError:
            return False
        return True

    def last_words(self) -> str:
        """Waiting messages and the ends of the logs, for a failed test."""
        with redis.from_url(redis_url(self.server.var, VALKEY_SUPERUSER)) as broker:
            waiting = {key: broker.llen(key) for key in broker.scan_iter(_type="list")}
            taken = broker.hlen("unacked")
        logs = [f"{name}:\n{part.log.read_text()[-3000:]}" for name, part in self.programs.items() if name != "web"]
        return "\n".join([f"messages that wait: {waiting}, that a worker has taken: {taken}", *logs])


@contextmanager
def running(var: Path) -> Iterator[Stack]:
    """Start PostgreSQL, the broker, gunicorn, a Celery worker and beat, with their data in `var`."""
    elsewhere = {name: os.environ.pop(name) for name in ("DATABASE_URL", "REDIS_URL") if name in os.environ}
    ours = {"BENCHDB_VAR": str(var), "BENCHDB_SWEEP_SECONDS": SWEEP_SECONDS, **NO_BUDGET}
    ours |= {f"BENCHDB_{name}_RATE": "1000000/d" for name in ("UPLOAD", "SHARE", "ADDRESS")}  # clients share an address
    try:
        with ExitStack() as stack:
            stack.enter_context(services(var))
            port = free_port()
            server = Server(f"http://127.0.0.1:{port}/", var, {**signalled(), **ours})
            server.manage("migrate", "--no-input", "--skip-checks")
            server.manage("collectstatic", "--no-input", "--verbosity", "0")  # for the pages of permalinks
            programs = _programs(port, Paths(var), ours)
            for program in programs.values():
                program.start()
                stack.callback(program.kill)
            secret = server.manage("token", "ada", "--create-owner", "--scope", "upload", "--scope", "read")
            _until_it_answers(server, programs["web"])
            yield Stack(server, secret, programs)
    finally:
        os.environ.update(elsewhere)


def _programs(port: int, paths: Paths, environment: Mapping[str, str]) -> dict[str, Program]:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        web = web_service(unused, workers=1)
        handed = f"fd://{unused.fileno()}"
    # On a separate port, which is closed while the server is down.
    command = [f"127.0.0.1:{port}" if word == handed else word for word in web.command]
    assert command != web.command
    facts = Facts(redis_url(paths.var), 1, {"worker": "celery", "files-worker": "celery-files"})
    parts = [Service("web", command), *worker_services(facts), beat_service()]
    return {part.name: Program(part, environment, paths.log / f"{part.name}.log") for part in parts}


def _until_it_answers(server: Server, program: Program) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        assert program.process.poll() is None, program.log.read_text()
        with suppress(OSError):
            if server.request("healthz")[0] < 500:
                return
        time.sleep(0.05)
    raise AssertionError(f"the server does not answer: {program.log.read_text()}")

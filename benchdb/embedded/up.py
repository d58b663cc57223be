"""The implementation of `manage.py up`: starts everything, in order. Without Django, which its services import."""

from __future__ import annotations

import asyncio
import sys
from argparse import SUPPRESS, ArgumentParser
from contextlib import closing
from dataclasses import dataclass

from benchdb.embedded.services.application import application_service
from benchdb.embedded.services.celery import beat_service, worker_services
from benchdb.embedded.services.web import listen, url_of, web_service
from benchdb.embedded.supervisor.forks import Application
from benchdb.embedded.supervisor.lock import hold
from benchdb.embedded.supervisor.logs import Terminal
from benchdb.embedded.supervisor.process import Service
from benchdb.embedded.supervisor.supervisor import Supervisor, supervise

from .config import Paths
from .foreground import notify
from .stack import embedded_services

HELP = (
    "Runs BenchDB: PostgreSQL and a Redis-protocol server where DATABASE_URL and REDIS_URL are unset, migrations, "
    "web server, Celery worker and beat. Ctrl-C stops all of them; a second Ctrl-C does not wait."
)
PREPARE = (sys.executable, "-m", "benchdb.embedded.prepare")


@dataclass(frozen=True)
class UpOptions:
    """The command line of `manage.py up`."""

    bind: str
    port: int
    workers: int | None
    processes: int | None
    no_worker: bool
    ready_fd: int | None


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the options."""
    add = parser.add_argument
    add("--bind", default="127.0.0.1", metavar="ADDRESS", help="address to listen on (%(default)s)")
    add("--port", type=int, default=8000, help="port to listen on, 0 for a free one (%(default)s)")
    add("--workers", type=int, metavar="N", help="web server processes (BENCHDB_WORKERS)")
    add("--processes", type=int, metavar="N", help="processes of the Celery worker (BENCHDB_PROCESSES)")
    add("--no-worker", action="store_true", help="no Celery worker: one runs elsewhere")
    add("--ready-fd", type=int, help=SUPPRESS)


def up(paths: Paths, terminal: Terminal | None, options: UpOptions) -> int:
    """Run all of BenchDB until a signal. Returns 0, or raises ServiceError."""
    with (
        hold(paths, f"manage.py up --port {options.port}"),
        listen(options.bind, options.port) as listener,
        closing(Application()) as application,
    ):
        url = url_of(listener)

        async def main(supervisor: Supervisor) -> int:
            servers = await asyncio.to_thread(embedded_services, paths)
            await supervisor.start([*servers, application_service(application)])
            await supervisor.run(Service("prepare", PREPARE, application=application))
            started = [web_service(listener, options.workers, application), beat_service(application)]
            if not options.no_worker:
                started += worker_services(application.facts, options.processes, application)
            await supervisor.start(started)
            supervisor.say(f"BenchDB is at {url} - Ctrl-C stops it; the data stay in {paths.var}")
            notify(options.ready_fd, url)
            await asyncio.Event().wait()
            return 0

        return supervise(main, paths.log, terminal)

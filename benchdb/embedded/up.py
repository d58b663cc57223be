"""The implementation of `manage.py up`: starts everything, in order."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from django.core.management import call_command

from benchdb.celery import app
from benchdb.embedded.services.celery import beat_service, worker_services
from benchdb.embedded.services.web import listen, url_of, web_service
from benchdb.embedded.supervisor.lock import hold
from benchdb.embedded.supervisor.logs import Terminal
from benchdb.embedded.supervisor.process import Service
from benchdb.embedded.supervisor.supervisor import Supervisor, supervise

from .config import Paths, manage
from .database import wait_for_database
from .errors import ServiceError
from .foreground import notify
from .stack import embedded_services


@dataclass(frozen=True)
class UpOptions:
    """The command line of `manage.py up`."""

    bind: str = "127.0.0.1"
    port: int = 8000
    workers: int = 2
    processes: int = 2
    worker: bool = True


def collect_static() -> None:
    """Copy the files that the web server sends. Raises ServiceError."""
    try:
        call_command("collectstatic", interactive=False, verbosity=0, skip_checks=True)
    except OSError as error:
        raise ServiceError(f"The files of the pages cannot be copied: {error}") from error


def up(paths: Paths, terminal: Terminal | None, options: UpOptions, *, ready_fd: int | None = None) -> int:
    """Run all of BenchDB until a signal. Returns 0, or raises ServiceError."""
    with hold(paths, f"manage.py up --port {options.port}"), listen(options.bind, options.port) as listener:
        url = url_of(listener)

        async def main(supervisor: Supervisor) -> int:
            await supervisor.start(await asyncio.to_thread(embedded_services, paths))
            await wait_for_database(supervisor.say)
            # Without Django's checks, which import every view; the web server imports them next and reports errors.
            migrate = Service("migrate", manage("migrate", "--no-input", "--skip-checks"))
            await asyncio.gather(supervisor.run(migrate), asyncio.to_thread(collect_static))
            started = [web_service(listener, options.workers), beat_service()]
            if options.worker:
                started += worker_services(app, options.processes)
            await supervisor.start(started)
            supervisor.say(f"BenchDB is at {url} - Ctrl-C stops it; the data stay in {paths.var}")
            notify(ready_fd, url)
            await asyncio.Event().wait()
            return 0

        return supervise(main, paths.log, terminal)

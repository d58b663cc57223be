"""The implementation of `manage.py worker`: the workers of containers and systemd units, where no `up` watches them."""

from __future__ import annotations

import asyncio
from contextlib import closing

from benchdb.embedded.services.application import application_service
from benchdb.embedded.services.celery import worker_services
from benchdb.embedded.supervisor.forks import Application
from benchdb.embedded.supervisor.logs import Terminal
from benchdb.embedded.supervisor.supervisor import Supervisor, supervise

from .config import Paths

HELP = "Runs the Celery workers, and starts them again if they crash or hang. `manage.py up` has them already."


def worker(paths: Paths, terminal: Terminal | None) -> int:
    """Run the workers until a signal. Returns 0, or raises ServiceError."""

    async def main(supervisor: Supervisor) -> int:
        await supervisor.start([application_service(application)])
        await supervisor.start(worker_services(application.facts, application=application))
        await asyncio.Event().wait()
        return 0

    with closing(Application()) as application:
        return supervise(main, paths.log, terminal)

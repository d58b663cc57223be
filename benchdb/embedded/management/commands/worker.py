"""`manage.py worker`: a Celery worker that is started again if it crashes or gives no sign of life."""

from __future__ import annotations

import asyncio

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from benchdb.celery import app
from benchdb.embedded.config import Paths
from benchdb.embedded.errors import ServiceError
from benchdb.embedded.services.celery import worker_service
from benchdb.embedded.supervisor.logs import for_people
from benchdb.embedded.supervisor.supervisor import Supervisor, supervise


class Command(BaseCommand):
    """Runs the worker of containers and systemd units, where no `up` watches it."""

    help = "Runs a Celery worker, and starts it again if it crashes or hangs. `manage.py up` has one already."
    requires_system_checks = []

    def handle(self, **_: object) -> None:
        """Run the worker until a signal."""
        try:
            code = supervise(_run, Paths(settings.VAR_DIR).log, for_people())
        except ServiceError as error:
            raise CommandError(str(error)) from error
        raise SystemExit(code)


async def _run(supervisor: Supervisor) -> int:
    await supervisor.start([worker_service(app, settings.WORKER_PROCESSES)])
    await asyncio.Event().wait()
    return 0

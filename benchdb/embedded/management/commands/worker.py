"""`manage.py worker`: the Celery workers, each started again if it crashes or gives no sign of life."""

from __future__ import annotations

import asyncio

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from benchdb.celery import app
from benchdb.embedded.config import Paths
from benchdb.embedded.errors import ServiceError
from benchdb.embedded.services.celery import worker_services
from benchdb.embedded.supervisor.logs import for_people
from benchdb.embedded.supervisor.supervisor import Supervisor, supervise


class Command(BaseCommand):
    """Runs the workers of containers and systemd units, where no `up` watches them."""

    help = "Runs the Celery workers, and starts them again if they crash or hang. `manage.py up` has them already."
    requires_system_checks = []

    def handle(self, **_: object) -> None:
        """Run the workers until a signal."""
        try:
            code = supervise(_run, Paths(settings.VAR_DIR).log, for_people())
        except ServiceError as error:
            raise CommandError(str(error)) from error
        raise SystemExit(code)


async def _run(supervisor: Supervisor) -> int:
    await supervisor.start(worker_services(app, settings.WORKER_PROCESSES))
    await asyncio.Event().wait()
    return 0

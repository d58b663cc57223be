"""`manage.py services`: PostgreSQL and the broker without web server and worker."""

from __future__ import annotations

import os
import shutil
from argparse import REMAINDER, SUPPRESS, ArgumentParser

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from benchdb.embedded.config import Paths
from benchdb.embedded.errors import ServiceError
from benchdb.embedded.foreground import services
from benchdb.embedded.supervisor.lock import holder
from benchdb.embedded.supervisor.logs import for_people


class Command(BaseCommand):
    """Runs the embedded services without web server and worker."""

    help = (
        "Runs the embedded PostgreSQL and Redis-protocol server until Ctrl-C, or for the time of one command: "
        "manage.py services --exec python manage.py shell"
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument(
            "--exec",
            dest="command",
            nargs=REMAINDER,
            default=[],
            metavar="COMMAND",
            help="run this command against the services, starting them if they do not run, and exit with its code",
        )
        parser.add_argument("--ready-fd", type=int, help=SUPPRESS)

    def handle(self, *, command: list[str], ready_fd: int | None, **_: object) -> None:
        """Run the services."""
        paths = Paths(settings.VAR_DIR)
        if command and shutil.which(command[0]) is None:
            raise CommandError(f"There is no command {command[0]}.")
        if command and holder(paths):
            os.execvp(command[0], command)
        try:
            code = services(paths, None if command else for_people(), command=command, ready_fd=ready_fd)
        except ServiceError as error:
            raise CommandError(str(error)) from error
        raise SystemExit(code)

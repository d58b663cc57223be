"""`manage.py up`: all of BenchDB under one supervisor."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from benchdb.embedded.config import Paths
from benchdb.embedded.errors import ServiceError
from benchdb.embedded.supervisor.logs import for_people
from benchdb.embedded.up import UpOptions, up


class Command(BaseCommand):
    """Runs everything until Ctrl-C."""

    help = (
        "Runs BenchDB: PostgreSQL and a Redis-protocol server where DATABASE_URL and REDIS_URL are unset, migrations, "
        "web server, Celery worker and beat. Ctrl-C stops all of them; a second Ctrl-C does not wait."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--bind", default="127.0.0.1", metavar="ADDRESS", help="address to listen on (%(default)s)")
        parser.add_argument("--port", type=int, default=8000, help="port to listen on, 0 for a free one (%(default)s)")
        parser.add_argument(
            "--workers",
            type=int,
            default=settings.WEB_PROCESSES,
            metavar="N",
            help="web server processes (%(default)s)",
        )
        parser.add_argument(
            "--processes",
            type=int,
            default=settings.WORKER_PROCESSES,
            metavar="N",
            help="processes of the Celery worker (%(default)s)",
        )
        parser.add_argument("--no-worker", action="store_true", help="no Celery worker: one runs elsewhere")
        parser.add_argument("--ready-fd", type=int, help=SUPPRESS)

    def handle(
        self,
        *,
        bind: str,
        port: int,
        workers: int,
        processes: int,
        no_worker: bool,
        ready_fd: int | None,
        **_: object,
    ) -> None:
        """Run all services."""
        chosen = UpOptions(bind=bind, port=port, workers=workers, processes=processes, worker=not no_worker)
        try:
            code = up(Paths(settings.VAR_DIR), for_people(), chosen, ready_fd=ready_fd)
        except ServiceError as error:
            raise CommandError(str(error)) from error
        raise SystemExit(code)

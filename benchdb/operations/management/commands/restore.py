"""`manage.py restore FILE`: restore a backup into an empty database."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from benchdb.embedded.errors import ServiceError
from benchdb.operations.manifest import Unusable
from benchdb.operations.restore import restore


class Command(BaseCommand):
    """Restores a backup and migrates it to the version of this BenchDB."""

    help = "Puts a backup into the database, all of it or nothing, and migrates it."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("file", metavar="FILE", type=Path, help="a .dump of `manage.py backup`")
        parser.add_argument("--replace", action="store_true", help="delete what is in the database")

    def handle(self, *, file: Path, replace: bool, **_: object) -> None:
        """Restore the backup and migrate."""
        try:
            manifest = restore(file, replace=replace)
        except (Unusable, ServiceError, OSError) as error:
            raise CommandError(str(error)) from error
        call_command("migrate", interactive=False, verbosity=0)
        rows = sum(manifest.tables.values())
        self.stdout.write(f"Restored {manifest.tables['runs_run']} runs ({rows} rows) as of {manifest.made_at}.")

"""`manage.py backup DIR`: the whole database in one file, and its manifest."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from benchdb.embedded.errors import ServiceError
from benchdb.operations import backup
from benchdb.operations.manifest import Unusable


class Command(BaseCommand):
    """Writes a backup while the site keeps running."""

    help = "Writes the whole database into DIR, as it is at one instant, with a manifest beside it."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("directory", metavar="DIR", type=Path)
        parser.add_argument("--keep", type=int, metavar="N", help="afterwards delete all but the newest N")

    def handle(self, *, directory: Path, keep: int | None, **_: object) -> None:
        """Write the backup and delete old ones."""
        if keep is not None and keep < 1:
            raise CommandError(f"--keep {keep} would keep nothing.")
        try:
            dump, manifest = backup.make(directory)
        except (Unusable, ServiceError, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"{dump}: {manifest.bytes} bytes, {manifest.tables['runs_run']} runs, SHA-256 {manifest.sha256}"
        )
        for old in backup.forget(directory, keep) if keep else []:
            self.stdout.write(f"{old}: deleted")

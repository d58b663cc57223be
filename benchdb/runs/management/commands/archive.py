"""`manage.py archive`: move the raw output of old runs out of the database."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import timedelta

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError
from django.utils import timezone

from benchdb.runs.store.archive import ArchiveFailed, movable, move
from benchdb.wording.sizes import say_size


class Command(BaseCommand):
    """Moves only raw output, not values, results or permalinks."""

    help = "Moves the raw output of old runs into the archive. Pages and reparse read it from there."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--older-than", type=int, metavar="DAYS", required=True, help="since a run was received")

    def handle(self, *args: object, older_than: int, **options: object) -> None:
        """Move the raw output of old runs."""
        if not 0 <= older_than <= 36500:
            raise CommandError(f"--older-than {older_than} is not between 0 and 36500.")
        count = size = 0
        try:
            for artifact_id in movable(timezone.now() - timedelta(days=older_than)):
                moved = move(artifact_id)
                count, size = count + bool(moved), size + moved
        except (ArchiveFailed, OperationalError) as error:
            raise CommandError(f"{error}. {count} texts had moved; the rest is where it was.") from error
        self.stdout.write(f"{count} texts moved, {say_size(size)}.")

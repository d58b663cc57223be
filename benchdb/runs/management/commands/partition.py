"""`manage.py partition`: split results and summaries by run."""

from __future__ import annotations

import time
from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from benchdb.runs.store import partitions


class Command(BaseCommand):
    """Rewrites both tables in one transaction, unless they have the wanted number of parts already."""

    help = "Puts results and summaries into tables of so many parts by run; 1 makes them whole again."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the argument."""
        parser.add_argument("parts", type=int, help=f"1 to {partitions.MOST_PARTS}; 16 is a good number")

    def handle(self, *args: object, parts: int, **options: object) -> None:
        """Split or join the tables, and print the time taken."""
        if not 1 <= parts <= partitions.MOST_PARTS:
            raise CommandError(f"{parts} parts are not between 1 and {partitions.MOST_PARTS}.")
        if parts == partitions.parts():
            self.stdout.write(f"The tables are in {parts} parts already." if parts > 1 else "The tables are whole.")
            return
        begun = time.monotonic()
        for table, rows in partitions.partition(parts).items():
            self.stdout.write(f"{table}: {rows:,} rows in {parts} part{'s' if parts > 1 else ''}.")
        self.stdout.write(f"It took {time.monotonic() - begun:.0f} s.")

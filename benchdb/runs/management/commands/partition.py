"""`manage.py partition`: split results and summaries by run."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from benchdb.runs.store.partitions import MOST_PARTS, partition, parts


class Command(BaseCommand):
    """Rewrites both tables in one transaction, unless they have the wanted number of parts already."""

    help = "Puts results and summaries into tables of so many parts by run; 1 makes them whole again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the argument."""
        parser.add_argument("parts", type=int, help=f"1 to {MOST_PARTS}; 16 is a good number")

    def handle(self, *args: Any, **options: Any) -> None:
        """Split or join the tables, and print the time taken."""
        number = options["parts"]
        if not 1 <= number <= MOST_PARTS:
            raise CommandError(f"{number} parts are not between 1 and {MOST_PARTS}.")
        if number == parts():
            self.stdout.write(f"The tables are in {number} parts already." if number > 1 else "The tables are whole.")
            return
        begun = time.monotonic()
        for table, rows in partition(number).items():
            self.stdout.write(f"{table}: {rows:,} rows in {number} part{'s' if number > 1 else ''}.")
        self.stdout.write(f"It took {time.monotonic() - begun:.0f} s.")

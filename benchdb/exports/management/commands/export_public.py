"""`manage.py export_public FILE`: all public results as one Parquet file."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from benchdb.exports.public_store import write_public


class Command(BaseCommand):
    """Writes the file while the site keeps running."""

    help = "Writes the results of all public runs into FILE as Parquet, and replaces an older file when all is written."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("file", metavar="FILE", type=Path)

    def handle(self, *, file: Path, **_: object) -> None:
        """Write the file."""
        try:
            written = write_public(file)
        except OSError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{file}: {written.results} results of {written.runs} runs, {file.stat().st_size} bytes")

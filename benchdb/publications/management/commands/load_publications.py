"""`manage.py load_publications`: store the figures of published articles."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence

from django.core.management.base import BaseCommand, CommandError

from benchdb.ingest.contract import FaultyDocument
from benchdb.publications.data_files import FaultyArticle, read, slugs
from benchdb.publications.services import Loaded, load


class Command(BaseCommand):
    """Load the data files. A second call stores only changes."""

    help = "Stores the figures of published articles as runs of the user `publications`. Again, it changes nothing."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("slug", nargs="*", help="only these articles")

    def handle(self, *, slug: Sequence[str], **_: object) -> None:
        """Load the articles."""
        try:
            for article in [read(name) for name in slug or slugs()]:
                self.stdout.write(_line(load(article)))
        except (FaultyArticle, FaultyDocument) as error:
            raise CommandError(str(error)) from None


def _line(loaded: Loaded) -> str:
    counts = {"new": loaded.new, "there already": loaded.kept, "withdrawn": loaded.withdrawn, "deleted": loaded.deleted}
    tally = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
    return f"{loaded.publication.slug}: {tally or 'no runs'}"

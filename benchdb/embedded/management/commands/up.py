"""`manage.py up` for the list of commands; manage.py itself runs it, see `benchdb/embedded/without_django.py`."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from benchdb.embedded import up


class Command(BaseCommand):
    """A place in `manage.py help`."""

    help = up.HELP

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The options for `manage.py help up`."""
        up.add_arguments(parser)

    def handle(self, **_: object) -> None:
        """Raise CommandError."""
        raise CommandError("Only `manage.py up` runs this.")

"""`manage.py worker` for the list of commands; manage.py itself runs it, see `benchdb/embedded/without_django.py`."""

from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError

from benchdb.embedded.worker import HELP


class Command(BaseCommand):
    """A place in `manage.py help`."""

    help = HELP

    def handle(self, **_: object) -> None:
        """Raise CommandError."""
        raise CommandError("Only `manage.py worker` runs this.")

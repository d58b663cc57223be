"""`manage.py up` for the list of commands; manage.py itself runs it, see `benchdb/embedded/without_django.py`."""

from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError

from benchdb.embedded.up import HELP


class Command(BaseCommand):
    """A place in `manage.py help`."""

    help = HELP

    def handle(self, **_: object) -> None:
        """Raise CommandError."""
        raise CommandError("Only `manage.py up` runs this.")

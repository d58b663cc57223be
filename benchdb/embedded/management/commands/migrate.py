"""`manage.py migrate`, one at a time for a database."""

from typing import Any

from django.core.management.commands import migrate
from django.db import connections

from benchdb.embedded.database import migration_lock


class Command(migrate.Command):
    """Django's command under a lock: several servers that start at once migrate one after the other."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate."""
        with migration_lock(connections[options["database"]]):
            super().handle(*args, **options)

"""`manage.py migrate`, one at a time for a database, beside servers that go on."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.commands import migrate
from django.db import OperationalError, connections
from psycopg.errors import LockNotAvailable

from benchdb.embedded.database import migration_lock

LOCK_SECONDS = 3
PAUSE_SECONDS = 2
MOST_ATTEMPTS = 20


class Command(migrate.Command):
    """Django's command under a lock: several servers that start at once migrate one after the other.

    Who waits for a table lets all others wait behind it, readers too. So it waits shortly, and asks again after
    a pause in which they have their turn. A migration is one transaction: nothing is done half.
    """

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate."""
        connection = connections[options["database"]]
        with migration_lock(connection):
            for attempt in range(1, MOST_ATTEMPTS + 1):
                with connection.cursor() as cursor:
                    cursor.execute(f"SET lock_timeout = '{1000 * LOCK_SECONDS:.0f}ms'")
                try:
                    super().handle(*args, **options)
                except OperationalError as error:
                    if not isinstance(error.__cause__, LockNotAvailable) or attempt == MOST_ATTEMPTS:
                        raise
                    self.stderr.write(f"A table is in use; trying again ({attempt} of {MOST_ATTEMPTS}).")
                else:
                    return
                finally:
                    with connection.cursor() as cursor:
                        cursor.execute("RESET lock_timeout")
                time.sleep(PAUSE_SECONDS)

"""`manage.py migrate` for one process at a time per database, while servers keep running."""

from __future__ import annotations

import time

from django.core.management.commands import migrate
from django.db import OperationalError, connections
from psycopg.errors import LockNotAvailable

from benchdb.embedded.database import migration_lock

LOCK_SECONDS = 3
PAUSE_SECONDS = 2
MOST_ATTEMPTS = 20


class Command(migrate.Command):
    """Django's command under a lock, so that servers that start at once migrate one after the other.

    A statement that waits for a table's lock blocks all later ones, readers too. So the wait is short, with pauses for
    the readers between attempts. A migration is one transaction, so nothing is half done.
    """

    def handle(self, *args: object, database: str, **options: object) -> None:
        """Migrate under the lock."""
        connection = connections[database]
        with migration_lock(connection):
            for attempt in range(1, MOST_ATTEMPTS + 1):
                with connection.cursor() as cursor:
                    cursor.execute(f"SET lock_timeout = '{1000 * LOCK_SECONDS:.0f}ms'")
                try:
                    super().handle(*args, database=database, **options)
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

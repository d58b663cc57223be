"""Each thread keeps its connection; whether it is still good, and whether the database is back, costs nobody time.

No pool: one hides from a request that nobody listens any more until its own patience ends, and tries again ever more
rarely. The threads of gunicorn are few and live as long as their process, so a connection each is a pool already.
"""

from __future__ import annotations

import select
from collections import defaultdict
from typing import Any

import psycopg
from django.db.backends.postgresql import base
from psycopg.pq import TransactionStatus

from benchdb.absence import Absence

SECONDS = 1.0  # between two tries of a process at a database that is away

_absences: defaultdict[tuple[Any, Any], Absence] = defaultdict(
    lambda: Absence("the database", psycopg.OperationalError, SECONDS)
)


class DatabaseWrapper(base.DatabaseWrapper):
    """See above. Raises what Django's own does."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """A connection, or OperationalError: from the server, or at once where it was away a moment ago."""
        with _absences[conn_params.get("host"), conn_params.get("port")].asking():
            return super().get_new_connection(conn_params)

    def is_usable(self) -> bool:
        """Whether the connection is open, idle, and has nothing to say, which a server only has when it hangs up.

        The kernel knows; Django would ask the server, at the first query of each request.
        """
        kept = self.connection
        if kept is None or kept.closed or kept.pgconn.transaction_status != TransactionStatus.IDLE:
            return False
        heard = select.poll()
        heard.register(kept.fileno(), select.POLLIN)
        return not heard.poll(0)

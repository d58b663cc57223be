"""Reading from a streaming replica, where `BENCHDB_REPLICA_URL` names one; what that promises: docs/scaling.md.

Positions are bytes of the primary's log (WAL) since it began, so that a greater one is a later one.
"""

from __future__ import annotations

PRIMARY, REPLICA = "default", "replica"

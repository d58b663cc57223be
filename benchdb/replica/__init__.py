"""Reads from a streaming replica if `BENCHDB_REPLICA_URL` names one; docs/scaling.md describes the guarantees.

Positions are byte offsets in the primary's log (WAL); a greater position is a later one.
"""

from __future__ import annotations

PRIMARY, REPLICA = "default", "replica"

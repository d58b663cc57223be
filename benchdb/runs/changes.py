"""Records the changes of public runs, and numbers them in the order in which readers see them.

A number is given after the commit of the change, by one transaction at a time. So a reader that has seen a number has
seen, or will never see, all smaller ones: a run that changes again gets a greater number.
"""

from __future__ import annotations

from uuid import UUID

from django.db import connection, transaction

AT_ONCE = 10_000
_LOCK = 0x6368616E6765  # "change", for `pg_advisory_xact_lock`

# Of a run that was never public nothing is recorded, so that its id does not appear when it is deleted; of one that is
# public no more, only that it left.
_RECORD = """
INSERT INTO runs_runchange (run_id, changed_at)
SELECT s.run_id, clock_timestamp() FROM runs_runstate s WHERE s.run_id = ANY(%s)
AND (s.visibility = 'public' OR %s AND EXISTS (SELECT FROM runs_runchange c WHERE c.run_id = s.run_id))
ORDER BY s.run_id
ON CONFLICT (run_id) DO UPDATE SET number = NULL, changed_at = excluded.changed_at
"""
_NUMBER = """
UPDATE runs_runchange c SET number = numbered.number FROM (
    SELECT run_id, nextval('runs_runchange_numbers') AS number FROM (
        SELECT run_id FROM runs_runchange WHERE number IS NULL ORDER BY changed_at, run_id LIMIT %s
        FOR UPDATE SKIP LOCKED
    ) ordered
) numbered WHERE c.run_id = numbered.run_id
"""


def record_change(*run_ids: UUID, left: bool = False) -> None:
    """Record that these runs changed, those that are public; in the transaction of the change, after it.

    `left`: also those that were public and leave with this change; before it if it deletes them.
    """
    with connection.cursor() as cursor:
        cursor.execute(_RECORD, [list(run_ids), left])


def number_changes() -> int:
    """Give a number to each recorded change that has none. Returns how many there were; safe to kill and to repeat."""
    numbered, last = 0, AT_ONCE
    while last == AT_ONCE:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
            cursor.execute(_NUMBER, [AT_ONCE])
            last = cursor.rowcount
        numbered += last
    return numbered

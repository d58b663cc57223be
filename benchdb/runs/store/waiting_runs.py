"""The runs that wait for their statistics. The database is the queue; a message only says that some run waits.

Accounts take turns, so that the runs of one account do not delay those of another.
"""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import connection, transaction
from django.utils import timezone

from benchdb.runs.models import RunState, State

# First the accounts with the fewest runs in progress, then those whose last turn was the longest ago. The second run of
# an account comes after the first runs of all others: two workers that look at once see the same order, and each skips
# only the row that the other has locked. More than 64 workers never look at once.
_TAKE = """
WITH owners AS (
  SELECT owner_id, count(*) FILTER (WHERE state = 'computing') AS in_progress
  FROM runs_runstate WHERE state IN ('received', 'computing') GROUP BY owner_id
), candidates AS MATERIALIZED (
  SELECT run_id, row_number() OVER (ORDER BY in_progress + place, taken_at NULLS FIRST, changed_at, run_id) AS number
  FROM owners LEFT JOIN runs_turn USING (owner_id) CROSS JOIN LATERAL (
    SELECT run_id, changed_at, row_number() OVER (ORDER BY changed_at, run_id) AS place
    FROM runs_runstate WHERE owner_id = owners.owner_id AND state = 'received' ORDER BY changed_at, run_id LIMIT 64
  ) oldest
), taken AS (
  UPDATE runs_runstate SET state = 'computing', changed_at = clock_timestamp(), attempts = attempts + 1
  WHERE run_id = (
    SELECT waiting.run_id FROM candidates JOIN runs_runstate waiting USING (run_id)
    WHERE waiting.state = 'received' ORDER BY number LIMIT 1 FOR UPDATE OF waiting SKIP LOCKED
  )
  RETURNING run_id, owner_id
)
INSERT INTO runs_turn (owner_id, taken_at) SELECT owner_id, clock_timestamp() FROM taken
ON CONFLICT (owner_id) DO UPDATE SET taken_at = EXCLUDED.taken_at
RETURNING (SELECT run_id FROM taken)
"""


def take_next() -> UUID | None:
    """Mark the run whose turn it is as `computing` and return its id; None if no run waits.

    One statement, committed at once: a second worker gets another run, and the attempt counts even if this worker is
    killed.
    """
    with connection.cursor() as cursor:
        cursor.execute(_TAKE)
        row = cursor.fetchone()
    return row[0] if row else None


def give_back(before: datetime, most: int) -> int:
    """Let the runs of killed workers wait again: those that were taken before this time and that no worker has locked.

    They come last of their account's runs, since one of them may be the reason. Returns the number of runs.
    """
    computing = RunState.objects.filter(state=State.COMPUTING, changed_at__lt=before)
    with transaction.atomic():
        free = list(computing.select_for_update(skip_locked=True).values_list("pk", flat=True)[:most])
        return RunState.objects.filter(pk__in=free).update(state=State.RECEIVED, changed_at=timezone.now())


def count_waiting(before: datetime, most: int) -> int:
    """The number of runs that have waited since before this time; at most `most`."""
    return RunState.objects.filter(state=State.RECEIVED, changed_at__lt=before)[:most].count()

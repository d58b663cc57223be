"""How far the replica has replayed the log, and whether it is recent enough; each web process checks by itself."""

from __future__ import annotations

import logging
import time
from collections import deque
from threading import Lock

from django.conf import settings
from django.db import Error, connections

from benchdb.replica import PRIMARY, REPLICA

log = logging.getLogger(__name__)

LOOK_SECONDS = 1.0  # between two checks
PAUSE_SECONDS = 10.0  # without queries after a replica failed to answer

# The end of the log in the primary's memory (with `synchronous_commit = off`, commits need not be on disk), and the end
# of the log on its disk. A replica can have no more than the latter.
_COMMITTED = "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint"
_ON_DISK = "SELECT pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint"
# NULL if the server is not a replica any more.
_OF_REPLICA = "SELECT CASE WHEN pg_is_in_recovery() THEN pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint END"


class NoReplica(Exception):
    """The server of BENCHDB_REPLICA_URL is not a replica: it was promoted, or it is the primary itself."""


def committed() -> int:
    """The position of the primary's last commit. Raises django.db.Error."""
    return _query(PRIMARY, _COMMITTED)


def written() -> int:
    """The position up to which the primary's log is on its disk. Raises django.db.Error."""
    return _query(PRIMARY, _ON_DISK)


def replayed() -> int:
    """The replica's position. Raises django.db.Error and NoReplica."""
    position = _query(REPLICA, _OF_REPLICA)
    if position is None:
        raise NoReplica("the server of BENCHDB_REPLICA_URL is no replica")
    return position


def behind() -> int:
    """The bytes of the log that the replica has not replayed. Raises django.db.Error and NoReplica."""
    ahead = written()  # queried first, so that later writes do not count
    return max(0, ahead - replayed())


def _query(alias: str, query: str) -> int:
    with connections[alias].cursor() as cursor:
        cursor.execute(query)
        (position,) = cursor.fetchone()
    return position  # type: ignore[no-any-return]


class ReplicaWatch:
    """Positions of both servers. A replica is as old as the oldest position of the primary that it has not replayed."""

    def __init__(self) -> None:
        self._replayed = -1
        # (time, position) of the primary, oldest first, for positions not yet replayed.
        self._ahead: deque[tuple[float, int]] = deque(maxlen=60)
        self._near = float("-inf")  # the last time at which the replica had replayed everything
        self._next = float("-inf")  # the time of the next check
        self._looking, self._changing = Lock(), Lock()

    def suffices(self, needed: int) -> bool:
        """Whether the replica answers, is recent, and has replayed the position `needed`."""
        self._look()
        if time.monotonic() - self._near > settings.REPLICA_SECONDS:
            return False
        if needed > self._replayed:
            self._catch_up()
        return needed <= self._replayed

    def _look(self) -> None:
        """Check both servers, one thread at a time; other threads use the previous positions."""
        if time.monotonic() < self._next or not self._looking.acquire(blocking=False):
            return
        try:
            self._next = time.monotonic() + LOOK_SECONDS
            seen = (time.monotonic(), written())
            with self._changing:
                self._ahead.append(seen)
            self._catch_up()
        except Error as error:  # requests that read from the primary get the same error
            log.warning("the primary does not say how far it is: %s", str(error).strip())
        finally:
            self._looking.release()

    def _catch_up(self) -> None:
        try:
            position = replayed()
        except (Error, NoReplica) as error:
            log.warning("the replica is not read from for %.0f seconds: %s", PAUSE_SECONDS, str(error).strip())
            with self._changing:
                self._next, self._near, self._replayed = time.monotonic() + PAUSE_SECONDS, float("-inf"), -1
                self._ahead.clear()
            return
        with self._changing:
            self._replayed = position
            while self._ahead and self._ahead[0][1] <= position:
                self._near = self._ahead.popleft()[0]

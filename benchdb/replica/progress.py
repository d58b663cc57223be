"""How far the replica is, and whether that is near enough. Each process of the web server looks for itself."""

from __future__ import annotations

import logging
import time
from collections import deque
from threading import Lock

from django.conf import settings
from django.db import Error, connections

from benchdb.replica import PRIMARY, REPLICA

log = logging.getLogger(__name__)

LOOK_SECONDS = 1.0  # between two looks
PAUSE_SECONDS = 10.0  # for which one that does not answer is not asked again

# What was committed, though the primary may have it in memory alone (`synchronous_commit = off`); and what is on its
# disk, which is all that a replica can have.
_COMMITTED = "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint"
_ON_DISK = "SELECT pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::bigint"
# NULL where it is no replica any more.
_OF_REPLICA = "SELECT CASE WHEN pg_is_in_recovery() THEN pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint END"


class NoReplica(Exception):
    """The server that should be a replica is none: it was promoted, or is the primary itself."""


def committed() -> int:
    """The position of what the primary has answered for. Raises django.db.Error."""
    return _ask(PRIMARY, _COMMITTED)


def written() -> int:
    """The position of what the primary has on its disk. Raises django.db.Error."""
    return _ask(PRIMARY, _ON_DISK)


def replayed() -> int:
    """The replica's position. Raises django.db.Error and NoReplica."""
    found = _ask(REPLICA, _OF_REPLICA)
    if found is None:
        raise NoReplica("the server of BENCHDB_REPLICA_URL is no replica")
    return found


def behind() -> int:
    """How many bytes of the log the replica has not replayed. Raises django.db.Error and NoReplica."""
    ahead = written()  # asked first, so that work that goes on does not count
    return max(0, ahead - replayed())


def _ask(alias: str, query: str) -> int:
    with connections[alias].cursor() as cursor:
        cursor.execute(query)
        (position,) = cursor.fetchone()
    return position  # type: ignore[no-any-return]


class Watch:
    """What was seen of both. A replica is as old as the oldest position of the primary that it has not replayed."""

    def __init__(self) -> None:
        self._replayed = -1
        # When the primary was where, oldest first, as far as it is not replayed.
        self._ahead: deque[tuple[float, int]] = deque(maxlen=60)
        self._near = float("-inf")  # the last time at which the replica is known to have had everything
        self._next = float("-inf")  # when to look again
        self._looking, self._changing = Lock(), Lock()

    def suffices(self, needed: int) -> bool:
        """Whether the replica answers, is near, and has replayed what is `needed`."""
        self._look()
        if time.monotonic() - self._near > settings.REPLICA_SECONDS:
            return False
        if needed > self._replayed:
            self._catch_up()
        return needed <= self._replayed

    def _look(self) -> None:
        """One thread at a time; the others go by what was seen last."""
        if time.monotonic() < self._next or not self._looking.acquire(blocking=False):
            return
        try:
            self._next = time.monotonic() + LOOK_SECONDS
            seen = (time.monotonic(), written())
            with self._changing:
                self._ahead.append(seen)
            self._catch_up()
        except Error as error:  # whoever reads from the primary now meets the same
            log.warning("the primary does not say how far it is: %s", str(error).strip())
        finally:
            self._looking.release()

    def _catch_up(self) -> None:
        try:
            found = replayed()
        except (Error, NoReplica) as error:
            log.warning("the replica is not read from for %.0f seconds: %s", PAUSE_SECONDS, str(error).strip())
            with self._changing:
                self._next, self._near, self._replayed = time.monotonic() + PAUSE_SECONDS, float("-inf"), -1
                self._ahead.clear()
            return
        with self._changing:
            self._replayed = found
            while self._ahead and self._ahead[0][1] <= found:
                self._near = self._ahead.popleft()[0]

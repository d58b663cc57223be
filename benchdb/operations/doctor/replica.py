"""Checks the streaming replica that pages read from, if there is one."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings
from django.db import Error

from benchdb.replica import REPLICA
from benchdb.replica.progress import NoReplica, behind
from benchdb.wording.sizes import say_size

from .finding import DoctorFinding, ok, warning

LONG_LAG = 64 * 2**20  # bytes of the log: seconds of work


def replica() -> Iterator[DoctorFinding]:
    """Whether the replica is reachable and recent; a problem is only a warning, since pages then use the primary."""
    if REPLICA not in settings.DATABASES:
        return
    try:
        distance = behind()
    except NoReplica as error:
        yield warning("replica", f"{error}: pages read from the primary. Name one, or unset BENCHDB_REPLICA_URL")
    except Error as error:
        yield warning("replica", f"{' '.join(str(error).split())}; check BENCHDB_REPLICA_URL")
    else:
        far, text = distance > LONG_LAG, f"{say_size(distance)} of the log behind"
        yield warning("replica", f"{text}: look at its load and its network") if far else ok("replica", text)

"""Keeps what was evaluated from runs for the next reader who may see the same runs.

What is kept has nothing of a reader in it. Each request first asks which of the runs its reader may see now; the key of
a part covers these, so a reader finds only what another one with the same runs has been shown. A run that changes or is
deleted takes every part that may have read it with it, in the same transaction (the trigger of `models.kept`).
"""

from __future__ import annotations

import hashlib
import logging
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import Error, connection, transaction
from django.db.models import Case, F, QuerySet, Value, When
from django.db.models.expressions import RawSQL
from django.db.models.functions import Concat
from django.utils import timezone

from benchdb import __version__
from benchdb.http.after_response import after_answer
from benchdb.replica.reading import reading
from benchdb.variables import BASE_DIR

from .models import FINISHED, KeptPart, RunQuerySet

log = logging.getLogger(__name__)

MOST_RUNS = 1000  # of a part that a request makes, since each of them is an entry of an index
MOST_RUNS_OF_TASK = 20_000  # of a part that a worker makes
MOST_BYTES = 64 * 2**20  # of one part, compressed
MOST_BYTES_OF_ALL = 512 * 2**20
MOST_PARTS_OF_REQUESTS = 4500  # the other places are for what workers make, which exists nowhere else
MOST_PARTS = 5000  # a change of a run deletes its parts, which may be all: this takes a second
KEPT_FOR = timedelta(days=7)  # after the last use
USED = timedelta(minutes=5)  # resolution of `used_at`, so that reading a part rarely writes

_Row = tuple[UUID, str, str, str]  # of a run: its id, the name of its machine, its version and its state

# A change of a run waits until this has ended, and then deletes the part. A run that has changed or is changing has
# another version or is skipped.
_KEEP = """
WITH held AS (
    SELECT run_id, xmin::text AS version FROM runs_runstate WHERE run_id = ANY(%s) FOR SHARE SKIP LOCKED
)
INSERT INTO runs_keptpart (key, runs, data, used_at) SELECT %s, %s, %s, %s
WHERE (SELECT array_agg(version ORDER BY run_id) FROM held) = %s
AND (SELECT count(*) FROM runs_keptpart) < %s
ON CONFLICT (key) DO NOTHING
"""
_TRIM = """
DELETE FROM runs_keptpart WHERE key IN (
    SELECT key FROM (
        SELECT key, row_number() OVER used AS parts, sum(length(data) + 32 * cardinality(runs)) OVER used AS bytes
        FROM runs_keptpart WINDOW used AS (ORDER BY used_at DESC, key)
    ) sized
    WHERE bytes > %s OR parts > %s
)
"""


@dataclass(frozen=True, slots=True)
class SeenRuns:
    """The runs of a selection that a reader may see now: their ids, the names of their machines, and their versions.

    `unfinished` are the states of those that wait for their statistics. A version is the transaction that changed the
    state of the run last; it is compared within a request only.
    """

    ids: Sequence[UUID]
    machines: Sequence[str]
    versions: Sequence[str]
    unfinished: Mapping[UUID, str]

    def key(self, *of_part: str) -> bytes:
        """The key of a part, which also depends on `of_part`: the name of the part and the selection, in any number."""
        digested = hashlib.sha256(release().encode())
        for text in ("\0".join(of_part).rstrip("\0"), *map(str, self.ids), *self.machines):
            digested.update(b"%d:" % len(text) + text.encode(errors="surrogatepass"))
        return digested.digest()


def seen(runs: RunQuerySet, most: int = MOST_RUNS) -> SeenRuns:
    """These runs as they are now, or one more than `most` of them; one narrow query."""
    return _seen(_narrow(runs)[: most + 1])


def seen_by_campaign(runs: RunQuerySet) -> dict[UUID, SeenRuns]:
    """The runs of each campaign as they are now; one narrow query."""
    rows: dict[UUID, list[_Row]] = {}
    for campaign, *row in _narrow(runs, "campaign_id"):
        rows.setdefault(campaign, []).append(tuple(row))
    return {campaign: _seen(of_campaign) for campaign, of_campaign in rows.items()}


def _narrow(runs: RunQuerySet, *before: str) -> QuerySet[Any, Any]:
    version = RawSQL("runs_runstate.xmin::text", [])
    hidden = Case(When(hidden=True, then=Value("\n"))) if "hidden" in runs.query.annotations else Value("")
    rows = runs.annotate(version=version, state=F("runstate__state"), named=Concat("machine__name", hidden))
    return rows.order_by("pk").values_list(*before, "pk", "named", "version", "state")


def _seen(rows: Iterable[_Row]) -> SeenRuns:
    ids, machines, versions, states = zip(*found, strict=True) if (found := list(rows)) else ((), (), (), ())
    unfinished = {run: state for run, state in zip(ids, states, strict=True) if state not in FINISHED}
    return SeenRuns(ids, machines, versions, unfinished)


@contextmanager
def one_moment(access: str = "READ ONLY") -> Iterator[None]:
    """Let everything inside read the database as it is at the first query, so that no run comes or goes in between.

    Inside a transaction nothing changes: it is the caller's.
    """
    connection = reading()
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic(using=connection.alias):
        with connection.cursor() as cursor:
            cursor.execute(f"SET TRANSACTION ISOLATION LEVEL REPEATABLE READ {access}")
        yield


def find(key: bytes) -> bytes | None:
    """The part with this key, as zlib compressed it; None if it must be evaluated. One query, and an update if it was
    not used for long.
    """
    found = KeptPart.objects.filter(pk=key).values_list("data", "used_at").first()
    if found is None:
        return None
    data, used_at = found
    if used_at < timezone.now() - USED:  # later, because the caller's transaction may be READ ONLY
        after_answer(lambda: _use(key))
    return bytes(data)


def find_all(keys: Collection[bytes]) -> dict[bytes, bytes]:
    """Those of these parts that are there, unpacked; one query. They are small, and reading them is no use of them."""
    found = KeptPart.objects.filter(pk__in=keys).values_list("key", "data")
    return {bytes(key): zlib.decompress(data) for key, data in found}


def _use(key: bytes) -> None:
    KeptPart.objects.filter(pk=key).update(used_at=timezone.now())


def keep(runs: SeenRuns, key: bytes, data: bytes, most: int = MOST_PARTS) -> None:
    """Keep a part, as zlib compressed it, that was evaluated in one moment with these runs, unless one of them has
    changed or is changing.

    Nothing is kept beyond so many parts. A failure is logged, because the reader has the answer.
    """
    if not runs.ids or runs.unfinished or len(data) > MOST_BYTES:
        return
    ids, versions = list(runs.ids), list(runs.versions)
    try:
        with connection.cursor() as cursor:
            cursor.execute(_KEEP, [ids, key, ids, data, timezone.now(), versions, most])
    except Error as error:
        log.warning("what was evaluated from %d runs is not kept: %s", len(runs.ids), error)


def trim() -> int:
    """Delete parts that nobody has used for long, and the least used beyond the limit. Returns how many."""
    deleted, _ = KeptPart.objects.filter(used_at__lt=timezone.now() - KEPT_FOR).delete()
    with connection.cursor() as cursor:
        cursor.execute(_TRIM, [MOST_BYTES_OF_ALL, MOST_PARTS * 4 // 5])
        trimmed: int = cursor.rowcount
    return deleted + trimmed


@cache
def release() -> str:
    """A digest of everything besides data that makes a part, code and templates: the same on every host."""
    digested = hashlib.sha256(__version__.encode())
    for folder in ("benchdb", "agents/benchagent"):
        for path in sorted(Path(BASE_DIR, folder).rglob("*")):
            if path.suffix in (".py", ".html", ".txt"):
                digested.update(str(path.relative_to(BASE_DIR)).encode() + path.read_bytes())
    return digested.hexdigest()

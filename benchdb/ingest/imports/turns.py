"""The order in which workers continue imports: one import of each account at a time, and accounts take turns.

One large import at a time, beside one large page or file, so that the third process of the worker is left for small
ones (docs/security.md, "Limits").

The database is the queue; a message only says that some import is unfinished.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.db import connection, transaction
from django.db.models import Max, Sum
from django.utils import timezone

from benchdb.ingest.models import Import, ImportState
from benchdb.runs.models import Turn

UNFINISHED = (ImportState.READING, ImportState.STORING)
ACCOUNTS = 0x1B08  # the space of advisory locks on accounts
LARGE, IMPORTS, PAGES = 0x1B0A, 0, 1  # the space of the advisory locks on large work: on imports, on pages and files
LARGE_BYTES = 500_000  # of a file to read, or of all files to store: at most two seconds of ordinary readers
SLOW_SECONDS = 2  # of a processor, for one file
SLOW_FOR = timedelta(hours=1)
NEVER = datetime.min.replace(tzinfo=UTC)


def try_lock(space: int, number: int) -> bool:
    """Take an advisory lock until the transaction ends; False if another session has it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", [space, number % 2**31])
        (locked,) = cursor.fetchone() or (False,)
    return bool(locked)


def try_turn(draft: Import) -> bool:
    """Begin to work on an import until the transaction ends.

    False if another worker works for its account or, if it is large, on a large import. All imports of an account are
    large while one of its files was slow to read not long ago.
    """
    of_files = Max if draft.state == ImportState.READING else Sum
    size = draft.files.aggregate(size=of_files("size", default=0))["size"]
    is_slow = Turn.objects.filter(owner=draft.owner_id, import_slow_at__gte=timezone.now() - SLOW_FOR).exists()
    return try_lock(ACCOUNTS, draft.owner_id) and ((size <= LARGE_BYTES and not is_slow) or try_lock(LARGE, IMPORTS))


def keep_slow(owner_id: int, seconds: float) -> None:
    """Remember that reading a file of this account took so many seconds of a processor, if these are many."""
    if seconds > SLOW_SECONDS:
        Turn.objects.update_or_create(owner_id=owner_id, defaults={"import_slow_at": timezone.now()})


def take_next() -> Import | None:
    """The import whose turn it is: the oldest unfinished one of the account whose last turn was the longest ago.

    Imports that must wait for another worker are left out (`try_turn`). None if there is no other.
    """
    unfinished = Import.objects.filter(state__in=UNFINISHED).only("owner", "state", "created_at")
    oldest = list(unfinished.order_by("owner", "created_at", "pk").distinct("owner"))
    turns = Turn.objects.filter(owner__in=[draft.owner_id for draft in oldest], import_taken_at__isnull=False)
    last = dict(turns.values_list("owner_id", "import_taken_at"))
    for draft in sorted(oldest, key=lambda draft: (last.get(draft.owner_id) or NEVER, draft.created_at)):
        with transaction.atomic():
            if try_turn(draft):
                Turn.objects.update_or_create(owner_id=draft.owner_id, defaults={"import_taken_at": timezone.now()})
                return draft
    return None


def ahead_of(draft: Import) -> Import | None:
    """The unfinished import of the same account that comes before this one, None if this one is the first."""
    if draft.state not in UNFINISHED:
        return None
    first = Import.objects.filter(owner=draft.owner_id, state__in=UNFINISHED).order_by("created_at", "pk").first()
    return first if first is not None and first.pk != draft.pk else None

"""Follows the changes of a source. Each step may be repeated: a run is stored once, and states are set, not changed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

from django.db import connection
from django.utils import timezone

from benchdb.ingest.contract import FaultyDocument
from benchdb.ingest.reparse import reparse
from benchdb.ingest.services import Followed, RunConflict, RunDeleted, store_for
from benchdb.quotas.limits import QuotaExceeded
from benchdb.runs.models import Run, Visibility
from benchdb.runs.services import HeldByStaff, delete_run, edit, reinstate, withdraw
from benchdb.signatures.services import check_signature
from benchdb.signatures.sshsig import BadSignature

from .client import DocumentRefused, SourceChange, SourceClient, SourceFailed
from .models import RefusedRun, Source

READ_SECONDS = 60.0  # after which a reading ends; the next one goes on
SOURCES = 0x50C5  # the space of advisory locks on sources
MOST_FAULTS = 20  # of a refused document that are kept
LONGEST_FAULT = 300  # characters


def read_source(source: Source) -> int:
    """Follow the changes of a source for at most `READ_SECONDS`. Returns the number of changes that were followed.

    Does nothing while another process reads the source. The source keeps how far it got, and why it ended early.
    """
    with _alone(source) as is_alone:
        if not is_alone:
            return 0
        source.refresh_from_db()
        try:
            with SourceClient(source.address) as client:
                followed, is_whole = _read(source, client)
        except SourceFailed as error:
            Source.objects.filter(pk=source.pk).update(error=str(error))
            return 0
        done = {"read_at": timezone.now()} if is_whole else {}
        Source.objects.filter(pk=source.pk).update(error="", **done)
        return followed


@contextmanager
def _alone(source: Source) -> Iterator[bool]:
    """Whether no other session of the database reads this source; the lock ends with the session, however it ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [SOURCES, source.pk])
        (locked,) = cursor.fetchone() or (False,)
    try:
        yield bool(locked)
    finally:
        if locked:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [SOURCES, source.pk])


def _read(source: Source, client: SourceClient) -> tuple[int, bool]:
    """The number of changes that were followed, and whether these were all."""
    end, followed = time.monotonic() + READ_SECONDS, 0
    while time.monotonic() <= end:
        page = client.changes(source.after)
        if page.greatest < source.after:  # restored from a backup: numbers are given again
            _move(source, 0)
            continue
        if not page.changes:
            return followed, True
        reached = source.after
        try:
            for change in page.changes:
                _follow(source, client, change)
                reached, followed = change.change, followed + 1
                if time.monotonic() > end:
                    return followed, False
        finally:
            _move(source, reached)
    return followed, False


def _move(source: Source, after: int) -> None:
    """Remember the last change that was followed; a process that is killed before repeats a page."""
    source.after = after
    Source.objects.filter(pk=source.pk).update(after=after)


def _follow(source: Source, client: SourceClient, change: SourceChange) -> None:
    run = Run.objects.select_related("runstate").filter(pk=change.run_id).first()
    refused = RefusedRun.objects.filter(source=source, run_id=change.run_id)
    try:
        if run is not None and run.runstate.read_from != source.name:
            if change.left is None and change.origin is None:  # else the source has read it elsewhere, perhaps here
                raise DocumentRefused("A run with this id is stored here already, and not from this source.")
        elif change.left is not None:
            _leave(run, change)
        elif run is None:
            _store(source, client, change)
        else:
            _show(run, change.labels, Visibility.PUBLIC)
            if run.runstate.withdrawn_at is not None:
                with suppress(HeldByStaff):
                    reinstate(run)
            if change.reading > run.runstate.current_parse:
                reparse(run.pk)
        refused.delete()
    except DocumentRefused as error:
        RefusedRun.objects.update_or_create(source=source, run_id=change.run_id, defaults={"reason": str(error)})


def _store(source: Source, client: SourceClient, change: SourceChange) -> None:
    document = client.document(change.run_id)
    if document is None:
        return
    origin = _web_address(change.origin) or f"{source.address}/runs/{change.run_id}/"
    followed = Followed(source.name, origin, change.labels)
    try:
        signature = document.signature
        checked = None if signature is None else check_signature(source.owner, signature, document.body)
        store_for(source.owner, Visibility.PUBLIC, change.run_id, document.body, signature=checked, followed=followed)
    except FaultyDocument as error:
        faults = [f"{fault.pointer}: expected {fault.expected}"[:LONGEST_FAULT] for fault in error.faults]
        raise DocumentRefused("\n".join(faults[:MOST_FAULTS])) from None
    except BadSignature as error:
        raise DocumentRefused(f"Its signature is refused, because {error}.") from None
    except RunConflict:
        raise DocumentRefused("Another document is stored under this id.") from None
    except RunDeleted:
        raise DocumentRefused("This run was deleted here.") from None
    except QuotaExceeded as error:
        raise SourceFailed(str(error)) from None
    if change.reading > 1:
        reparse(change.run_id)


def _leave(run: Run | None, change: SourceChange) -> None:
    if run is None:
        return
    if change.left == "deleted":
        delete_run(run)
    elif change.left == "hidden":
        _show(run, run.runstate.labels, Visibility.PRIVATE)
    else:
        _show(run, run.runstate.labels, Visibility.PUBLIC)
        if run.runstate.withdrawn_at is None or run.runstate.withdrawn_reason != change.reason:
            with suppress(HeldByStaff):
                withdraw(run, change.reason)


def _show(run: Run, labels: dict[str, str], visibility: Visibility) -> None:
    """Set labels and visibility where they differ; a maintainer of this server may have limited the latter."""
    state = run.runstate
    limit = state.visibility_limit
    shown = visibility if limit is None or visibility == Visibility.PRIVATE else Visibility(limit)
    if (state.labels, state.visibility) != (labels, shown):
        with suppress(HeldByStaff):
            edit(run, labels, shown)


def _web_address(text: str | None) -> str | None:
    """The address if a browser may open it."""
    if text is None:
        return None
    try:
        parts = urlsplit(text)
    except ValueError:
        return None
    return text if parts.scheme in ("http", "https") and parts.netloc else None

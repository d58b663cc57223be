"""Leads an import through its states: reading → ready → storing → stored. Every step may be repeated."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping, Sequence
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db import DatabaseError, transaction
from django.db.models import Sum
from django.utils import timezone
from psycopg.types.json import Jsonb

from benchdb.http.work import LARGE_SECONDS, MustWait, expect
from benchdb.ingest.models import FileState, Import, ImportFile, ImportState
from benchdb.quotas import services as quotas
from benchdb.quotas.models import Quota
from benchdb.runs.store.copy_in import copy_in

from . import background
from .budget import Killed, OverBudget, within
from .documents import planned, run_id
from .form import StoreForm
from .reading import storable
from .recorded import take_recorded
from .turns import UNFINISHED
from .unpack import MOST_INFLATED, MOST_RATIO, GivenFile, RefusedFiles, UnpackedFiles, is_archive, unpack

log = logging.getLogger(__name__)

AT_ONCE = 256 * 1024  # bytes of raw text; a request stores the results of so few itself
UNPACK_SECONDS = 3  # of processor time for the archives of a request
SECONDS_A_BYTE = 1e-8  # that is inflated
AT_ONCE_RUNS = 20
MOST_NOTES = 200
KEPT_FOR = timedelta(days=7)  # after the last change
_COLUMNS = {
    "of_id": "uuid",
    "ordinal": "int4",
    "name": "varchar",
    "size": "int8",
    "sha256": "bytea",
    "content": "bytea",
    "state": "varchar",
    "reason": "text",
    "attempts": "int2",
    "tool": "varchar",
    "result_count": "int4",
    "round_count": "int4",
    "head": "jsonb",
}


class NotReady(Exception):
    """The import is still being read or stored, or was discarded."""


class NothingToStore(Exception):
    """No recognised file is left; the message is a sentence for people."""


def begin(owner: User, given: Sequence[GivenFile], tool: str = "", unit: str = "") -> Import:
    """Keep the given files for a worker to read.

    A request reads nothing itself: a reader that takes time out of proportion to its text would hold one of the few
    threads of the web server, or all of them with Python's lock. A person may have chosen the tool and stated the unit,
    which `chosen.ReadingForm` checks. Raises RefusedFiles and QuotaExceeded.
    """
    unpacked = _unpacked(given)
    files, recorded, differing = take_recorded(unpacked.files)
    unpacked = UnpackedFiles(files, [*unpacked.left_out, *differing])
    with transaction.atomic():
        _check_room(owner, sum(len(file.content) for file in unpacked.files))
        draft = Import.objects.create(owner=owner, tool=tool, unit=unit, notes=_notes(unpacked), recorded=recorded)
        _copy_files(draft, unpacked.files)
        transaction.on_commit(background.send)
    return draft


def _unpacked(given: Sequence[GivenFile]) -> UnpackedFiles:
    """The files; if any is packed, from a process with limits. Raises RefusedFiles, and MustWait before the work."""
    packed = sum(len(file.content) for file in given if is_archive(file.content))
    if not packed:
        return unpack(given)
    # Small archives can take long too, in ways that nobody has thought of, so that each has its turn.
    expect(max(LARGE_SECONDS, SECONDS_A_BYTE * min(MOST_INFLATED, MOST_RATIO * packed)))
    try:
        return within(UNPACK_SECONDS, lambda: unpack(given))
    except (OverBudget, Killed, MemoryError):
        raise RefusedFiles(
            "Unpacking takes more time or memory than output of tools does. Send the files as they are."
        ) from None


def _check_room(owner: User, added: int) -> None:
    """Raise QuotaExceeded if the owner may begin no further import, or none with so many bytes."""
    unfinished = Import.objects.exclude(state=ImportState.STORED)
    quotas.check_room(owner, Quota.IMPORTS, 1, unfinished.filter(owner=owner).count, unfinished.count)
    quotas.check_room(
        owner,
        Quota.BYTES,
        added,
        lambda: quotas.used_by(owner.pk).document_bytes + bytes_of_imports(owner),
        lambda: quotas.used_by_all().document_bytes + bytes_of_imports(),
    )


def bytes_of_imports(owner: User | None = None) -> int:
    """The bytes of the files in imports that are not stored: of one owner, or of all."""
    files = ImportFile.objects.filter(of__owner=owner) if owner else ImportFile.objects.all()
    total: int = files.aggregate(total=Sum("size", default=0))["total"]
    return int(total)


def _store_at_once(draft: Import) -> None:
    """Store an import in the request; if the server is busy or the database fails meanwhile, a worker does it."""
    try:
        background.store_runs(draft.pk)
    except MustWait:  # nothing of it is done
        log.info("import %s is left to a worker, because the server is busy", draft.pk)
    except DatabaseError:
        log.exception("import %s is left to a worker", draft.pk)
    draft.refresh_from_db()
    if draft.state in UNFINISHED:
        background.send()


def _notes(unpacked: UnpackedFiles) -> list[list[str]]:
    notes = [[name, reason] for name, reason in unpacked.left_out[:MOST_NOTES]]
    more = len(unpacked.left_out) - MOST_NOTES
    return [*notes, [f"{more} more", "not taken either"]] if more > 0 else notes


def _copy_files(draft: Import, files: Sequence[GivenFile]) -> None:
    """Write the files with COPY in binary, since text would double every byte. Repeated contents are refused."""
    seen: dict[bytes, str] = {}
    statement = f"COPY ingest_importfile ({', '.join(_COLUMNS)}) FROM STDIN (FORMAT BINARY)"
    with copy_in(statement) as copy:
        copy.set_types(list(_COLUMNS.values()))
        for ordinal, file in enumerate(files):
            sha256 = hashlib.sha256(file.content).digest()
            first = seen.get(sha256)
            seen.setdefault(sha256, file.name)
            state = FileState.WAITING if first is None else FileState.REFUSED
            reason = "" if first is None else f"it is the same, byte by byte, as {first}"
            content = file.content if first is None else b""
            row = (draft.pk, ordinal, file.name, len(file.content), sha256, content, state.value, reason)
            copy.write_row((*row, 0, "", 0, 0, Jsonb({})))


def keep(draft: Import, form: StoreForm, entered: Mapping[str, object]) -> None:
    """Keep the entries of the form so far, faulty or not."""
    draft.entered = {name: _storable(value) for name, value in entered.items()}
    draft.detected = form.detected
    draft.save(update_fields=["entered", "detected", "changed_at"])


def _storable(value: object) -> object:
    """The value in a form that PostgreSQL accepts, since faulty entries are kept too."""
    if isinstance(value, list):
        return [_storable(item) for item in value]
    return storable(value) if isinstance(value, str) else value


def store(draft: Import, form: StoreForm, entered: Mapping[str, object]) -> Import:
    """Store an import with the entries of a valid form. The first call decides: later ones change nothing.

    Raises NotReady if the import is still being read or was discarded, and NothingToStore.
    """
    with transaction.atomic():
        locked = Import.objects.select_for_update().filter(pk=draft.pk).first()
        if locked is None or locked.state == ImportState.READING:
            raise NotReady
        if locked.state != ImportState.READY:
            return locked
        keep(locked, form, entered)
        runs = planned(list(locked.files.light()), form.cleaned_data["runs"], form.cleaned_data["leave_out"])
        if not runs:
            raise NothingToStore("There is nothing to store: no recognized file is left.")
        locked.run_ids = [run_id(locked, number) for number in range(len(runs))]
        locked.state, locked.faults, locked.attempts = ImportState.STORING, [], 0
        locked.save()
        if sum(file.size for run in runs for file in run.files) > AT_ONCE or len(runs) > AT_ONCE_RUNS:
            transaction.on_commit(background.send)
            return locked
    _store_at_once(locked)
    return locked


def discard(draft: Import) -> None:
    """Delete an import, but not its stored runs. Raises NotReady while it is being stored."""
    with transaction.atomic():
        free = Import.objects.select_for_update(skip_locked=True).filter(pk=draft.pk)
        if not free.exclude(state=ImportState.STORING).exists():
            raise NotReady
        draft.delete()


def tidy() -> dict[str, int]:
    """Send a message if imports are unfinished, since the broker may have lost theirs, and delete old ones. Idempotent.

    One message is enough: each worker sends another as long as an import is unfinished.
    """
    now = timezone.now()
    overdue = Import.objects.filter(changed_at__lt=now - timedelta(seconds=settings.SWEEP_SECONDS))
    unfinished = overdue.filter(state__in=UNFINISHED).exists()
    if unfinished:
        background.send()
    old = Import.objects.filter(changed_at__lt=now - KEPT_FOR)
    return {"asked again": int(unfinished), "deleted": old.delete()[0]}

"""The slow steps of an import, for workers: reading files and storing runs. Every step may be repeated."""

from __future__ import annotations

import json
import logging
import time
from resource import RUSAGE_CHILDREN, getrusage
from uuid import UUID

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import DatabaseError, DataError, transaction
from django.db.models import F
from django.utils import timezone

from benchagent.formats import is_named
from benchdb.celery import hand_over
from benchdb.http.work import MustWait
from benchdb.ingest.contract import FaultyDocument
from benchdb.ingest.models import FileState, Import, ImportFile, ImportState
from benchdb.ingest.services import RunConflict, RunDeleted, store_for
from benchdb.quotas import services as quotas
from benchdb.quotas.limits import Amount, QuotaExceeded
from benchdb.runs.models import Visibility
from benchdb.wording.sizes import say_size

from .beside import RunFiles, version_beside
from .budget import Killed, OverBudget, within
from .documents import ImportChoices, document, planned
from .form import StoreForm
from .reading import Read, UnreadableFile, read
from .turns import keep_slow, try_lock, try_turn
from .unpack import RefusedFiles

log = logging.getLogger(__name__)

CONTINUE = "benchdb.ingest.tasks.continue_imports"
LEAST_SECONDS = 10  # of processor time that a file may take to read; a second a megabyte if that is more
SLICE_SECONDS = 5  # of one import; then it is the turn of another account
MOST_ATTEMPTS = 5  # at a step that ends the worker every time
MOST_FAULTS = 200
FILES = 0x1B07  # the space of advisory locks on files; with locks of their rows, discarding an import would wait


def continue_import(draft: Import) -> bool:
    """Work on an import for its turn; False if there was nothing to do, or another worker works for its account."""
    do = read_files if draft.state == ImportState.READING else store_runs
    return do(draft.pk, draft)


def read_files(import_id: UUID, turn: Import | None = None) -> bool:
    """Read waiting files, in a worker. Idempotent. Returns whether anything was done.

    Each file is locked while it is read, and committed by itself, so the file of a killed worker is free again. Workers
    give the import as `turn`, because only one of them works at a time for an account, and on large imports; they stop
    after `SLICE_SECONDS`.
    """
    begun, done = time.monotonic(), False
    while _read_next(import_id, turn):
        done = True
        if turn is not None and time.monotonic() - begun > SLICE_SECONDS:
            break
    if not ImportFile.objects.filter(of=import_id, state=FileState.WAITING).exists():
        reading = Import.objects.filter(pk=import_id, state=ImportState.READING)
        done |= bool(reading.update(state=ImportState.READY, changed_at=timezone.now()))
    return done


def _read_next(import_id: UUID, turn: Import | None) -> bool:
    """Read one file; False if no waiting file is free."""
    with transaction.atomic():  # committed by itself, so that the attempt counts even if the worker is killed
        file = _free(import_id) if _may_work(turn) else None
        if file is None:
            return False
        ImportFile.objects.filter(pk=file.pk).update(attempts=F("attempts") + 1)
    with transaction.atomic():
        if _may_work(turn) and try_lock(FILES, file.pk):
            _read(file.pk)
    return True


def _may_work(turn: Import | None) -> bool:
    """Whether a worker has the turn until the transaction ends; requests, without one, always may."""
    return turn is None or try_turn(turn)


def _free(import_id: UUID) -> ImportFile | None:
    """The next waiting file that no worker reads; this transaction has locked it. Outputs precede files beside them."""
    waiting = list(ImportFile.objects.filter(of=import_id, state=FileState.WAITING).light())
    return next(
        (file for file in sorted(waiting, key=lambda file: is_named(file.name)) if try_lock(FILES, file.pk)), None
    )


def _read(file_id: int) -> None:
    file = ImportFile.objects.select_related("of").filter(pk=file_id, state=FileState.WAITING).first()
    if file is None:  # another worker was faster, or the import was discarded
        return
    try:
        if file.attempts > MOST_ATTEMPTS:
            raise UnreadableFile(f"reading it ended the worker {MOST_ATTEMPTS} times")
        result = _read_within_budget(file)
    except UnreadableFile as error:
        end = {"line": error.line, "column": error.column}
        columns: dict[str, object] = {"state": FileState.REFUSED, "reason": str(error), **end}
    else:
        columns = {"state": FileState.READ, "tool": result.tool, "head": result.head, "reading": result.packed}
        columns |= {"result_count": result.result_count, "round_count": result.round_count}
    try:
        with transaction.atomic():
            ImportFile.objects.filter(pk=file_id).update(**columns)
    except DataError as error:  # another try would fail again, and the other files are still read
        log.exception("what was recognized in a file of an import could not be kept")
        reason = f"what was recognized in it could not be kept, which is our fault ({type(error).__name__})"
        ImportFile.objects.filter(pk=file_id).update(state=FileState.REFUSED, reason=reason)


def _read_within_budget(file: ImportFile) -> Read:
    """The results in a file. Raises UnreadableFile, also for one that takes too long or too much memory."""
    content, version, stated = bytes(file.content), version_beside(file), file.of
    options = {"tool": stated.tool or None, "unit": stated.unit or None}
    seconds = max(LEAST_SECONDS, len(content) // 10**6)
    before = _seconds_of_children()
    try:
        return within(seconds, lambda: read(content, file.name, version, **options))
    except OverBudget:
        raise UnreadableFile(f"reading it took more than {seconds} seconds of a processor; split it") from None
    except (Killed, MemoryError):
        raise UnreadableFile("it takes more memory to read than there is; split it into several files") from None
    finally:
        keep_slow(stated.owner_id, _seconds_of_children() - before)


def _seconds_of_children() -> float:
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def give_up(import_id: UUID, reason: str) -> None:
    """Refuse the file that was being read, or stop storing the import, for this reason."""
    waiting = ImportFile.objects.filter(of=import_id, state=FileState.WAITING).order_by("ordinal")
    tried = waiting.filter(attempts__gt=0).values_list("pk", flat=True)[:1]
    ImportFile.objects.filter(pk__in=list(tried)).update(state=FileState.REFUSED, reason=reason)
    storing = Import.objects.filter(pk=import_id, state=ImportState.STORING)
    storing.update(state=ImportState.READY, faults=[["", reason]], changed_at=timezone.now())


def store_runs(import_id: UUID, turn: Import | None = None) -> bool:
    """Store all runs of an import, or none and record the reasons. Idempotent: does nothing if it is stored already.

    Returns whether anything was done; `turn` as in `read_files`.
    """
    storing = Import.objects.filter(pk=import_id, state=ImportState.STORING)
    with transaction.atomic():  # committed at once, so that the attempt counts even if the worker is killed
        if not (_may_work(turn) and storing.update(attempts=F("attempts") + 1)):
            return False
    with transaction.atomic():
        draft = storing.select_for_update(skip_locked=True).first() if _may_work(turn) else None
        if draft is None:
            return False
        draft.faults = _stored(draft)
        draft.state = ImportState.READY if draft.faults else ImportState.STORED
        if not draft.faults:  # all of it is in the runs now, and would count in no quota
            draft.files.all().delete()
            draft.entered, draft.detected, draft.recorded, draft.notes = {}, None, None, []
        draft.save()
    return True


def _stored(draft: Import) -> list[list[str]]:
    """Store the import. Returns the reasons why that was impossible; empty if it is stored."""
    if draft.attempts > MOST_ATTEMPTS:
        return [["", f"storing it ended the worker {MOST_ATTEMPTS} times"]]
    try:
        with transaction.atomic():
            _store_all(draft)
    except FaultyDocument as error:
        return [[fault.pointer.strip("/"), fault.expected] for fault in error.faults[:MOST_FAULTS]]
    except (RefusedFiles, RunConflict, RunDeleted, QuotaExceeded, MemoryError) as error:
        return [["", str(error) or "there is not enough memory for it"]]
    except (SoftTimeLimitExceeded, DatabaseError, MustWait) as error:
        if not isinstance(error, DataError):
            raise  # another try may succeed
        return [["", f"the database does not take it, which is our fault ({error})"]]
    except Exception as error:  # the owner gets any reason; another try would fail again
        log.exception("import %s could not be stored", draft.pk)
        return [["", f"the server failed, which is our fault ({type(error).__name__}: {error})"]]
    return []


def _store_all(draft: Import) -> None:
    files = list(draft.files.light())
    form = StoreForm(len(files), draft.entered, detected=draft.detected)
    if not form.is_valid():
        raise RefusedFiles("what was filled in is not valid any more; look at it again")
    chosen, added = form.chosen(), [Amount()]
    for number, light in enumerate(planned(files, form.cleaned_data["runs"], form.cleaned_data["leave_out"])):
        body = _body(draft, chosen, draft.run_ids[number], light)
        if len(body) > settings.UPLOAD_MAX_INFLATED_BYTES:
            most, name = say_size(settings.UPLOAD_MAX_INFLATED_BYTES), light.files[0].name
            raise RefusedFiles(
                f"the run of {name} is larger than {most}: leave files out, or make them runs of their own"
            )
        visibility = Visibility(chosen.visibility)
        store_for(draft.owner, visibility, draft.run_ids[number], body, charge=lambda _, amount: added.append(amount))
    quotas.charge(draft.owner, sum(added, Amount()))  # once and at the end, because uploads of the owner wait for it


def _body(draft: Import, chosen: ImportChoices, run_id: UUID, light: RunFiles) -> bytes:
    """The document of one run; when this function returns, all that it was made from is freed."""
    whole = ImportFile.objects.in_bulk([file.pk for file in light.files])
    outputs = [whole[file.pk] for file in light.outputs]
    run = RunFiles(outputs, [(whole[file.pk], index) for file, index in light.beside])
    content = document(draft, chosen, run_id, run)
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "backslashreplace")


def send() -> None:
    """Tell a worker that an import is unfinished; if the message gets lost, `tidy` sends another."""
    hand_over(CONTINUE)

"""Prepares a target for one visit, and undoes everything afterwards, however the visit ends."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchagent.errors import PreparationError
from benchagent.plan.model import Target
from benchagent.system.interrupts import held
from benchagent.system.journal import Journal, JournalEntry
from benchagent.system.owned_directory import owned
from benchagent.system.undo import Undo

from . import tunables
from .formatting import formatted, tune
from .journal_undo import QUEUE, SCRATCH, empty
from .prepared_target import PreparedTarget, TickCallback
from .work_directory import WorkDirectory

SCRATCH_NAME = ".benchagent"  # the agent's own directory inside a directory target


@contextmanager
def prepared(target: Target, work: WorkDirectory, tick: TickCallback) -> Iterator[PreparedTarget]:
    """The newly prepared target.

    Raises PreparationError with the error message of the program that failed, NotUndone if something stays in use.
    """
    with formatted(target, work, tick) if target.is_made else _directory(target, work) as ready:
        yield ready


@contextmanager
def _directory(target: Target, work: WorkDirectory) -> Iterator[PreparedTarget]:
    path = Path(target.path or "").absolute()
    files, undo = path / SCRATCH_NAME / "files", Undo()
    with ExitStack() as lock:
        try:
            with held():
                notes = _tuned(target, path, work, undo)
                _claim_scratch(path / SCRATCH_NAME, work.journal, lock, undo)
                files.mkdir()
            yield PreparedTarget(files, notes=notes, control_group=work.control_group)
        finally:
            with held():
                undo.close()


def _claim_scratch(scratch: Path, journal: Journal, lock: ExitStack, undo: Undo) -> None:
    entry = journal.note(SCRATCH, path=str(scratch))
    try:
        lock.enter_context(owned(scratch))
    except PreparationError:
        journal.forget(entry)  # the directory belongs to another user
        raise
    undo.add(_remove_scratch, scratch, journal, entry)
    empty(scratch)


def _remove_scratch(scratch: Path, journal: Journal, entry: JournalEntry) -> None:
    shutil.rmtree(scratch)
    journal.forget(entry)


def _tuned(target: Target, path: Path, work: WorkDirectory, undo: Undo) -> tuple[str, ...]:
    if not tunables.wanted(target):
        return ()
    notes = tune(target, tunables.devices_below(str(path), work.source), work, undo)
    file = tunables.own_read_ahead(str(path), work.source)
    if file is not None and target.read_ahead is not None:
        work.note(undo, QUEUE, path=str(file.parent), old={file.name: file.read_text().strip()})
        notes += tunables.write(file.parent, {file.name: str(target.read_ahead // tunables.KIB)})
    return tuple(notes)

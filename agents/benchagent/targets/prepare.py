"""Makes a target ready for one visit and undoes everything afterwards, whatever ends the visit."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchagent.errors import PreparationError
from benchagent.plan.model import Target
from benchagent.system.interrupts import held
from benchagent.system.journal import Entry, Journal
from benchagent.system.owned_directory import owned
from benchagent.system.undo import Undo

from . import tunables
from .file_systems import mkfs_command
from .formatted import made, tune
from .prepared_target import Place, Step, Tick
from .undo_noted import QUEUE, SCRATCH, empty
from .why_not import why_not
from .work_directory import WorkDirectory

SCRATCH_NAME = ".benchagent"  # the agent's own directory inside a directory target

__all__ = ["SCRATCH_NAME", "Place", "Step", "Tick", "mkfs_command", "prepared", "why_not"]


@contextmanager
def prepared(target: Target, work: WorkDirectory, tick: Tick) -> Iterator[Place]:
    """The target, made anew.

    Raises PreparationError with the words of the program that failed, NotUndone with what holds something afterwards.
    """
    with made(target, work, tick) if target.is_made else _directory(target, work) as place:
        yield place


@contextmanager
def _directory(target: Target, work: WorkDirectory) -> Iterator[Place]:
    path = Path(target.path or "").absolute()
    files, undo = path / SCRATCH_NAME / "files", Undo()
    with ExitStack() as lock:
        try:
            with held():
                notes = _tuned(target, path, work, undo)
                _take(path / SCRATCH_NAME, work.journal, lock, undo)
                files.mkdir()
            yield Place(files, notes=notes, control_group=work.control_group)
        finally:
            with held():
                undo.close()


def _take(own: Path, journal: Journal, lock: ExitStack, undo: Undo) -> None:
    entry = journal.note(SCRATCH, path=str(own))
    try:
        lock.enter_context(owned(own))
    except PreparationError:
        journal.forget(entry)  # it is somebody else's
        raise
    undo.add(_give_back, own, journal, entry)
    empty(own)


def _give_back(own: Path, journal: Journal, entry: Entry) -> None:
    shutil.rmtree(own)
    journal.forget(entry)


def _tuned(target: Target, path: Path, work: WorkDirectory, undo: Undo) -> tuple[str, ...]:
    if not tunables.wanted(target):
        return ()
    notes = tune(target, tunables.devices_below(str(path), work.source), work, undo)
    own = tunables.own_read_ahead(str(path), work.source)
    if own is not None and target.read_ahead is not None:
        work.note(undo, QUEUE, path=str(own.parent), old={own.name: own.read_text().strip()})
        notes += tunables.write(own.parent, {own.name: str(target.read_ahead // tunables.KIB)})
    return tuple(notes)

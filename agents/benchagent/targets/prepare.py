"""Prepares a target for one visit, and undoes everything afterwards, however the visit ends."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchagent.errors import PreparationError
from benchagent.plan.model import GateSide, Target
from benchagent.system.interrupts import held
from benchagent.system.journal import Journal, JournalEntry
from benchagent.system.open_directory import OpenDirectory
from benchagent.system.other_users import without_links
from benchagent.system.owned_directory import owned, remove_owned
from benchagent.system.programs import replacing
from benchagent.system.undo import Undo

from . import tunables
from .formatting import formatted, tune
from .journal_undo import QUEUE, SCRATCH, SIDE, empty
from .prepared_target import PreparedTarget, TickCallback
from .side_commands import COMMAND, MODULE, load, run_command, shell
from .work_directory import WorkDirectory

SCRATCH_NAME = ".benchagent"  # the agent's own directory inside a directory target
FILES = "files"  # in it, where tools run


@contextmanager
def prepared(target: Target, work: WorkDirectory, tick: TickCallback) -> Iterator[PreparedTarget]:
    """The newly prepared target.

    Raises PreparationError with the error message of the program that failed, NotUndone if something stays in use.
    """
    ready = formatted(target, work, tick) if target.is_made else _directory(target, work)
    with changed(target.side, work, tick), ready as prepared_target:
        yield prepared_target


@contextmanager
def _directory(target: Target, work: WorkDirectory) -> Iterator[PreparedTarget]:
    path = without_links(Path(target.path or ""))
    with ExitStack() as lock, Undo() as undo:
        with held:
            notes = _tuned(target, path, work, undo)
            scratch = _claim_scratch(path / SCRATCH_NAME, work.journal, lock, undo)
            os.mkdir(FILES, dir_fd=scratch.descriptor)
        yield PreparedTarget(scratch.path / FILES, notes=notes, control_group=work.control_group)


def _claim_scratch(scratch: Path, journal: Journal, lock: ExitStack, undo: Undo) -> OpenDirectory:
    entry = journal.note(SCRATCH, path=str(scratch))
    try:
        directory = lock.enter_context(owned(scratch))
    except PreparationError:
        journal.forget(entry)  # the directory belongs to another user
        raise
    undo.add(_remove_scratch, directory, journal, entry)
    empty(directory)
    return directory


def _remove_scratch(scratch: OpenDirectory, journal: Journal, entry: JournalEntry) -> None:
    remove_owned(scratch)
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


@contextmanager
def changed(side: GateSide | None, work: WorkDirectory, tick: TickCallback) -> Iterator[None]:
    """The side's programs, modules and setup in force.

    Raises PreparationError with the error message of the command that failed, NotUndone if its undo fails. Undo is run
    also after a setup that failed or was stopped halfway.
    """
    if side is None:
        yield
        return
    with replacing(dict(side.programs)), Undo() as undo:
        for module in side.modules:
            work.note(undo, SIDE, path=side.name, old={MODULE: module.name})
            load(module, tick)
        if side.undo is not None:
            work.note(undo, SIDE, path=side.name, old={COMMAND: side.undo})
        if side.setup is not None:
            run_command(shell(side.setup), tick)
        yield

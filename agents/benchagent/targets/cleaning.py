"""Undoes everything that a killed agent left behind."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Callable

from benchagent.errors import AgentError, NotUndone, PreparationError
from benchagent.system.journal import Journal
from benchagent.system.open_directory import OpenDirectory
from benchagent.system.orphans import end_orphans
from benchagent.system.owned_directory import contents

from . import loop
from .journal_undo import GROUP, QUEUE, SCRATCH, SIDE, undo_entry

UndoStep = Callable[[], Iterable[str]]


def clear(directory: OpenDirectory, tell: Callable[[str], None]) -> None:
    """Undo what is left and journaled in an owned work directory; `tell` is called with a description of each step.

    Raises NotUndone after the last step, with the messages of all failed steps.
    """
    stuck: list[str] = []
    try:
        journal = Journal(directory.path)
    except PreparationError as error:
        stuck.append(str(error))
        journal = None
    for step in _steps(directory, journal):
        try:
            for words in step():
                tell(words)
        except (AgentError, OSError) as error:
            stuck.append(str(error))
    if stuck:
        raise NotUndone("\n".join(stuck))


def _steps(directory: OpenDirectory, journal: Journal | None) -> Iterator[UndoStep]:
    """The steps in their order; the search for each kind of leftovers begins when the previous steps are done."""
    yield partial(end_orphans, directory.path)
    yield from _journaled(journal, GROUP)
    for point in loop.mounts_under(directory.path):
        yield partial(_unmount, point)
    yield from _journaled(journal, QUEUE)  # before the loop device is detached, which others may use next
    for device in loop.loops_under(directory.path):
        yield partial(_detach, device)
    for name in contents(directory):
        yield partial(_remove, directory, name)
    yield from _journaled(journal, SCRATCH)
    yield from _journaled(journal, SIDE)  # a module can be removed only after everything that uses it


def _journaled(journal: Journal | None, kind: str) -> Iterator[UndoStep]:
    """Undo the journal's entries of one kind, newest first: the oldest entry of a setting has its original value."""
    if journal is None:
        return
    for entry in reversed(journal.entries):
        if entry["undo"] == kind:
            yield partial(undo_entry, journal, entry)


def _unmount(point: Path) -> list[str]:
    loop.unmount(point)
    return [f"unmounted {point}"]


def _detach(device: Path) -> list[str]:
    loop.detach(device)
    return [f"detached {device}"]


def _remove(directory: OpenDirectory, name: str) -> list[str]:
    """Remove an image or a mount point. A mount point with content stays: something is still mounted there."""
    path = directory.path / name
    try:
        try:
            os.unlink(name, dir_fd=directory.descriptor)
        except IsADirectoryError:
            os.rmdir(name, dir_fd=directory.descriptor)
    except OSError as error:
        raise PreparationError(f"Cannot remove {path}, left behind by an earlier run: {error.strerror}.") from None
    return [f"removed {path}"]

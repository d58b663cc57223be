"""Undoes the entries of the journal, at the end of a visit or at the next start after a kill."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from benchagent.errors import PreparationError
from benchagent.system.journal import Journal, JournalEntry, boot
from benchagent.system.open_directory import OpenDirectory
from benchagent.system.orphans import end_orphans
from benchagent.system.other_users import why_unsafe
from benchagent.system.owned_directory import LOCK, contents, owned, remove_owned

from . import control_group, tunables
from .side_commands import undo_side

QUEUE, GROUP, SCRATCH, SIDE = "queue", "control_group", "scratch", "side"
OUTLIVE_A_BOOT = (SCRATCH,)


def undo_entry(journal: Journal, entry: JournalEntry) -> list[str]:
    """Undo one entry, and remove it from the journal. Returns descriptions of the changes, none if it was never done.

    Raises NotUndone, PreparationError or OSError if it cannot be undone; then the entry stays.
    """
    done = _undo(entry) if entry["boot"] == boot() or entry["undo"] in OUTLIVE_A_BOOT else []
    journal.forget(entry)
    return done


def _undo(entry: JournalEntry) -> list[str]:
    path = Path(entry["path"])
    if entry["undo"] == GROUP:
        return control_group.remove(path)
    if entry["undo"] == SCRATCH:
        return remove_scratch(path)
    if entry["undo"] == SIDE:
        return [f"undid the setup of side {entry['path']}"] if undo_side(entry["old"]) else []
    names = tunables.restore(path, entry["old"])
    return [f"restored {', '.join(names)} of {path.parent.name}"] if names else []


def empty(directory: OpenDirectory) -> None:
    """Remove the content of an owned directory, after ending the processes that work there."""
    end_orphans(directory.path)
    for name in contents(directory):
        directory.remove(name)


def remove_scratch(scratch: Path) -> list[str]:
    """Remove the agent's own directory inside a target.

    A directory without the agent's mark stays, unless it is empty; one of another user stays, because the agent never
    made it. Raises PreparationError if others can replace it.
    """
    try:
        status = scratch.lstat()
    except FileNotFoundError:
        return []
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
        return []
    why = why_unsafe(scratch.parent)
    if why is not None:
        raise PreparationError(f"{scratch}, left behind by an earlier run, stays, because {why}. Remove it by hand.")
    if not any(scratch.iterdir()):  # killed before the directory was marked
        scratch.rmdir()
        return [f"removed {scratch}"]
    if not (scratch / LOCK).is_file():
        return []
    with owned(scratch) as directory:
        empty(directory)
        remove_owned(directory)
    return [f"removed {scratch}"]

"""Undoes what the journal notes: at the end of a visit, and at the next start after a kill, by the same code."""

from __future__ import annotations

import shutil
from pathlib import Path

from benchagent.system.journal import Entry, Journal, boot
from benchagent.system.orphans import end_orphans
from benchagent.system.owned_directory import LOCK, contents, owned

from . import control_group, tunables

QUEUE, GROUP, SCRATCH = "queue", "control_group", "scratch"
OUTLIVE_A_BOOT = (SCRATCH,)


def undo_noted(journal: Journal, entry: Entry) -> list[str]:
    """Undo one entry, and forget it. Returns what was changed, in words; nothing where it was never done.

    Raises NotUndone, PreparationError or OSError where it stays; then the entry stays too.
    """
    done = _undo(entry) if entry["boot"] == boot() or entry["undo"] in OUTLIVE_A_BOOT else []
    journal.forget(entry)
    return done


def _undo(entry: Entry) -> list[str]:
    path = Path(entry["path"])
    if entry["undo"] == GROUP:
        return control_group.remove(path)
    if entry["undo"] == SCRATCH:
        return remove_scratch(path)
    names = tunables.restore(path, entry["old"])
    return [f"restored {', '.join(names)} of {path.parent.name}"] if names else []


def empty(own: Path) -> None:
    """Remove what lies in an owned directory, after ending what still works there."""
    end_orphans(own)
    for path in contents(own):
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def remove_scratch(own: Path) -> list[str]:
    """Remove the agent's own directory inside a target; one without our mark is not ours, unless it is empty."""
    if not own.is_dir():
        return []
    if not any(own.iterdir()):  # killed before it was marked
        own.rmdir()
        return [f"removed {own}"]
    if not (own / LOCK).is_file():
        return []
    with owned(own):
        empty(own)
        shutil.rmtree(own)
    return [f"removed {own}"]

"""Journals the changes that must be undone and that the machine itself does not list.

These are old values of tunables, control groups, and the agent's directories outside its work directory. Each change is
written to `undo.jsonl` of the work directory, and flushed to the disk, before it is made. Mounts and loop devices need
no entry: the kernel lists them (`targets/loop.py`).
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypedDict

from benchagent.errors import PreparationError

from .atomic_files import write_whole

JOURNAL = "undo.jsonl"
BOOT = Path("/proc/sys/kernel/random/boot_id")


class _Change(TypedDict):
    undo: str  # the kind of the change
    boot: str  # the id of the boot in which it is made
    path: str


class JournalEntry(_Change, total=False):
    """A change to undo. `old` are the values of tunables before the change, by the names of their files in `path`."""

    old: Mapping[str, str]


class Journal:
    """The journal of one work directory. Its file exists only while there is something to undo."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / JOURNAL
        self._entries = _read(self._path)

    @property
    def entries(self) -> tuple[JournalEntry, ...]:
        """The changes to undo, oldest first."""
        return tuple(self._entries)

    def note(self, kind: str, path: str, old: Mapping[str, str] | None = None) -> JournalEntry:
        """Enter a coming change. Raises PreparationError if it cannot be stored; the change must not be made then."""
        entry: JournalEntry = {"undo": kind, "boot": boot(), "path": path}
        if old is not None:
            entry["old"] = old
        self._entries.append(entry)
        try:
            self._write()
        except OSError as error:
            self._entries.remove(entry)
            raise PreparationError(
                f"Cannot note in {self._path} what must be undone: {error.strerror}. Nothing was changed."
            ) from None
        return entry

    def forget(self, entry: JournalEntry) -> None:
        """Remove the entry of a change that was undone.

        Raises OSError if the file of the last entry cannot be removed.
        """
        self._entries.remove(entry)
        if not self._entries:
            self._path.unlink(missing_ok=True)
            return
        with suppress(OSError):  # a full disk: to undo the same change again is harmless
            self._write()

    def _write(self) -> None:
        """Replace the file by a new one with all entries, so that it is never incomplete."""
        write_whole(self._path, "".join(json.dumps(entry) + "\n" for entry in self._entries).encode())


def boot() -> str:
    """The id of the machine's current boot, after which tunables, mounts and control groups are gone."""
    return BOOT.read_text().strip()


def _read(path: Path) -> list[JournalEntry]:
    """The entries of the file. Raises PreparationError if it cannot be read, or if this user has not written it."""
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), encoding="utf-8") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid():
                raise ValueError("another user has put it there")
            return [json.loads(line) for line in file]
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise PreparationError(
            f"Cannot read {path}, which says what an earlier run changed: {error}. "
            "Look into it, undo by hand what it names, and remove it."
        ) from None

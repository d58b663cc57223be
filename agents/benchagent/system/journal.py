"""What must be undone and cannot be found by looking at the machine: old values of tunables, control groups, and the
agent's own directories outside its work directory.

Each is noted in `undo.jsonl` of the work directory, and flushed to the disk, before it is done. Mounts and loop devices
are not: the kernel lists those itself (`loop.py`).
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from benchagent.errors import PreparationError

from .atomic_files import write_whole

JOURNAL = "undo.jsonl"
BOOT = Path("/proc/sys/kernel/random/boot_id")

JournalEntry = dict[str, Any]


class Journal:
    """The notes of one work directory. The file is there only while something must be undone."""

    def __init__(self, directory: Path) -> None:
        self._path = directory / JOURNAL
        self._entries = _read(self._path)

    @property
    def entries(self) -> tuple[JournalEntry, ...]:
        """What must be undone, the oldest first."""
        return tuple(self._entries)

    def note(self, kind: str, **facts: Any) -> JournalEntry:
        """Note what is about to be done. Raises PreparationError where it cannot be kept: then it must not be done."""
        entry = {"undo": kind, "boot": boot(), **facts}
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
        """It was undone. Raises OSError where the last entry cannot be removed."""
        self._entries.remove(entry)
        if not self._entries:
            self._path.unlink(missing_ok=True)
            return
        with suppress(OSError):  # a full disk: what is undone once more changes nothing
            self._write()

    def _write(self) -> None:
        """All notes in one new file that takes the place of the old one, so that it is never cut short."""
        write_whole(self._path, "".join(json.dumps(entry) + "\n" for entry in self._entries).encode())


def boot() -> str:
    """The id of this start of the machine: tunables, mounts and control groups do not outlive it."""
    return BOOT.read_text().strip()


def _read(path: Path) -> list[JournalEntry]:
    try:
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise PreparationError(
            f"Cannot read {path}, which says what an earlier run changed: {error}. "
            "Look into it, undo by hand what it names, and remove it."
        ) from None

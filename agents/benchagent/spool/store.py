"""Stores documents on disk: in pending/ until a server answers, then in sent/ or rejected/.

Every file appears whole or not at all. A document is a file `RUN_ID.json`, byte for byte as it is sent, with the
server's answer beside it. Several agents may use one spool at the same time.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from benchagent.errors import NoRoom, SpoolError, UnknownRun
from benchagent.system.atomic_files import flush, make_folders, make_temporary, remove_abandoned, write_whole
from benchagent.system.other_users import refuse_unsafe

if TYPE_CHECKING:
    from benchagent.server.answers import StoredAnswer

PENDING, SENT, REJECTED = "pending", "sent", "rejected"
STATES = (PENDING, SENT, REJECTED)
DOCUMENT = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.json")
ATTEMPT = "last_attempt.json"
READ_ONLY = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})


class UploadAttempt(TypedDict, total=False):
    """The end of an upload that left documents waiting: its time, the document that it tried, and the reason."""

    at: str
    run_id: str
    why: str


class Spool:
    """A directory with one folder for each state.

    Raises SpoolError if the disk refuses, UnsafeDirectory if this user is root and others can replace the directory.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory.absolute()
        self._reserve: Reserve | None = None
        refuse_unsafe(self.directory, own=True)
        with self.refusals():
            make_folders(self.directory / state for state in STATES)
        for state in STATES:
            refuse_unsafe(self.directory / state, own=True)
        try:
            for state in STATES:
                remove_abandoned(self.directory / state)
        except OSError as error:
            if error.errno not in READ_ONLY:  # a read-only spool can still be listed
                raise self._refused(error) from error

    def reserve(self, size: int) -> None:
        """Reserve `size` bytes of the disk for later documents. Raises NoRoom if they are not free."""
        with self.refusals():
            try:
                self._reserve = Reserve(self.directory / PENDING, size)
            except OSError as error:
                if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                    raise
                free = shutil.disk_usage(self.directory).free
                raise NoRoom(self.directory, size // 2**20, free / 2**20) from error

    def make_room(self, size: int) -> None:
        """Free `size` bytes of the reserve, which are about to be written. Raises OSError."""
        if self._reserve is not None:
            self._reserve.give(size)

    def release(self) -> None:
        """Free the rest of the reserve."""
        if self._reserve is not None:
            self._reserve.release()
            self._reserve = None

    def add(self, run_id: str, document: Mapping[str, object]) -> Path:
        """Write a new document to pending/, so that it survives a power cut."""
        path, data = self.path(PENDING, run_id), _document(document)
        with self.refusals():
            self.make_room(len(data))
            write_whole(path, data)
        return path

    def has(self, run_id: str) -> bool:
        """Whether the spool has the document, in any state."""
        return any(self.path(state, run_id).exists() for state in STATES)

    def ids(self, state: str) -> list[str]:
        """Run ids in one state, the oldest first: a UUIDv7 sorts by its time."""
        with self.refusals():
            names = (DOCUMENT.fullmatch(path.name) for path in (self.directory / state).iterdir())
            return sorted(name.group(1) for name in names if name)

    def read(self, state: str, run_id: str) -> bytes:
        """The bytes of a document. Raises UnknownRun if it is not, or no longer, in that state."""
        with self.refusals():
            try:
                return self.path(state, run_id).read_bytes()
            except FileNotFoundError:
                raise UnknownRun(run_id, self.directory) from None

    def find(self, run_id: str) -> tuple[str, str]:
        """State and whole id of the document whose id begins with `run_id`. Raises UnknownRun for none or several."""
        matches = [(state, id_) for state in STATES for id_ in self.ids(state) if id_.startswith(run_id)]
        if len(matches) != 1:
            raise UnknownRun(run_id, self.directory)
        return matches[0]

    def settle(self, run_id: str, state: str, answer: StoredAnswer) -> Path:
        """Move a pending document to sent/ or rejected/, with the server's answer beside it.

        The answer is written first: an agent that is killed in between sends the document again and gets the same
        answer.
        """
        path, beside = self.path(state, run_id), self.answer_path(state, run_id)
        with self.refusals():
            write_whole(beside, _note(answer))
            try:
                os.replace(self.path(PENDING, run_id), path)
            except FileNotFoundError:
                # Another upload at the same time has moved the document already; the answer to that upload counts.
                if not path.exists():
                    beside.unlink(missing_ok=True)
            flush(path.parent)
            flush(self.directory / PENDING)
        return path

    def reopen(self, run_id: str) -> None:
        """Move a rejected document back to pending/, and remove the answer to it."""
        with self.refusals():
            os.replace(self.path(REJECTED, run_id), self.path(PENDING, run_id))
            self.answer_path(REJECTED, run_id).unlink(missing_ok=True)
            flush(self.directory / PENDING)
            flush(self.directory / REJECTED)

    def answer(self, state: str, run_id: str) -> StoredAnswer:
        """The server's answer to a settled document; empty if there is none."""
        answer: StoredAnswer = self._json(self.answer_path(state, run_id))
        return answer

    def note_attempt(self, attempt: UploadAttempt) -> None:
        """Store the reason why documents still wait."""
        with self.refusals():
            write_whole(self.directory / ATTEMPT, _note(attempt))

    def forget_attempt(self) -> None:
        """Remove the reason, when no document waits any more or the next attempt begins."""
        with self.refusals():
            (self.directory / ATTEMPT).unlink(missing_ok=True)

    def last_attempt(self) -> UploadAttempt:
        """The facts stored by `note_attempt`; empty if the last attempt left nothing waiting."""
        attempt: UploadAttempt = self._json(self.directory / ATTEMPT)
        return attempt

    def path(self, state: str, run_id: str) -> Path:
        return self.directory / state / f"{run_id}.json"

    def answer_path(self, state: str, run_id: str) -> Path:
        return self.directory / state / f"{run_id}.answer.json"

    def _json(self, path: Path) -> Any:
        """The JSON object in a file; empty if there is none."""
        with self.refusals(), suppress(FileNotFoundError):
            try:
                facts = json.loads(path.read_bytes())
            except ValueError:
                return {}  # not written by an agent
            return facts if isinstance(facts, dict) else {}
        return {}

    @contextmanager
    def refusals(self) -> Iterator[None]:
        """Turn an OSError inside the block into a SpoolError."""
        try:
            yield
        except OSError as error:
            raise self._refused(error) from error

    def _refused(self, error: OSError) -> SpoolError:
        return SpoolError(self.directory, error.strerror)


def _document(document: Mapping[str, object]) -> bytes:
    """The bytes to send. Half a surrogate pair, from a name that is not UTF-8, becomes a question mark."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


def _note(facts: Mapping[str, object]) -> bytes:
    """Indented JSON, for people and for `status`."""
    return json.dumps(facts, ensure_ascii=False, indent=2).encode("utf-8", "replace") + b"\n"


BLOCK = 4096  # bytes; the space that a document of one byte takes


class Reserve:
    """An empty file with allocated space, given back as documents are written.

    After a crash, the next start removes it.
    """

    def __init__(self, directory: Path, size: int) -> None:
        """Reserve `size` bytes. Raises OSError if they are not free."""
        self._descriptor, self._path = make_temporary(directory)
        self._size = size
        try:
            os.posix_fallocate(self._descriptor, 0, size)
        except OSError:
            self.release()
            raise

    def give(self, size: int) -> None:
        """Free the space of a document of `size` bytes, and keep the space of the next documents."""
        self._size = max(0, self._size - size - 4 * BLOCK)
        if self._descriptor >= 0:
            os.ftruncate(self._descriptor, self._size)

    def release(self) -> None:
        """Free the rest."""
        if self._descriptor >= 0:
            self._path.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = -1

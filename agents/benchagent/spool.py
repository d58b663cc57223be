"""Documents on disk, so that nothing measured is lost: pending/ until a server answers, then sent/ or rejected/.

Every file appears whole or not at all: it is written and flushed under a temporary name, renamed, and the rename is
flushed too. A document is a file `RUN_ID.json`, byte for byte what is sent; the server's answer lies beside it.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any

from .errors import SpoolError, UnknownRun

PENDING, SENT, REJECTED = "pending", "sent", "rejected"
STATES = (PENDING, SENT, REJECTED)
TEMPORARY = re.compile(r"\.tmp-([0-9]+)-[0-9a-f]+")  # with the process id of its writer
DOCUMENT = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.json")


class Spool:
    """A directory with one folder a state. Raises SpoolError where the disk refuses."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory.absolute()
        try:
            for state in STATES:
                (self.directory / state).mkdir(mode=0o700, parents=True, exist_ok=True)
                _remove_abandoned(self.directory / state)
        except OSError as error:
            raise SpoolError(self.directory, error.strerror) from error

    def add(self, run_id: str, document: dict[str, Any]) -> Path:
        """Keep a new document in pending/; when this returns it survives a power cut."""
        path = self.path(PENDING, run_id)
        self._write(path, json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode())
        return path

    def ids(self, state: str) -> list[str]:
        """Run ids in one state, the oldest first: a UUIDv7 sorts by its time."""
        names = (DOCUMENT.fullmatch(path.name) for path in (self.directory / state).iterdir())
        return sorted(name.group(1) for name in names if name)

    def read(self, state: str, run_id: str) -> bytes:
        try:
            return self.path(state, run_id).read_bytes()
        except FileNotFoundError:
            raise UnknownRun(run_id, self.directory) from None
        except OSError as error:
            raise SpoolError(self.directory, error.strerror) from error

    def find(self, run_id: str) -> tuple[str, str]:
        """State and whole id of the document whose id begins with `run_id`. Raises UnknownRun, also for several."""
        found = [(state, each) for state in STATES for each in self.ids(state) if each.startswith(run_id)]
        if len(found) != 1:
            raise UnknownRun(run_id, self.directory)
        return found[0]

    def settle(self, run_id: str, state: str, answer: dict[str, Any]) -> Path:
        """Move a pending document to sent/ or rejected/, the server's answer beside it.

        The answer is written first: whoever is killed in between sends once more and gets the same answer again.
        """
        self._write(self.answer_path(state, run_id), json.dumps(answer, indent=2, ensure_ascii=False).encode() + b"\n")
        path = self.path(state, run_id)
        try:
            # Another upload at the same time may have moved it already; then both had the same answer.
            with suppress(FileNotFoundError):
                os.replace(self.path(PENDING, run_id), path)
            _flush(path.parent)
            _flush(self.directory / PENDING)
        except OSError as error:
            raise SpoolError(self.directory, error.strerror) from error
        return path

    def answer(self, state: str, run_id: str) -> dict[str, Any]:
        """What the server said of a settled document."""
        with suppress(FileNotFoundError):
            answer: dict[str, Any] = json.loads(self.answer_path(state, run_id).read_text())
            return answer
        return {}

    def path(self, state: str, run_id: str) -> Path:
        return self.directory / state / f"{run_id}.json"

    def answer_path(self, state: str, run_id: str) -> Path:
        return self.directory / state / f"{run_id}.answer.json"

    def _write(self, path: Path, data: bytes) -> None:
        temporary = path.with_name(f".tmp-{os.getpid()}-{secrets.token_hex(8)}")
        try:
            with open(temporary, "xb", opener=_private) as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
            _flush(path.parent)
        except OSError as error:
            raise SpoolError(self.directory, error.strerror) from error
        finally:
            temporary.unlink(missing_ok=True)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _flush(directory: Path) -> None:
    """A rename is on the disk when its directory is."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove_abandoned(directory: Path) -> None:
    """Temporary files of agents that were killed while they wrote."""
    for path in directory.iterdir():
        name = TEMPORARY.fullmatch(path.name)
        if name and not Path(f"/proc/{name.group(1)}").exists():
            path.unlink(missing_ok=True)

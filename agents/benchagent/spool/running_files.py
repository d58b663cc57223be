"""`running/` of a spool: a file for each campaign that goes on, locked by its agent.

One that nobody locks was killed.
"""

from __future__ import annotations

import fcntl
import os
import weakref
from collections.abc import Iterator
from pathlib import Path

from benchagent.errors import SpoolError
from benchagent.system.whole_files import (
    TEMPORARY,
    flush,
    make_folders,
    make_temporary,
    remove_abandoned,
    write_all,
)

RUNNING = "running"


class RunningFile:
    """The open, locked file of one campaign. It can be read until nobody refers to this object any more."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path, self.descriptor = path, descriptor
        weakref.finalize(self, os.close, descriptor)

    @property
    def campaign_id(self) -> str:
        return self.path.name

    def remove(self) -> None:
        """Everything in it is elsewhere. Raises OSError."""
        self.path.unlink(missing_ok=True)

    def release(self) -> None:
        """Let the next start of an agent have it."""
        fcntl.flock(self.descriptor, fcntl.LOCK_UN)


class Running:
    """The folder of one spool."""

    def __init__(self, spool: Path) -> None:
        self.directory = spool / RUNNING

    def create(self, campaign_id: str, data: bytes) -> RunningFile:
        """A file that begins with `data`, whole and on the disk when it has its name. Raises SpoolError."""
        path = self.directory / campaign_id
        try:
            make_folders([self.directory])
            descriptor, temporary = make_temporary(self.directory)
            file = RunningFile(path, descriptor)
            try:
                write_all(descriptor, data)
                os.fsync(descriptor)
                os.replace(temporary, path)
            finally:
                temporary.unlink(missing_ok=True)
            flush(self.directory)
        except OSError as error:
            raise SpoolError(self.directory, error.strerror) from error
        return file

    def abandoned(self) -> Iterator[RunningFile]:
        """The files whose agents are gone, locked, so that only one agent tidies up.

        Raises SpoolError, after the others, for one that cannot be opened.
        """
        failure: SpoolError | None = None
        for path in self._paths():
            try:
                file = _locked(path)
            except OSError as error:
                failure = SpoolError(path, error.strerror)
                continue
            if file is not None:
                yield file
        if failure is not None:
            raise failure

    def _paths(self) -> list[Path]:
        try:
            if not self.directory.is_dir():
                return []
            remove_abandoned(self.directory)
            return sorted(path for path in self.directory.iterdir() if not TEMPORARY.fullmatch(path.name))
        except OSError as error:
            raise SpoolError(self.directory, error.strerror) from error


def _locked(path: Path) -> RunningFile | None:
    """None where its agent goes on or has just ended, or where it is somebody else's affair. Raises OSError."""
    try:
        file = RunningFile(path, os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC))
        fcntl.flock(file.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return file if os.path.samestat(os.fstat(file.descriptor), os.stat(path)) else None
    except (BlockingIOError, FileNotFoundError, PermissionError):
        return None

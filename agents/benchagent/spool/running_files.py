"""The folder `running/` of a spool: one file for each running campaign, locked by its agent.

A file without a lock belongs to a killed agent.
"""

from __future__ import annotations

import fcntl
import os
import weakref
from collections.abc import Iterator
from pathlib import Path

from benchagent.errors import SpoolError
from benchagent.system.atomic_files import (
    TEMPORARY,
    flush,
    make_folders,
    make_temporary,
    remove_abandoned,
    write_all,
)

RUNNING = "running"


class RunningFile:
    """The open, locked file of one campaign. The file stays open as long as this object is referenced."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path, self.descriptor = path, descriptor
        weakref.finalize(self, os.close, descriptor)

    @property
    def campaign_id(self) -> str:
        return self.path.name

    def remove(self) -> None:
        """Remove the file, whose content has been written elsewhere. Raises OSError."""
        self.path.unlink(missing_ok=True)

    def release(self) -> None:
        """Unlock the file for the next start of an agent."""
        fcntl.flock(self.descriptor, fcntl.LOCK_UN)


class Running:
    """The folder `running/` of one spool."""

    def __init__(self, spool: Path) -> None:
        self.directory = spool / RUNNING

    def create(self, campaign_id: str, data: bytes) -> RunningFile:
        """Create a file that begins with `data`.

        The data is on the disk before the file gets its name. Raises SpoolError.
        """
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
        """The files of killed agents, locked, so that only one agent tidies up.

        Raises SpoolError, after the last file, if one could not be opened.
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
    """The file, locked; None if its agent is running, has just ended or is another user's. Raises OSError."""
    try:
        file = RunningFile(path, os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC))
        fcntl.flock(file.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return file if os.path.samestat(os.fstat(file.descriptor), os.stat(path)) else None
    except (BlockingIOError, FileNotFoundError, PermissionError):
        return None

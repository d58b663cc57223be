"""Writes files atomically and durably: under a temporary name, flushed, then renamed."""

from __future__ import annotations

import fcntl
import os
import re
import secrets
from collections.abc import Iterable
from pathlib import Path

TEMPORARY = re.compile(r"\.tmp-[0-9]+-[0-9a-f]+")  # the process id of the writer is for people only


def write_whole(path: Path, data: bytes) -> None:
    """Write `data` to `path`, in place of an existing file, and flush it to the disk. Raises OSError."""
    descriptor, temporary = make_temporary(path.parent)
    try:
        write_all(descriptor, data)
        os.fsync(descriptor)
        os.replace(temporary, path)
        flush(path.parent)
    finally:
        os.close(descriptor)
        temporary.unlink(missing_ok=True)


def make_temporary(directory: Path) -> tuple[int, Path]:
    """Create a private temporary file, locked as long as it is open. Returns descriptor and path. Raises OSError."""
    while True:
        path = directory / f".tmp-{os.getpid()}-{secrets.token_hex(8)}"
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        _lock(descriptor, fcntl.LOCK_EX)
        if os.fstat(descriptor).st_nlink:
            return descriptor, path
        os.close(descriptor)  # another agent tidied up between the two calls


def remove_abandoned(directory: Path) -> None:
    """Remove the temporary files of killed agents, which are those without a lock. Raises OSError.

    A process id would not do: it has no meaning in another container or on another host that shares the disk.
    """
    for path in directory.iterdir():
        if not TEMPORARY.fullmatch(path.name):
            continue
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
        except FileNotFoundError:
            continue  # the writer has just finished
        try:
            if _lock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB):
                path.unlink(missing_ok=True)
        finally:
            os.close(descriptor)


def make_folders(folders: Iterable[Path]) -> None:
    """Create the missing folders, and flush them to the disk. Raises OSError."""
    for folder in folders:
        missing = [path for path in (folder, *folder.parents) if not path.exists()]
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for path in missing:
            flush(path.parent)


def flush(directory: Path) -> None:
    """Flush a directory to the disk, and with it the names of its files."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_all(descriptor: int, data: bytes | bytearray) -> None:
    """Write all of `data` at the current position of the file. Raises OSError."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _lock(descriptor: int, how: int) -> bool:
    """Lock a file. False if another process has the lock, or if the file system has no locks."""
    try:
        fcntl.flock(descriptor, how)
    except OSError:
        return False
    return True

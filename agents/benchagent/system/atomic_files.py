"""Files that are there whole or not at all, and then survive a power cut: written under another name, then renamed."""

from __future__ import annotations

import fcntl
import os
import re
import secrets
from collections.abc import Iterable
from pathlib import Path

TEMPORARY = re.compile(r"\.tmp-[0-9]+-[0-9a-f]+")  # with the process id of its writer, for people


def write_whole(path: Path, data: bytes) -> None:
    """Put `data` at `path`, in place of what is there. When this returns it is on the disk. Raises OSError."""
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
    """A new file for us alone, locked as long as it is open. Raises OSError."""
    while True:
        path = directory / f".tmp-{os.getpid()}-{secrets.token_hex(8)}"
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        _lock(descriptor, fcntl.LOCK_EX)
        if os.fstat(descriptor).st_nlink:
            return descriptor, path
        os.close(descriptor)  # somebody tidied up between the two calls


def remove_abandoned(directory: Path) -> None:
    """Remove the temporary files of agents that were killed: those that nobody locks. Raises OSError.

    A lock says more than a process id, which means nothing in another container or on another host of a shared disk.
    """
    for path in directory.iterdir():
        if not TEMPORARY.fullmatch(path.name):
            continue
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
        except FileNotFoundError:
            continue  # its writer has just finished
        try:
            if _lock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB):
                path.unlink(missing_ok=True)
        finally:
            os.close(descriptor)


def make_folders(folders: Iterable[Path]) -> None:
    """Make folders that are not there, so that they survive a power cut as well. Raises OSError."""
    for folder in folders:
        missing = [each for each in (folder, *folder.parents) if not each.exists()]
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for each in missing:
            flush(each.parent)


def flush(directory: Path) -> None:
    """A new name is on the disk when its directory is."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_all(descriptor: int, data: bytes | bytearray) -> None:
    """Where the file stands. Raises OSError."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _lock(descriptor: int, how: int) -> bool:
    """False where somebody else has it, or the file system knows no locks: then nothing is taken for abandoned."""
    try:
        fcntl.flock(descriptor, how)
    except OSError:
        return False
    return True

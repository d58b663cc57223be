"""Directories that only the agent uses, marked, and locked while in use.

The leftovers of a killed agent can thus be removed without touching anything else.
"""

from __future__ import annotations

import fcntl
import os
import shlex
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchagent.errors import PreparationError

from .journal import JOURNAL

LOCK = "benchagent.lock"
PATIENCE = 1.0  # seconds
MARK = "This directory belongs to benchagent, which removes whatever it finds in it.\n"


@contextmanager
def owned(directory: Path) -> Iterator[Path]:
    """Create `directory`, or take it over from an agent that ended, and lock it while the block runs.

    Raises PreparationError if the directory belongs to another user, has content without the agent's mark, or is in use
    by another agent.
    """
    directory = directory.absolute()
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise PreparationError(f"Cannot create {directory}: {error.strerror}.") from None
    if directory.is_symlink():
        raise PreparationError(f"{directory} is a symbolic link. Name the directory that it leads to.")
    if directory.stat().st_uid != os.geteuid():
        raise PreparationError(f"{directory} belongs to another user. Name another directory with --work-dir.")
    _refuse_shared(directory)
    lock = directory / LOCK
    if not lock.exists() and any(directory.iterdir()):
        raise PreparationError(
            f"{directory} is not empty and not marked as benchagent's own, so it is left alone. "
            "Name a directory that does not exist yet."
        )
    try:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise PreparationError(f"Cannot write in {directory}: {error.strerror}.") from None
    try:
        _take(descriptor, lock)
        yield directory
    finally:
        os.close(descriptor)


def _refuse_shared(directory: Path) -> None:
    """Raise PreparationError if others can write into the directory, because the agent executes its journal.

    Group write permission counts only for root: the group of a person often has no other members.
    """
    writers = stat.S_IWOTH | (stat.S_IWGRP if os.geteuid() == 0 else 0)
    mode = stat.S_IMODE(directory.stat().st_mode)
    if mode & writers:
        raise PreparationError(
            f"Others may write into {directory} (mode {mode:o}), and could make the agent undo what it never did. "
            f"Say chmod 700 {shlex.quote(str(directory))}, or name another directory."
        )


def _take(descriptor: int, lock: Path) -> None:
    try:
        _lock(descriptor)
        # The last owner may have removed the file after it was opened here; the lock then protects nothing.
        ours = os.path.samestat(os.fstat(descriptor), lock.stat())
    except (BlockingIOError, FileNotFoundError):
        ours = False
    if not ours:
        raise PreparationError(f"Another benchagent is using {lock.parent}. Wait for it, or name another directory.")
    if not os.fstat(descriptor).st_size:
        os.write(descriptor, MARK.encode())


def _lock(descriptor: int) -> None:
    """Lock the file, with retries: a child that a killed agent has just forked holds the lock until its exec.

    Raises BlockingIOError if the lock stays taken.
    """
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise
        time.sleep(0.01)


def contents(directory: Path) -> list[Path]:
    """The content of an owned directory, without its lock and journal."""
    return sorted(path for path in directory.iterdir() if path.name not in (LOCK, JOURNAL))

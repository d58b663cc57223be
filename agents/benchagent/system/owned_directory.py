"""Directories that only the agent uses, marked, and locked while in use.

The leftovers of a killed agent can thus be removed without touching anything else.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shlex
import stat
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchagent.errors import PreparationError

from .journal import JOURNAL
from .open_directory import OpenDirectory, opened
from .other_users import refuse_unsafe

LOCK = "benchagent.lock"
PATIENCE = 1.0  # seconds
MARK = "This directory belongs to benchagent, which removes whatever it finds in it.\n"


@contextmanager
def owned(directory: Path) -> Iterator[OpenDirectory]:
    """Create `directory`, or take it over from an agent that ended; it is locked and open while the block runs.

    Raises PreparationError if the directory belongs to another user, has content without the agent's mark, or is in use
    by another agent; UnsafeDirectory if other users can replace it.
    """
    directory = directory.absolute()
    refuse_unsafe(directory.parent)
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise PreparationError(f"Cannot create {directory}: {error.strerror}.") from None
    refuse_unsafe(directory.parent)  # with the parents that were just created
    with ExitStack() as stack:
        try:
            own = stack.enter_context(opened(directory))
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.ENOTDIR):
                raise PreparationError(
                    f"{directory} is a symbolic link. Name the directory that it leads to."
                ) from None
            raise PreparationError(f"Cannot open {directory}: {error.strerror}.") from None
        _refuse_shared(own)
        if LOCK not in own.names() and own.names():
            raise PreparationError(
                f"{directory} is not empty and not marked as benchagent's own, so it is left alone. "
                "Name a directory that does not exist yet."
            )
        _take(own, stack)
        yield own


def contents(directory: OpenDirectory) -> list[str]:
    """The names in an owned directory, without its lock and journal."""
    return [name for name in directory.names() if name not in (LOCK, JOURNAL)]


def remove_owned(directory: OpenDirectory) -> None:
    """Remove an owned directory with everything in it. Raises OSError."""
    for name in sorted(directory.names(), key=lambda name: name == LOCK):  # the mark last
        directory.remove(name)
    directory.path.rmdir()


def _refuse_shared(directory: OpenDirectory) -> None:
    """Raise PreparationError if the directory is another user's, or if others can write into it.

    The agent executes the journal in it. Group write permission counts only for root: the group of a person often has
    no other members.
    """
    path, status = directory.path, os.fstat(directory.descriptor)
    if status.st_uid != os.geteuid():
        raise PreparationError(f"{path} belongs to another user. Name another directory.")
    writers = stat.S_IWOTH | (stat.S_IWGRP if os.geteuid() == 0 else 0)
    mode = stat.S_IMODE(status.st_mode)
    if mode & writers:
        raise PreparationError(
            f"Others may write into {path} (mode {mode:o}), and could make the agent undo what it never did. "
            f"Empty it and say chmod 700 {shlex.quote(str(path))}, or name another directory."
        )


def _take(directory: OpenDirectory, stack: ExitStack) -> None:
    """Lock and mark the directory until `stack` closes. Raises PreparationError."""
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        descriptor = os.open(LOCK, flags, 0o600, dir_fd=directory.descriptor)
    except OSError as error:
        raise PreparationError(f"Cannot write in {directory.path}: {error.strerror}.") from None
    stack.callback(os.close, descriptor)
    if os.fstat(descriptor).st_uid != os.geteuid():
        raise PreparationError(f"{directory.path / LOCK} belongs to another user. Name another directory.")
    try:
        _lock(descriptor)
        # The last owner may have removed the file after it was opened here; the lock then protects nothing.
        ours = os.path.samestat(os.fstat(descriptor), os.stat(LOCK, dir_fd=directory.descriptor))
    except (BlockingIOError, FileNotFoundError):
        ours = False
    if not ours:
        raise PreparationError(f"Another benchagent is using {directory.path}. Wait for it, or name another directory.")
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

"""The lock that allows one supervisor for each var directory."""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TextIO

from benchdb.embedded.config import Paths
from benchdb.embedded.errors import AlreadyRunning, ServiceError


@dataclass(frozen=True)
class Holder:
    """The process that supervises a var directory."""

    pid: int
    command: str


def holder(paths: Paths) -> Holder | None:
    """The process that runs the services of this var directory now; None if there is none."""
    try:
        file = paths.lock.open()
    except FileNotFoundError:
        return None
    with file:
        if _locked(file, fcntl.LOCK_SH):
            return None
        return _read(file)


@contextmanager
def hold(paths: Paths, command: str) -> Iterator[None]:
    """Hold the lock of the var directory during the block; the kernel releases it if the process is killed.

    Raises AlreadyRunning if another process holds it, ServiceError if the directory is another user's.
    """
    with _open(paths) as file:
        if not _locked(file, fcntl.LOCK_EX, patience=0.5):
            other = _read(file)
            who = f"process {other.pid} (`{other.command}`)" if other else "another process"
            raise AlreadyRunning(
                f"The services in {paths.var} are already run by {who}. "
                "Stop it first, or set BENCHDB_VAR to another directory."
            )
        file.truncate()
        json.dump(asdict(Holder(os.getpid(), command)), file)
        file.flush()
        yield


def _open(paths: Paths) -> TextIO:
    try:
        paths.run.mkdir(parents=True, exist_ok=True)
        return open(os.open(paths.lock, os.O_RDWR | os.O_CREAT, 0o644), "r+")
    except PermissionError as error:
        raise ServiceError(
            f"{error.filename} is another user's: BenchDB was started here before as root or by another user. "
            "Start it as that user, or set BENCHDB_VAR to a directory of your own."
        ) from None


def _locked(file: TextIO, kind: int, *, patience: float = 0) -> bool:
    """Try to take the lock, for `patience` seconds; the file object holds it until it is closed.

    The patience is for `holder`, which holds the lock for an instant, and for a predecessor that is ending.
    """
    end = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(file, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= end:
                return False
            time.sleep(0.02)
        else:
            return True


def _read(file: TextIO) -> Holder | None:
    """The holder's record; None in the moment between its lock and its write."""
    text = file.read()
    return Holder(**json.loads(text)) if text else None

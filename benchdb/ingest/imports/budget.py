"""Calls with the content of a stranger's file in a process of its own, with limits that the kernel and the parent keep.

Such a file may hold a reader inside C code, where no exception of this process reaches it.
"""

from __future__ import annotations

import os
import pickle
import resource
import select
import signal
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn, TypeVar

from benchdb.http.work import spent

MEMORY = 1024**3  # bytes that a call may take in addition to those of this process
FILE_BYTES = 64 * 1024 * 1024  # of each file that it writes
WALL = 4  # times the processor time, until the parent ends it: it may sleep, or wait for a disk

_T = TypeVar("_T")


class OverBudget(Exception):
    """The call used all of its processor time, or had not ended long afterwards."""


class Killed(Exception):
    """The process of the call ended without an answer, such as one that the kernel killed for its memory."""


def within(seconds: int, call: Callable[[], _T]) -> _T:
    """The value of a call in a child process with this processor time; raises what the call raises.

    Raises OverBudget or Killed, and MemoryError above `MEMORY`. The child has no connection of its parent, and is gone
    with its temporary files when this returns or raises. A request of this thread pays for its time.
    """
    answers, answer = os.pipe()
    with tempfile.TemporaryDirectory() as folder, open(answers, "rb", buffering=0) as pipe:
        child = os.fork()
        if not child:
            _answer(seconds, call, answer, folder)
        os.close(answer)
        try:
            packed = _received(pipe.fileno(), time.monotonic() + WALL * seconds)
        finally:
            os.kill(child, signal.SIGKILL)  # without effect if it has ended
            _, status, usage = os.wait4(child, 0)
            spent(usage.ru_utime + usage.ru_stime)
    if not packed:
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU:
            raise OverBudget
        raise Killed
    value: _T
    value, error = pickle.loads(packed)  # noqa: S301 (of our own process, which has the same rights)
    if error is not None:
        raise error
    return value


def _received(pipe: int, end: float) -> bytearray:
    """What is written to a pipe until its other end is closed. Raises OverBudget if that lasts beyond `end`."""
    packed, poll = bytearray(), select.poll()
    poll.register(pipe)
    while poll.poll(max(0.0, 1000 * (end - time.monotonic()))):
        if not (piece := os.read(pipe, 65536)):
            return packed
        packed += piece
    raise OverBudget


def _answer(seconds: int, call: Callable[[], object], answer: int, folder: str) -> NoReturn:
    """Write what a call returns or raises, and end the process without anything that belongs to its parent."""
    try:
        os.closerange(3, answer)  # connections, and the pipes of other threads' children, which would stay open
        os.closerange(answer + 1, 1 + max(map(int, os.listdir("/proc/self/fd"))))
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
        memory = MEMORY + resource.getpagesize() * int(Path("/proc/self/statm").read_text().split()[0])
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        tempfile.tempdir = folder
        try:
            answered: tuple[object, Exception | None] = call(), None
        except Exception as error:
            answered = None, error
        with open(answer, "wb") as pipe:
            pickle.dump(answered, pipe)
    finally:
        os._exit(0)

"""Ends a request that takes much more processor time than it has announced.

Stored counts tell beforehand what a page will need (`work.expect`). Work whose size nobody thought of is not announced:
a page inside a run once judged thousands of series for 40 minutes, and two addresses stopped the site. So each thread
that works is watched, and OutOfTime is raised in it.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock, Thread, get_ident

SECONDS = 10.0  # that each request may take
FACTOR = 4  # of what it announces: the seconds of `benchdb.runs.costs` are those of one machine
AGAIN_SECONDS = 5.0  # after which it is raised again: in between the request closes what it has opened
LOOK_SECONDS = 0.5  # of real time from one look at the clocks to the next

_set_exception = ctypes.pythonapi.PyThreadState_SetAsyncExc
_set_exception.argtypes = [ctypes.c_ulong, ctypes.py_object]


class OutOfTime(BaseException):
    """This request has used its processor time. No `Exception`, because work in the middle of it may catch those."""


@dataclass(slots=True)
class _Watched:
    """A thread's clock of processor time, and the time of that clock at which OutOfTime is raised."""

    clock: int
    end: float


_watched: dict[int, _Watched] = {}  # by thread
_changing = Lock()
_watcher: Thread | None = None


@contextmanager
def limited() -> Iterator[None]:
    """Raise OutOfTime in this thread as soon as the block has used `SECONDS`, and what it announces, `FACTOR` times.

    Calls that do not return to Python, such as one of the database or of NumPy, end first.
    """
    thread = get_ident()
    clock = time.pthread_getcpuclockid(thread)
    with _changing:
        _watched[thread] = _Watched(clock, time.clock_gettime(clock) + SECONDS)
        _start_watcher()
    try:
        try:
            yield
        finally:
            _forget(thread)
    except OutOfTime:
        _forget(thread)  # it may have been raised while the thread was being forgotten
        raise


def allow(seconds: float) -> None:
    """Let this thread take `FACTOR` times these seconds more, if it is limited."""
    if (watched := _watched.get(get_ident())) is not None:
        watched.end += FACTOR * seconds


def _forget(thread: int) -> None:
    """Watch this thread no longer, and let nothing be raised in it after this.

    To take an exception back that is set and not yet raised (`PyThreadState_SetAsyncExc` with NULL) leaves Python 3.11
    looking for it at every jump, which is slow, and for ever while a function traces.
    """
    while True:
        try:
            with _changing:
                _watched.pop(thread, None)
            for _ in range(2):  # jumps, at which Python raises what has been set
                pass
        except OutOfTime:
            continue
        return


def _start_watcher() -> None:
    """Start the thread that watches, in each process, when its first request comes: threads do not survive a fork."""
    global _watcher
    if _watcher is None or not _watcher.is_alive():
        _watcher = Thread(target=_watch, name="overtime", daemon=True)
        _watcher.start()


def _watch() -> None:
    while True:
        time.sleep(LOOK_SECONDS)
        with _changing:
            for thread, watched in _watched.items():
                if time.clock_gettime(watched.clock) > watched.end:
                    watched.end += AGAIN_SECONDS
                    _set_exception(thread, OutOfTime)

"""Turns SIGINT, SIGTERM and SIGHUP into the exception Stopped, but not in the middle of a step that must be undone.

SIGUSR1 has the same effect; with it, a thread of the agent stops the main thread (`serve`, after a job was cancelled).

Signals belong to the process, and so does the state of this module.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from benchagent.errors import Stopped

OURS = signal.SIGUSR1
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, OURS)

UNINTERRUPTED = ("contextlib", __name__, "benchagent.system.undo")
"""Modules whose functions begin and end steps: between them and the step that they undo, nothing may be raised."""

AGAIN = 0.001  # s until a signal that arrived in one of them is tried again


class _State:
    held = 0  # number of open `held` blocks
    pending: int | None = None  # the signal that arrived in a `held` block
    delayed: int | None = None  # the signal that arrived in a function of UNINTERRUPTED
    stopping = False  # Stopped was raised: during the cleanup, further signals have no effect
    ignored: int | None = None  # a signal from another process that arrived during the cleanup


def _handle(number: int, frame: FrameType | None) -> None:
    if number == signal.SIGALRM:
        if _State.delayed is None:
            return
        number, _State.delayed = _State.delayed, None
    if _State.stopping:
        _State.ignored = _State.ignored if number == OURS else number
        return
    if _State.held:
        _State.pending = _first(_State.pending, number)
        return
    if frame is not None and frame.f_globals.get("__name__") in UNINTERRUPTED:
        _State.delayed = _first(_State.delayed, number)
        signal.setitimer(signal.ITIMER_REAL, AGAIN)
        return
    _stop(number)


def _first(waiting: int | None, number: int) -> int:
    """Of two signals the one to obey: the first, but any signal from another process before ours."""
    return number if waiting is None or waiting == OURS else waiting


def _stop(number: int) -> None:
    _State.stopping = True
    raise Stopped(number)


@contextmanager
def raising() -> Iterator[None]:
    """Raise Stopped at the first of SIGNALS inside the block; ignore later ones, which would disturb the cleanup.

    A signal that is still delayed at the end is that of the code after the block; OURS is about the block alone.
    """
    before = {number: signal.signal(number, _handle) for number in (*SIGNALS, signal.SIGALRM)}
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)
        late = None if _State.stopping else _State.delayed
        _State.pending, _State.delayed, _State.stopping, _State.ignored = None, None, False, None
        if late is not None and late != OURS:
            signal.raise_signal(late)


def ignored() -> int | None:
    """The signal that another process sent after Stopped was raised. Code that continues after Stopped must obey it."""
    return _State.ignored


class _Held:
    """Delays signals inside a block: a signal raises Stopped at the end of the outermost block.

    An object, not a function: a call between `finally:` and the block would be a moment for a signal to end the one
    without the other.
    """

    def __enter__(self) -> None:
        _State.held += 1

    def __exit__(self, *_of_exception: object) -> None:
        _State.held -= 1
        if not _State.held and _State.pending is not None:
            number, _State.pending = _State.pending, None
            _stop(number)


held = _Held()

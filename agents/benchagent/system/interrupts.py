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


class _State:
    held = 0  # number of open `held` blocks
    pending: int | None = None  # the signal that arrived in a `held` block
    stopping = False  # Stopped was raised: during the cleanup, further signals have no effect
    ignored: int | None = None  # a signal from another process that arrived during the cleanup


def _handle(number: int, _frame: FrameType | None) -> None:
    if _State.stopping:
        _State.ignored = _State.ignored if number == OURS else number
        return
    if _State.held:
        _State.pending = _State.pending if _State.pending not in (None, OURS) else number
        return
    _State.stopping = True
    raise Stopped(number)


@contextmanager
def raising() -> Iterator[None]:
    """Raise Stopped at the first of SIGNALS inside the block; ignore later ones, which would disturb the cleanup."""
    before = {number: signal.signal(number, _handle) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        _State.pending, _State.stopping, _State.ignored = None, False, None


def ignored() -> int | None:
    """The signal that another process sent after Stopped was raised. Code that continues after Stopped must obey it."""
    return _State.ignored


@contextmanager
def held() -> Iterator[None]:
    """Delay signals inside the block: a signal raises Stopped at the end of the outermost block."""
    _State.held += 1
    try:
        yield
    finally:
        _State.held -= 1
        if not _State.held and _State.pending is not None:
            number, _State.pending = _State.pending, None
            _State.stopping = True
            raise Stopped(number)

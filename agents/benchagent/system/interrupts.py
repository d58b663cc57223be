"""SIGINT, SIGTERM and SIGHUP become the exception Stopped, but never in the middle of a step that must be undone.

SIGUSR1 does the same; by it a thread of our own stops the main thread (`serve`, whose work was cancelled).

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
    held = 0  # how many `held` blocks are open
    pending: int | None = None  # the signal that came while one was
    stopping = False  # Stopped was raised: cleaning up, further signals change nothing
    ignored: int | None = None  # a signal of others that came meanwhile


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
    """Inside, the first of SIGNALS raises Stopped; later ones are ignored so that nothing disturbs the cleaning up."""
    before = {number: signal.signal(number, _handle) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        _State.pending, _State.stopping, _State.ignored = None, False, None


def ignored() -> int | None:
    """The signal that somebody sent while Stopped was already on its way: whoever goes on after it must heed it."""
    return _State.ignored


@contextmanager
def held() -> Iterator[None]:
    """Inside, a signal waits; it raises Stopped when the outermost block ends."""
    _State.held += 1
    try:
        yield
    finally:
        _State.held -= 1
        if not _State.held and _State.pending is not None:
            number, _State.pending = _State.pending, None
            _State.stopping = True
            raise Stopped(number)

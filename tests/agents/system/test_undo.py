"""Steps are undone at the end of their block, at whatever moment a signal comes."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest

from benchagent.errors import NotUndone, Stopped
from benchagent.system import interrupts
from benchagent.system.interrupts import held, raising
from benchagent.system.undo import Undo

MOST = 1000


class Steps:
    """Two steps that are done and undone, as a target is attached and mounted."""

    def __init__(self) -> None:
        self.done: list[str] = []

    @contextmanager
    def prepared(self) -> Iterator[None]:
        with Undo() as undo:
            with held:
                self.done.append("attached")
                undo.add(self.done.remove, "attached")
            with held:
                self.done.append("mounted")
                undo.add(self.done.remove, "mounted")
            yield

    @contextmanager
    def inside(self) -> Iterator[None]:
        with self.prepared():
            yield


def visits(steps: Steps) -> None:
    """A visit, and a wait for a signal that was delayed until after it."""
    with steps.inside():
        assert steps.done == ["attached", "mounted"]
    while interrupts._State.delayed is not None:  # `signal.pause` could miss a signal that came just before it
        pass


def signalled_at(moment: int, steps: Steps) -> bool:
    """Whether a signal that comes at this call or return of a function stops the visit; False after the last one."""
    seen = 0

    def trace(frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal seen
        where = frame.f_back if event == "return" else frame
        if event in ("call", "return") and where is not None and where.f_globals["__name__"] != signal.__name__:
            seen += 1
            if seen == moment:
                sys.settrace(None)
                interrupts._handle(signal.SIGINT, where)
        return trace

    try:
        with raising():
            sys.settrace(trace)
            try:
                visits(steps)
            finally:
                sys.settrace(None)
    except Stopped:
        return True
    return False


def test_whenever_a_signal_comes_everything_is_undone() -> None:
    moments = 0
    for moment in range(1, MOST):
        steps = Steps()
        stopped = signalled_at(moment, steps)
        assert steps.done == [], f"after a signal at moment {moment}"
        if not stopped:
            break
        moments += 1
    assert 20 < moments < MOST - 1


def test_all_steps_are_undone_even_if_some_fail() -> None:
    done: list[str] = []

    def fails() -> None:
        raise OSError("is in use")

    undo = Undo()
    for step, *arguments in ((done.append, "first"), (fails,), (done.append, "last")):
        undo.add(step, *arguments)
    with pytest.raises(NotUndone, match="is in use"), undo:
        pass
    assert done == ["last", "first"]

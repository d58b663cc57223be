"""Reads a file in a process of its own, which the kernel ends when it has used its processor time.

A file that a stranger made may hold a reader inside C code, where no exception of the worker reaches it.
"""

from __future__ import annotations

import os
import pickle
import resource
import signal
from collections.abc import Callable
from typing import NoReturn, TypeVar

_T = TypeVar("_T")


class OverBudget(Exception):
    """The call used all of its processor time."""


class Killed(Exception):
    """The process of the call ended without an answer, such as one that the kernel killed for its memory."""


def within(seconds: int, call: Callable[[], _T]) -> _T:
    """The value of a call in a child process with this processor time; raises what the call raises.

    Raises OverBudget or Killed. The child has no connection to the database, and is gone when this returns or raises.
    """
    answers, answer = os.pipe()
    child = os.fork()
    if not child:
        os.close(answers)
        _answer(seconds, call, answer)
    os.close(answer)
    try:
        with open(answers, "rb") as pipe:
            packed = pipe.read()
    finally:
        os.kill(child, signal.SIGKILL)  # without effect if it has ended; this process was told to stop if it has not
        _, status = os.waitpid(child, 0)
    if not packed:
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU:
            raise OverBudget
        raise Killed
    value: _T
    value, error = pickle.loads(packed)  # noqa: S301 (of our own process, which has the same rights)
    if error is not None:
        raise error
    return value


def _answer(seconds: int, call: Callable[[], object], answer: int) -> NoReturn:
    """Write what a call returns or raises, and end the process without anything that belongs to its parent."""
    try:
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        try:
            answered: tuple[object, Exception | None] = call(), None
        except Exception as error:
            answered = None, error
        with open(answer, "wb") as pipe:
            pickle.dump(answered, pipe)
    finally:
        os._exit(0)

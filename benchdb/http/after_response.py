"""Work that the client need not wait for: it runs after the response, in the thread that sent the response."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import Context, copy_context

from django.core.signals import request_finished, request_started
from django.dispatch import receiver

log = logging.getLogger(__name__)
Call = Callable[[], None]


class _Waiting(threading.local):
    """The waiting calls of the request that this thread handles; None outside a request."""

    calls: list[tuple[Context, Call]] | None = None


_waiting = _Waiting()


def after_answer(call: Call) -> None:
    """Run `call` once this request is answered; at once outside a request, as in a worker or a command.

    A call is lost if the process is killed before it runs, so use this only for work that a sweep finds again.
    """
    if _waiting.calls is None:
        call()
    else:
        _waiting.calls.append((copy_context(), call))  # with the ids for its log lines


@contextmanager
def answering() -> Iterator[None]:
    """Let calls wait for the end of this block, or of the request around it; they are lost with an exception."""
    if _waiting.calls is not None:
        yield
        return
    _begin()
    try:
        yield
    except BaseException:
        _waiting.calls = None
        raise
    _finish()


@receiver(request_started)
def _begin(**_: object) -> None:
    _waiting.calls = []


@receiver(request_finished)
def _finish(**_: object) -> None:
    calls, _waiting.calls = _waiting.calls or [], None
    for context, call in calls:
        try:
            context.run(call)
        except Exception:  # the answer is sent: only the log can report the error now
            context.run(log.exception, "what was left until the answer was sent failed")

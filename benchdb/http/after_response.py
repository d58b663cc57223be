"""What nobody who asked has to wait for: it is done once the answer is sent, by the thread that sent it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextvars import Context, copy_context
from typing import Any

from django.core.signals import request_finished, request_started
from django.dispatch import receiver

log = logging.getLogger(__name__)
Call = Callable[[], None]


class _Waiting(threading.local):
    """Of the request that a thread is at, if it is at one."""

    calls: list[tuple[Context, Call]] | None = None


_waiting = _Waiting()


def after_answer(call: Call) -> None:
    """Call it when this request is answered; at once where there is no request, as in a worker or a command.

    It is lost where the process is killed in between: only for what a sweep finds again.
    """
    if _waiting.calls is None:
        call()
    else:
        _waiting.calls.append((copy_context(), call))  # with the ids that its log lines shall have


@receiver(request_started)
def _begin(**_: Any) -> None:
    _waiting.calls = []


@receiver(request_finished)
def _finish(**_: Any) -> None:
    calls, _waiting.calls = _waiting.calls or [], None
    for context, call in calls:
        try:
            context.run(call)
        except Exception:  # the answer is sent: nobody can be told of it but who reads the log
            context.run(log.exception, "what was left until the answer was sent failed")

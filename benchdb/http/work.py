"""The processor time of requests: a budget for each address and account, and one large request at a time.

docs/security.md, "Limits", describes both for operators.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.core.cache import cache
from redis.exceptions import RedisError

from .rate_limits import key_of, read_rate

log = logging.getLogger(__name__)

FREE_SECONDS = 0.05  # ordinary pages take less; they cost no entry in the cache
LARGE_RESULTS = 10_000  # results that one query reads
LARGE_BODY = 8 * 1024 * 1024  # bytes of a document, inflated
MOST_WAITING = 2  # of a process with four threads, so that one is left for small requests
WAIT_SECONDS, RETRY_SECONDS = 20.0, 5


class NoTurn(Exception):
    """Other large requests are being answered, and this one has not begun."""


class _Request(threading.local):
    """The request that this thread handles: who pays for it, or None outside a request; whether it has the turn."""

    payers: list[str] | None = None
    has_turn = False


_request = _Request()
_turn = threading.Lock()
_places = threading.BoundedSemaphore(1 + MOST_WAITING)


@contextmanager
def accounted() -> Iterator[None]:
    """Handle a request in this thread, then charge its processor time to its payers, and end its turn."""
    _request.payers, _request.has_turn = [], False
    started = time.thread_time()
    try:
        yield
    finally:
        payers, _request.payers = _request.payers, None
        if _request.has_turn:
            _request.has_turn = False
            _turn.release()
            _places.release()
        if (seconds := time.thread_time() - started) >= FREE_SECONDS:
            _charge(payers, seconds)


def pays(*who: str) -> int | None:
    """Let these pay for the request of this thread. Returns the seconds to wait if one has used up its budget.

    A request is charged when it has been answered, so the last one may exceed the budget.
    """
    if _request.payers is None:
        return None
    _request.payers += who
    most, period = read_rate(settings.WORK_RATE)
    now = time.time()
    try:
        used = cache.get_many([_key(name, now, period) for name in who]).values()
    except RedisError as error:
        log.warning("budgets are off: the cache does not answer (%s)", error)
        return None
    return max(1, int(period - now % period)) if any(each >= 1000 * most for each in used) else None


def take_turn() -> None:
    """Wait until this process answers no other large request; this one has the turn until it is answered.

    More at once would take their memory at once, and no less time, because Python runs one thread at a time. A killed
    process leaves nothing behind. Does nothing outside a request. Raises NoTurn if others wait already, or for too
    long.
    """
    if _request.payers is None or _request.has_turn:
        return
    if not _places.acquire(blocking=False):
        raise NoTurn
    if not _turn.acquire(timeout=WAIT_SECONDS):
        _places.release()
        raise NoTurn
    _request.has_turn = True


def _charge(payers: list[str], seconds: float) -> None:
    _, period = read_rate(settings.WORK_RATE)
    now = time.time()
    try:
        for who in payers:
            key = _key(who, now, period)
            cache.add(key, 0, 2 * period)
            cache.incr(key, round(1000 * seconds))
    except (RedisError, ValueError) as error:  # ValueError: the counter expired between both
        log.warning("budgets are off: the cache does not count (%s)", error)


def _key(who: str, now: float, period: int) -> str:
    """The key of the milliseconds that were used in this period."""
    return f"work:{key_of(who)}:{int(now // period)}"

"""The processor time of requests, and the database's time for them: a budget for each address and account, one large
request at a time, and a limit from which work is a task.

docs/security.md, "Limits", describes both for operators.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import inf

from django.conf import settings
from django.core.cache import cache
from redis.exceptions import RedisError

from . import overtime
from .rate_limits import key_of, read_rate

log = logging.getLogger(__name__)

FREE_SECONDS = 0.05  # ordinary pages take less; they cost no entry in the cache
LARGE_SECONDS = 0.25  # from which a request takes turns: the results of this time take 30 MB
MOST_WAITING = 2  # of a process with four threads, so that one is left for small requests
WAIT_SECONDS, RETRY_SECONDS = 20.0, 5
TASK_SECONDS = 0.2  # what takes longer is left to a worker, if its result can be kept
LITTLE = 0.1  # of the budget: who has used more leaves the last place to others


class TooLong(Exception):
    """The work inside `at_most` would take this number of seconds; it has not begun."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class MustWait(Exception):
    """The request must be sent again after this number of seconds; its work has not begun."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"wait {seconds} s")
        self.seconds = seconds


class NoTurn(MustWait):
    """Other large requests are being answered."""


class NoBudget(MustWait):
    """Requests of the same address or account have used or reserved its processor time."""


@dataclass(slots=True)
class RequestAccount:
    """A request: who pays for it, the seconds that it expects to need, and whether it has the turn.

    `reserved` are milliseconds by payer and key of the cache, `share` is the part of the budget that was used when it
    began. What is `expected` may not exceed `most`. Only those that read pay for the time of the database, because
    others may wait there for each other.
    """

    reads: bool = False

    payers: list[str] = field(default_factory=list)
    share: float = 0.0
    expected: float = 0.0
    most: float = inf
    reserved: Counter[tuple[str, str]] = field(default_factory=Counter)
    has_turn: bool = False
    has_ended: bool = False
    started: float = field(default_factory=time.thread_time)

    def end(self) -> None:
        """Charge the processor time that its thread has used, and end the turn. Does nothing a second time."""
        if self.has_ended:
            return
        self.has_ended = True
        seconds = 0.0
        if _handled.request is self:  # else another thread closes the answer: that of `begin` has another request
            _handled.request = None
            seconds = time.thread_time() - self.started
        self.end_turn()
        if self.reserved or seconds >= FREE_SECONDS:
            _settle(self, round(1000 * seconds))

    def end_turn(self) -> None:
        """Let the next large request begin, if this one has the turn."""
        if self.has_turn:
            self.has_turn = False
            _turn.release()
            _leave(self)


class _Handled(threading.local):
    """The request that this thread handles; None outside a request."""

    request: RequestAccount | None = None


_handled = _Handled()
_turn = threading.Lock()
_places: dict[int, list[str]] = {}  # of the requests that have the turn or wait for it, by id: who pays
_changing_places = threading.Lock()


def begin(*, reads: bool = False) -> RequestAccount:
    """Handle a request, which only `reads` or not, in this thread until the account ends."""
    _handled.request = RequestAccount(reads)
    return _handled.request


@contextmanager
def accounted() -> Iterator[None]:
    """Handle a request in this thread during the block."""
    account = begin()
    try:
        yield
    finally:
        account.end()


def pays(*who: str) -> int | None:
    """Let these pay for the request of this thread. Returns the seconds to wait if one has used up its budget."""
    if (request := _handled.request) is None:
        return None
    request.payers += who
    most, period, now = _budget()
    try:
        used = [*cache.get_many([_key(name, now, period) for name in who]).values()]
    except RedisError as error:
        log.warning("budgets are off: the cache does not answer (%s)", error)
        return None
    request.share = max([request.share, *(each / most for each in used)]) if most else 1.0
    return _rest(now, period) if any(each >= most for each in used) else None


def is_request() -> bool:
    """Whether this thread handles a request, as no worker and no command does."""
    return _handled.request is not None


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Let `expect` raise TooLong if this request will need more time inside the block; outside one, nothing."""
    if (request := _handled.request) is None:
        yield
        return
    expected, most = request.expected, request.most
    request.most = min(most, expected + seconds)
    try:
        yield
    except TooLong:
        request.expected = expected  # nothing of it is done
        raise
    finally:
        request.most = most


def expect(seconds: float) -> None:
    """Announce that this request will need so much processor time, before the work: reserve it, and take a turn.

    The reservations of simultaneous requests count as used, so at most one of them exceeds a budget. At the end the
    time that was really used replaces them; those of a killed process last until the next period. Does nothing outside
    a request. Raises TooLong inside `at_most`; NoBudget; and NoTurn if others wait for the turn, or for too long.
    """
    request = _handled.request
    if request is None:
        return
    request.expected += seconds
    if request.expected > request.most:
        raise TooLong(request.expected)
    overtime.allow(seconds)
    if seconds < FREE_SECONDS:
        return
    _reserve(request, round(1000 * seconds))
    if request.expected >= LARGE_SECONDS and not request.has_turn:
        _take_turn(request)
        request.has_turn = True


def spent(seconds: float) -> None:
    """Charge the processor time of a child process, which was the large part of this request: its turn ends.

    Does nothing outside a request.
    """
    if (request := _handled.request) is not None:
        request.started -= seconds
        request.end_turn()


def waited(seconds: float) -> None:
    """Charge the time of a long statement to the request of this thread, if that only reads: the database worked."""
    if seconds >= FREE_SECONDS and (request := _handled.request) is not None and request.reads:
        request.started -= seconds


def _take_turn(request: RequestAccount) -> None:
    """Wait until this process answers no other large request.

    More at once would take their memory at once, and no less time, because Python runs one thread at a time. A killed
    process leaves nothing behind.
    """
    _take_place(request)
    if not _turn.acquire(timeout=WAIT_SECONDS):
        _leave(request)
        raise NoTurn(RETRY_SECONDS)


def _take_place(request: RequestAccount) -> None:
    """Have the turn next, or wait for it. Raises NoTurn.

    Nobody takes the last place who has another one or has used much, else few clients could take all of them for ever.
    """
    with _changing_places:
        free = 1 + MOST_WAITING - len(_places)
        has_another = any(not set(request.payers).isdisjoint(payers) for payers in _places.values())
        if free < 1 or (free == 1 and (has_another or request.share >= LITTLE)):
            raise NoTurn(RETRY_SECONDS)
        _places[id(request)] = request.payers


def _leave(request: RequestAccount) -> None:
    with _changing_places:
        del _places[id(request)]


def _reserve(request: RequestAccount, milliseconds: int) -> None:
    most, period, now = _budget()
    try:
        for who in request.payers:
            key = _key(who, now, period)
            used = _count(key, milliseconds, period) - milliseconds
            request.reserved[who, key] += milliseconds
            if used >= most:
                raise NoBudget(_rest(now, period))
    except (RedisError, ValueError) as error:
        log.warning("budgets are off: the cache does not count (%s)", error)


def _settle(request: RequestAccount, milliseconds: int) -> None:
    """Count the time that was used in place of what was reserved, in the period in which the request ends.

    What it reserved in an earlier one has counted there: it makes that charge smaller, but gives nothing back.
    """
    _, period, now = _budget()
    try:
        for who in request.payers:
            key = _key(who, now, period)
            reserved = sum(each for (payer, _), each in request.reserved.items() if payer == who)
            _count(key, max(milliseconds - reserved, -request.reserved[who, key]), period)
    except (RedisError, ValueError) as error:  # ValueError: the counter expired between two calls
        log.warning("budgets are off: the cache does not count (%s)", error)


def _count(key: str, milliseconds: int, period: int) -> int:
    cache.add(key, 0, 2 * period)
    return cache.incr(key, milliseconds)


def _budget() -> tuple[int, int, float]:
    """The milliseconds of a budget, the seconds of a period, and the time."""
    most, period = read_rate(settings.WORK_RATE)
    return 1000 * most, period, time.time()


def _rest(now: float, period: int) -> int:
    return max(1, int(period - now % period))


def _key(who: str, now: float, period: int) -> str:
    """The key of the milliseconds that were used or reserved in this period."""
    return f"work:{key_of(who)}:{int(now // period)}"

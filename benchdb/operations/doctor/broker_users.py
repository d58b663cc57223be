"""Checks that only BenchDB can use the broker, and that Celery and the cache use it as two users.

Anyone who can write to the broker can have a worker run any task, so it needs a password or a private Unix socket.
"""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import redis
from django.conf import settings
from redis.exceptions import AuthenticationError, NoPermissionError

from benchdb.connections.redis_urls import without_user
from benchdb.operations.probes import PATIENCE_SECONDS

from .finding import DoctorFinding, ok, wrong

REMEDY = 'docs/operations.md, "Users of the broker"'


def broker_users() -> Iterator[DoctorFinding]:
    """Whether the broker refuses strangers, and the users of Celery and cache the keys of each other."""
    try:
        if _lets_strangers_in():
            yield wrong("broker users", f"programs without a password can use the broker: set one, see {REMEDY}")
        elif shared := [name for name, attempt in _attempts() if _succeeds(attempt)]:
            yield wrong("broker users", f"{' and '.join(shared)}: they need two users, see {REMEDY}")
        else:
            yield ok("broker users", "strangers are refused, and Celery and cache have a user each")
    except (redis.ConnectionError, redis.TimeoutError):
        return  # the check `broker` says so


def _client(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, socket_timeout=PATIENCE_SECONDS, socket_connect_timeout=PATIENCE_SECONDS)


def _lets_strangers_in() -> bool:
    """Whether a program of another user is served without a password."""
    if _socket_is_private():
        return False
    with _client(without_user(settings.REDIS_URL)) as stranger:
        return _succeeds(stranger.ping)


def _socket_is_private() -> bool:
    """Whether the address is a Unix socket that only owner and group may write to, and so connect to (man 7 unix)."""
    parts = urlsplit(settings.REDIS_URL)
    path = Path(unquote(parts.path))
    return parts.scheme == "unix" and path.exists() and not path.stat().st_mode & stat.S_IWOTH


def _attempts() -> Iterator[tuple[str, Callable[[], object]]]:
    with _client(settings.REDIS_URL) as celery, _client(settings.CACHE_URL) as cache:
        prefix = settings.CACHES["default"]["KEY_PREFIX"]
        yield "Celery may use the keys of the cache", lambda: celery.exists(f"{prefix}:1:seen:worker")
        yield "the cache may use Celery's queues", lambda: cache.exists("celery")


def _succeeds(attempt: Callable[[], object]) -> bool:
    """Whether an attempt is not refused. Raises redis.ConnectionError or TimeoutError."""
    try:
        attempt()
    except (AuthenticationError, NoPermissionError):
        return False
    return True

"""The position that each account must see after its last write, kept in Redis for all web servers."""

from __future__ import annotations

import logging

import redis
from django.conf import settings
from django.core.cache import caches
from django.core.cache.backends.redis import RedisCache
from django.db import transaction

from benchdb.replica import REPLICA

from .progress import committed

log = logging.getLogger(__name__)

EVERYBODY = "everybody"


def record_write(who: str) -> None:
    """Record that `who` must see everything committed so far. Raises django.db.Error.

    If Redis is away, a warning is logged, and no request reads from the replica meanwhile.
    """
    position, key = committed(), _key(who)
    try:
        # Two requests of one account may arrive in any order: the greater position stays.
        with _redis().pipeline() as pipeline:
            pipeline.zadd(key, {"": position}, gt=True)
            pipeline.expire(key, 6 * settings.REPLICA_SECONDS)  # a replica so far behind is not used
            pipeline.execute()
    except redis.RedisError as error:
        log.warning("nobody can tell what %s wrote: %s", who, error)


def taken_back() -> None:
    """Hide the previous state from everybody after the commit; for data deleted, withdrawn, hidden or revoked."""
    transaction.on_commit(_is_taken_back)


def _is_taken_back() -> None:
    if REPLICA in settings.DATABASES:
        record_write(EVERYBODY)


def needed(*who: str) -> int | None:
    """The position that all of `who` must see; None if Redis is away."""
    try:
        with _redis().pipeline(transaction=False) as pipeline:
            for name in who:
                pipeline.zscore(_key(name), "")
            positions: list[float | None] = pipeline.execute()
    except redis.RedisError as error:
        log.warning("the primary is read from, because it is unknown who wrote what: %s", error)
        return None
    return max((int(position) for position in positions if position is not None), default=0)


def _key(who: str) -> str:
    return f"{settings.CACHES['default']['KEY_PREFIX']}:written:{who}"


def _redis() -> redis.Redis:
    """The client below Django's cache, whose own interface has no "set if greater"."""
    cache = caches["default"]
    assert isinstance(cache, RedisCache)
    return cache._cache.get_client(write=True)

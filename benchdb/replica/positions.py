"""What somebody wrote, and so must see from now on: positions in Redis, which all web servers share."""

from __future__ import annotations

import logging
from typing import Any

import redis
from django.conf import settings
from django.core.cache import caches
from django.db import transaction
from django.dispatch import Signal

from benchdb.replica import REPLICA

from .progress import committed

log = logging.getLogger(__name__)

EVERYBODY = "everybody"
TAKEN_BACK = Signal()  # for what this process remembers; sent at once, and again when it is committed


def note(who: str) -> None:
    """`who` must see everything that is committed now. A Redis that is away is logged; nobody reads the replica then.

    Raises django.db.Error.
    """
    position, key = committed(), _key(who)
    try:
        # Two requests of one account may come here in any order: the greater position stays.
        with _redis().pipeline() as pipeline:
            pipeline.zadd(key, {"": position}, gt=True)
            pipeline.expire(key, 6 * settings.REPLICA_SECONDS)  # no replica that is read from is so far behind
            pipeline.execute()
    except redis.RedisError as error:
        log.warning("nobody can tell what %s wrote: %s", who, error)


def taken_back() -> None:
    """From the commit on, nobody is shown what was before: for what was deleted, withdrawn, hidden or revoked."""
    TAKEN_BACK.send(None)
    transaction.on_commit(_is_taken_back)


def _is_taken_back() -> None:
    TAKEN_BACK.send(None)
    if REPLICA in settings.DATABASES:
        note(EVERYBODY)


def needed(*who: str) -> int | None:
    """The position that these must see; None where nobody can tell."""
    try:
        with _redis().pipeline(transaction=False) as pipeline:
            for each in who:
                pipeline.zscore(_key(each), "")
            found: list[float | None] = pipeline.execute()
    except redis.RedisError as error:
        log.warning("the primary is read from, because nobody can tell who wrote what: %s", error)
        return None
    return max((int(position) for position in found if position is not None), default=0)


def _key(who: str) -> str:
    return f"{settings.CACHES['default']['KEY_PREFIX']}:written:{who}"


def _redis() -> redis.Redis:
    """The cache's own connections: Django's cache itself knows no "if greater"."""
    cache: Any = caches["default"]
    client: redis.Redis = cache._cache.get_client(write=True)
    return client

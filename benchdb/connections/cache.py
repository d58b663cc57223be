"""Connections to the cache that nobody waits for twice."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import redis

from .absence import Absence

SECONDS = 5.0

_absences: defaultdict[str, Absence] = defaultdict(lambda: Absence("the cache", redis.RedisError, SECONDS))


class CachePool(redis.ConnectionPool):
    """redis-py's own; where the server did not answer a moment ago, `RedisError` at once."""

    def get_connection(self, *arguments: Any, **options: Any) -> Any:
        """One that is connected. Raises RedisError."""
        place = {name: self.connection_kwargs.get(name) for name in ("host", "port", "path")}
        with _absences[str(place)].asking():
            return super().get_connection(*arguments, **options)

"""Connections to the cache that fail at once while the cache is away."""

from __future__ import annotations

from collections import defaultdict

import redis

from .circuit_breaker import CircuitBreaker

SECONDS = 5.0

_breakers: defaultdict[str, CircuitBreaker] = defaultdict(
    lambda: CircuitBreaker("the cache", redis.RedisError, SECONDS)
)


class CachePool(redis.ConnectionPool):
    """redis-py's pool; raises `RedisError` at once if the server did not answer a moment ago."""

    def get_connection(self, *arguments: object, **options: object) -> redis.Connection:
        """A connection to the server. Raises RedisError."""
        address = {name: self.connection_kwargs.get(name) for name in ("host", "port", "path")}
        with _breakers[str(address)].attempt():
            return super().get_connection(*arguments, **options)

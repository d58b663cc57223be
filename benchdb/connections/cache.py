"""The cache: connections that fail at once while it is away, and values in JSON."""

from __future__ import annotations

import json
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


class JsonSerializer:
    """Django's serializer pickles, so that anybody who can write to Redis could run code here; JSON holds data only."""

    def dumps(self, value: object) -> str:
        """Text for Redis; whole numbers are plain, so that Redis can count with them. Raises TypeError."""
        return json.dumps(value)

    def loads(self, text: bytes) -> object:
        """The value of a text. Raises RedisError if the text is no JSON: then somebody else wrote it."""
        try:
            value: object = json.loads(text)
        except ValueError:
            raise redis.DataError("the cache holds a value that BenchDB did not write") from None
        return value

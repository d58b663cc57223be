"""How often a token may upload."""

from __future__ import annotations

import logging
import time
from typing import cast

from django.conf import settings
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest
from ninja.throttling import BaseThrottle
from redis.exceptions import RedisError

from .auth import TokenRequest

log = logging.getLogger(__name__)

_PERIODS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


class TokenThrottle(BaseThrottle):
    """So many requests a token and period, counted from the period's start (`UPLOAD_RATE`, as in `600/m`).

    It keeps nothing between calls but in the cache, because all threads of a server share it. A cache that is down
    stops nobody: uploads matter more than limits.
    """

    def allow_request(self, request: HttpRequest) -> bool:
        """Count this request; False where it is one too many."""
        most, seconds = rate()
        key = f"uploads:{cast(TokenRequest, request).auth.pk}:{int(time.time() // seconds)}"
        try:
            cache.add(key, 0, timeout=2 * seconds)
            return bool(cache.incr(key) <= most)
        except RedisError as error:
            log.warning("rate limits are off: the cache does not answer (%s)", error)
            return True

    def wait(self) -> float:
        """Seconds until the next period begins."""
        seconds = rate()[1]
        return seconds - time.time() % seconds


def rate() -> tuple[int, int]:
    """UPLOAD_RATE as requests and seconds. Raises ImproperlyConfigured."""
    most, _, period = settings.UPLOAD_RATE.partition("/")
    if not most.isdecimal() or period not in _PERIODS:
        raise ImproperlyConfigured(
            f"BENCHDB_UPLOAD_RATE is {settings.UPLOAD_RATE!r}; write how many uploads a second, minute, hour or day, "
            "such as 600/m."
        )
    return int(most), _PERIODS[period]

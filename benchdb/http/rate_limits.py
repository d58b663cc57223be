"""How often somebody may do something: counted in the cache, which all processes of all web servers share.

The cache's own counter is enough: django-ratelimit counts in the same way, but raises where Redis is away; django-axes
keeps failed attempts in the database, where they are a load themselves.
"""

from __future__ import annotations

import hashlib
import logging
import time
from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from redis.exceptions import RedisError

log = logging.getLogger(__name__)

_PERIODS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def read_rate(text: str) -> tuple[int, int]:
    """`600/m` as times and seconds. Raises ValueError."""
    most, _, period = text.partition("/")
    if period not in _PERIODS:
        raise ValueError(f"{text!r} is no rate")
    return int(most), _PERIODS[period]


def too_many(rate: str, who: str) -> int | None:
    """Count one more of `who` under the setting `rate`; the seconds to wait where it is one too many, else None.

    Periods begin at full multiples of themselves. A cache that is down stops nobody: uploads matter more than limits.
    """
    most, key = _now(rate, who)
    try:
        return _wait(most[1]) if _count(key, 2 * most[1]) > most[0] else None
    except (RedisError, ValueError) as error:  # ValueError: the counter ran out between two calls
        log.warning("rate limits are off: the cache does not count (%s)", error)
        return None


def _count(key: str, timeout: int) -> int:
    try:
        return cache.incr(key)
    except ValueError:  # the first of this period
        cache.add(key, 0, timeout)  # or another's first was quicker
        return cache.incr(key)


def is_full(rate: str, who: str) -> int | None:
    """The seconds to wait where `who` had all of `rate` already, else None. Counts nothing."""
    most, key = _now(rate, who)
    try:
        return _wait(most[1]) if cache.get(key, 0) >= most[0] else None
    except RedisError as error:
        log.warning("rate limits are off: the cache does not answer (%s)", error)
        return None


def _now(rate: str, who: str) -> tuple[tuple[int, int], str]:
    most = read_rate(getattr(settings, rate))
    return most, f"{rate}:{key_of(who)}:{int(time.time() // most[1])}"


def key_of(text: str) -> str:
    """Any text as a part of a key in the cache: names that people write hold anything."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def _wait(seconds: int) -> int:
    return max(1, int(seconds - time.time() % seconds))


def address_of(request: HttpRequest) -> str:
    """Where the request is from: an IPv4 address, or the /64 of an IPv6 one, of which one customer has all.

    Behind proxies (`BENCHDB_PROXIES` of them) it is what the outermost of them saw; what stands before that in
    X-Forwarded-For the visitor wrote.
    """
    seen = request.META.get("REMOTE_ADDR", "")
    if settings.PROXIES:
        said = [each.strip() for each in request.headers.get("X-Forwarded-For", "").split(",") if each.strip()]
        seen = said[-settings.PROXIES] if len(said) >= settings.PROXIES else seen
    try:
        found = ip_address(seen)
    except ValueError:  # a Unix socket, or a proxy that writes something else
        return "unknown"
    if isinstance(found, IPv6Address):
        return str(found.ipv4_mapped or ip_network((found, 64), strict=False))
    return str(found)

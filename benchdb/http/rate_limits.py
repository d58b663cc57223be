"""Rate limits, counted in the cache, which all processes of all web servers share.

The cache's own counter is enough. django-ratelimit counts in the same way but raises if Redis is away; django-axes
keeps failed attempts in the database, which makes them a load themselves.
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
    """Count one request of `who` under the setting `rate`. Returns the seconds to wait, None if it is within the rate.

    Periods begin at full multiples of their length. There are no limits while the cache is down, because uploads matter
    more.
    """
    most, key = _now(rate, who)
    try:
        return _wait(most[1]) if _count(key, 2 * most[1]) > most[0] else None
    except (RedisError, ValueError) as error:  # ValueError: the counter expired between two calls
        log.warning("rate limits are off: the cache does not count (%s)", error)
        return None


def _count(key: str, timeout: int) -> int:
    try:
        return cache.incr(key)
    except ValueError:  # the first of this period
        cache.add(key, 0, timeout)  # unless another process was first
        return cache.incr(key)


def is_full(rate: str, who: str) -> int | None:
    """The seconds to wait if `who` has used up `rate`, else None. Counts nothing."""
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
    """A digest for a cache key: names that people write may contain any character."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def _wait(seconds: int) -> int:
    return max(1, int(seconds - time.time() % seconds))


def address_of(request: HttpRequest) -> str:
    """The client's address: an IPv4 address, or the /64 network of an IPv6 one, because one customer has all of it.

    Behind `BENCHDB_PROXIES` proxies the address is the one that the outermost proxy saw. Entries before it in
    X-Forwarded-For were written by the client.
    """
    text = request.META.get("REMOTE_ADDR", "")
    if settings.PROXIES:
        hops = [hop.strip() for hop in request.headers.get("X-Forwarded-For", "").split(",") if hop.strip()]
        text = hops[-settings.PROXIES] if len(hops) >= settings.PROXIES else text
    try:
        address = ip_address(text)
    except ValueError:  # a Unix socket, or a proxy that writes something else
        return "unknown"
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or ip_network((address, 64), strict=False))
    return str(address)

"""Addresses of the Redis-protocol server: Celery's queues and the cache are two databases and two users of one server.

Two users, because each may then use only its own keys: deploy/redis/users.acl has their rules.
"""

from __future__ import annotations

from urllib.parse import SplitResult, parse_qsl, quote, urlencode, urlsplit

CACHE_USER = "cache"


def _joined(parts: SplitResult) -> str:
    """The URL of `parts`; `geturl()` drops the slashes of a Unix socket's URL without a user."""
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.scheme}://{parts.netloc}{parts.path}{query}"


def with_password(url: str, password: str) -> str:
    """`url` with this password in place of its own."""
    parts = urlsplit(url)
    credentials, _, address = parts.netloc.rpartition("@")
    return _joined(parts._replace(netloc=f"{credentials.partition(':')[0]}:{quote(password, safe='')}@{address}"))


def without_user(url: str) -> str:
    """`url` without user and password."""
    parts = urlsplit(url)
    return _joined(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def cache_url(url: str) -> str:
    """The database after the broker's, on the same server: for the user `cache` if the broker's URL has a user.

    Raises ValueError if the database of `url` is no number.
    """
    parts = urlsplit(url)
    if user := parts.netloc.rpartition("@")[0].partition(":")[0]:
        parts = parts._replace(netloc=CACHE_USER + parts.netloc.removeprefix(user))
    if parts.scheme != "unix":
        return _joined(parts._replace(path=f"/{int(parts.path.strip('/') or '0') + 1}"))
    options = dict(parse_qsl(parts.query))
    options["db"] = str(int(options.get("db", "0")) + 1)
    return _joined(parts._replace(query=urlencode(options)))


def celery_broker_url(url: str) -> str:
    """A Redis URL in Celery's syntax, which differs from redis-py's only for Unix sockets."""
    parts = urlsplit(url)
    if parts.scheme != "unix":
        return url
    options = [("virtual_host" if name == "db" else name, value) for name, value in parse_qsl(parts.query)]
    return _joined(parts._replace(scheme="redis+socket", query=urlencode(options)))

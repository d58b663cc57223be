"""The URLs of broker and cache, as redis-py and kombu read them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kombu import Connection
from redis.connection import parse_url

from benchdb.connections.redis_urls import cache_url, celery_broker_url, with_password, without_user
from benchdb.embedded.config import Paths, redis_url

URLS = ["redis://redis:6379", "rediss://celery:old@host/2?ssl_cert_reqs=none", "unix://celery@/run/redis.sock?db=3"]


def test_celery_reads_the_embedded_socket() -> None:
    paths = Paths(Path("/srv/bench db"))
    broker = Connection(celery_broker_url(redis_url(paths.var)))
    assert broker.as_uri() == f"redis+socket://celery@{paths.valkey_socket}"


@pytest.mark.parametrize(
    ("url", "broker"),
    [
        ("redis://redis:6379/0", "redis://redis:6379/0"),
        ("rediss://:secret@host/2", "rediss://:secret@host/2"),
        ("unix:///run/redis.sock", "redis+socket:///run/redis.sock"),
        ("unix://celery:secret@/run/redis.sock?db=3", "redis+socket://celery:secret@/run/redis.sock?virtual_host=3"),
    ],
)
def test_only_the_url_of_a_unix_socket_differs_for_celery(url: str, broker: str) -> None:
    assert celery_broker_url(url) == broker


@pytest.mark.parametrize(
    ("url", "cache"),
    [
        ("redis://redis:6379", "redis://redis:6379/1"),
        ("redis://redis:6379/0", "redis://redis:6379/1"),
        ("redis://celery@redis:6379/0", "redis://cache@redis:6379/1"),
        ("rediss://:secret@host/2?ssl_cert_reqs=none", "rediss://:secret@host/3?ssl_cert_reqs=none"),
        ("rediss://celery:secret@host/2", "rediss://cache:secret@host/3"),
        ("unix:///run/redis.sock", "unix:///run/redis.sock?db=1"),
        ("unix://celery@/run/redis.sock?db=3", "unix://cache@/run/redis.sock?db=4"),
    ],
)
def test_the_cache_has_the_database_after_the_brokers_and_another_user(url: str, cache: str) -> None:
    assert cache_url(url) == cache
    broker, own = parse_url(url), parse_url(cache_url(url))
    assert own.pop("db") == broker.pop("db", 0) + 1
    assert own.pop("username", None) == ("cache" if broker.pop("username", None) else None)
    assert own == broker


@given(st.sampled_from(URLS), st.text(min_size=1))
def test_a_password_of_any_characters_is_added(url: str, password: str) -> None:
    expected = {**parse_url(url), "password": password}
    assert parse_url(with_password(url, password)) == expected


@pytest.mark.parametrize("url", URLS)
def test_a_url_without_its_user(url: str) -> None:
    expected = {name: value for name, value in parse_url(url).items() if name not in ("username", "password")}
    assert parse_url(without_user(url)) == expected

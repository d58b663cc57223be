"""The cache: what it keeps is data, and only its own user may use it."""

import os
import pickle
import time
from pathlib import Path

import pytest
import redis
from django.conf import settings
from django.core.cache import cache
from django.test import Client

from benchdb.connections.redis_urls import cache_url, without_user
from benchdb.embedded.config import VALKEY_SUPERUSER, redis_url
from benchdb.http.rate_limits import key_of, read_rate


class Command:
    """Unpickling it makes a directory."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> object:
        return os.mkdir, (str(self.path),)


def test_a_pickle_that_somebody_stored_is_not_run(db: None, client: Client, tmp_path: Path) -> None:
    """The attack of November 2026: a pickle under the key of a login rate, then one wrong password."""
    victim = tmp_path / "made-by-a-pickle"
    _, seconds = read_rate(settings.LOGIN_RATE)
    period = int(time.time() // seconds)
    keys = [cache.make_key(f"LOGIN_RATE:{key_of('127.0.0.1')}:{number}") for number in (period, period + 1)]
    with redis.from_url(redis_url(settings.VAR_DIR, VALKEY_SUPERUSER), db=1) as attacker:
        for key in keys:
            attacker.set(key, pickle.dumps(Command(victim)), ex=60)
        answer = client.post("/login/", {"username": "ada", "password": "wrong"}, REMOTE_ADDR="127.0.0.1")
        attacker.delete(*keys)
    assert answer.status_code == 200
    assert not victim.exists()
    pickle.loads(pickle.dumps(Command(victim)))
    assert victim.exists(), "the attack would have worked"


@pytest.mark.parametrize("value", [0, -7, 1.5, "text", "12", True, None, [1, {"a": "b"}]])
def test_values_come_back_with_their_types(value: object) -> None:
    cache.set("round-trip", value, 60)
    kept = cache.get("round-trip")
    assert (kept, type(kept)) == (value, type(value))


def test_whole_numbers_can_be_counted() -> None:
    cache.set("counter", 4, 60)
    assert (cache.incr("counter"), cache.get("counter")) == (5, 5)


def test_what_is_no_data_is_refused_before_it_is_stored() -> None:
    with pytest.raises(TypeError):
        cache.set("object", object(), 60)


def test_each_user_may_use_only_its_own_keys() -> None:
    with redis.from_url(settings.REDIS_URL) as celery, redis.from_url(settings.CACHE_URL) as own:
        for forbidden in (
            lambda: celery.get(cache.make_key("counter")),
            lambda: celery.flushall(),
            lambda: celery.config_get("dir"),
            lambda: own.llen("celery"),
            lambda: own.select(0) and own.lpush("celery", "task"),
            lambda: own.publish("/0.celery.pidbox", "shutdown"),
            lambda: own.flushdb(),
            lambda: own.eval("return 1", 0),
        ):
            with pytest.raises(redis.exceptions.NoPermissionError):
                forbidden()


def test_nobody_is_let_in_without_a_user() -> None:
    url = without_user(settings.REDIS_URL)
    for address in (url, cache_url(url)):
        with redis.from_url(address) as nobody, pytest.raises(redis.AuthenticationError):
            nobody.ping()

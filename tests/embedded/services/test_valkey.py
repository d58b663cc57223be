"""A running embedded Redis-protocol server."""

import os
import signal
import subprocess

import pytest
import redis

from benchdb.embedded.background import services
from benchdb.embedded.config import VALKEY_SUPERUSER, Paths, redis_url
from benchdb.embedded.services.valkey import valkey_service
from benchdb.embedded.supervisor.privileges import launcher
from tests.embedded.conftest import PATIENCE, processes_in, until_ready
from tests.support.waiting import wait_until

pytestmark = pytest.mark.usefixtures("own_services")


def test_messages_outlive_a_stop(paths: Paths) -> None:
    with services(paths.var), redis.from_url(redis_url(paths.var, VALKEY_SUPERUSER)) as client:
        client.rpush("celery", "a message")
    with services(paths.var), redis.from_url(redis_url(paths.var, VALKEY_SUPERUSER)) as client:
        assert client.lrange("celery", 0, -1) == [b"a message"]


def test_it_has_no_port_and_drops_nothing(paths: Paths) -> None:
    with services(paths.var), redis.from_url(redis_url(paths.var, VALKEY_SUPERUSER)) as client:
        wanted = {"port": "0", "maxmemory-policy": "noeviction", "appendonly": "yes", "appendfsync": "everysec"}
        assert {name: client.config_get(name)[name] for name in wanted} == wanted


def test_it_comes_back_after_a_kill(paths: Paths) -> None:
    with services(paths.var), redis.from_url(redis_url(paths.var, VALKEY_SUPERUSER)) as client:
        client.config_set("appendfsync", "always")
        client.rpush("celery", "a message")
        killed = int(client.info()["process_id"])
        os.kill(killed, signal.SIGKILL)
        wait_until(lambda: _has_successor(client, killed), PATIENCE, lambda: "valkey did not come back")
        assert client.lrange("celery", 0, -1) == [b"a message"]
    assert processes_in(paths.var) == set()


def _has_successor(client: redis.Redis, killed: int) -> bool:
    """Whether another process serves the data. A server that is still loading answers INFO but refuses PING."""
    try:
        return client.ping() and int(client.info()["process_id"]) != killed
    except (redis.ConnectionError, redis.TimeoutError):
        return False


def test_a_server_left_behind_is_ended_before_the_next_one_starts(paths: Paths) -> None:
    service = valkey_service(paths)
    with subprocess.Popen([*launcher(signal.SIGTERM), *service.command], stdout=subprocess.DEVNULL) as left_behind:
        until_ready(service)
        service.prepare()
        assert left_behind.wait(PATIENCE) == 0

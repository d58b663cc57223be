"""The embedded Redis-protocol server, really started."""

import os
import signal
import subprocess
import time

import pytest
import redis

from benchdb.embedded.background import services
from benchdb.embedded.config import Paths, redis_url
from benchdb.embedded.services.valkey import valkey_service
from benchdb.embedded.supervisor.privileges import launcher
from tests.embedded.conftest import processes_in, until_ready

pytestmark = pytest.mark.usefixtures("own_services")


def test_messages_outlive_a_stop(paths: Paths) -> None:
    with services(paths.var), redis.from_url(redis_url(paths.var)) as client:
        client.rpush("celery", "a message")
    with services(paths.var), redis.from_url(redis_url(paths.var)) as client:
        assert client.lrange("celery", 0, -1) == [b"a message"]


def test_it_has_no_port_and_drops_nothing(paths: Paths) -> None:
    with services(paths.var), redis.from_url(redis_url(paths.var)) as client:
        wanted = {"port": "0", "maxmemory-policy": "noeviction", "appendonly": "yes", "appendfsync": "everysec"}
        assert {name: client.config_get(name)[name] for name in wanted} == wanted


def test_it_comes_back_after_a_kill(paths: Paths) -> None:
    with services(paths.var), redis.from_url(redis_url(paths.var)) as client:
        client.config_set("appendfsync", "always")
        client.rpush("celery", "a message")
        before = client.info()["process_id"]
        os.kill(before, signal.SIGKILL)
        end = time.monotonic() + 10
        while not (after := _process_id(client)) or after == before:
            assert time.monotonic() < end, "valkey did not come back"
            time.sleep(0.02)
        assert client.lrange("celery", 0, -1) == [b"a message"]
    assert processes_in(paths.var) == set()


def _process_id(client: redis.Redis) -> int | None:
    try:
        return int(client.info()["process_id"])
    except (redis.ConnectionError, FileNotFoundError):
        return None


def test_a_server_left_behind_is_ended_before_the_next_one_starts(paths: Paths) -> None:
    service = valkey_service(paths)
    with subprocess.Popen([*launcher(signal.SIGTERM), *service.command], stdout=subprocess.DEVNULL) as left_behind:
        until_ready(service)
        service.prepare()
        assert left_behind.wait(5) == 0

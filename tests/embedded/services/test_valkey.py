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


def written(paths: Paths) -> None:
    """Write messages, and wait until they are in the server's file."""
    with redis.from_url(redis_url(paths.var, VALKEY_SUPERUSER)) as client:
        client.config_set("appendfsync", "always")
        client.rpush("celery", *["a message of some length"] * 100)


def damage(paths: Paths) -> bytes:
    """Overwrite 512 bytes in the middle of the server's newest file. Returns its contents."""
    (file,) = (paths.valkey / "appendonlydir").glob("*.incr.aof")
    with file.open("r+b") as opened:
        opened.seek(file.stat().st_size // 2)
        opened.write(b"\xa5" * 512)
    return file.read_bytes()


def moved_aside(paths: Paths) -> bytes:
    """The contents of the damaged file, which was moved aside once."""
    (file,) = paths.valkey.glob("appendonlydir.damaged-*/*.incr.aof")
    return file.read_bytes()


def test_a_damaged_file_is_moved_aside_at_the_next_start(paths: Paths) -> None:
    with services(paths.var):
        written(paths)
    damaged = damage(paths)

    with services(paths.var), redis.from_url(redis_url(paths.var, VALKEY_SUPERUSER)) as client:
        assert client.lrange("celery", 0, -1) == []
        assert moved_aside(paths) == damaged
        client.rpush("celery", "a later message")
    with services(paths.var), redis.from_url(redis_url(paths.var, VALKEY_SUPERUSER)) as client:
        assert client.lrange("celery", 0, -1) == [b"a later message"]

    assert moved_aside(paths) == damaged
    assert (
        "valkey ended with exit code 1; its file is damaged and was moved to" in (paths.log / "benchdb.log").read_text()
    )


@pytest.mark.parametrize("name", ["appendonly.aof.manifest", "appendonly.aof.1.base.rdb"])
def test_so_are_the_others_of_its_files(paths: Paths, name: str) -> None:
    with services(paths.var):
        written(paths)
    (paths.valkey / "appendonlydir" / name).write_bytes(bytes(range(256)) * 2)

    with services(paths.var), redis.from_url(redis_url(paths.var, VALKEY_SUPERUSER)) as client:
        assert client.lrange("celery", 0, -1) == []
    assert moved_aside(paths)


def test_so_is_one_with_a_command_that_the_server_does_not_know(paths: Paths) -> None:
    with services(paths.var):
        written(paths)
    (file,) = (paths.valkey / "appendonlydir").glob("*.incr.aof")
    content = file.read_bytes()
    assert b"RPUSH" in content
    file.write_bytes(content.replace(b"RPUSH", b"RP\xa5SH"))

    with services(paths.var), redis.from_url(redis_url(paths.var, VALKEY_SUPERUSER)) as client:
        assert client.lrange("celery", 0, -1) == []
    assert moved_aside(paths)


def test_a_file_that_is_damaged_while_the_server_runs_is_moved_aside_after_its_kill(paths: Paths) -> None:
    with services(paths.var), redis.from_url(redis_url(paths.var, VALKEY_SUPERUSER)) as client:
        written(paths)
        damaged = damage(paths)
        killed = int(client.info()["process_id"])
        os.kill(killed, signal.SIGKILL)
        wait_until(lambda: _has_successor(client, killed), PATIENCE, lambda: "valkey did not come back")
        assert client.lrange("celery", 0, -1) == []
    assert moved_aside(paths) == damaged


def test_files_that_are_not_to_blame_stay(paths: Paths) -> None:
    with services(paths.var):
        written(paths)
    service = valkey_service(paths)
    assert service.repair(1, ["Failed opening Unix socket: bind: Permission denied"]) == ""
    assert service.repair(-signal.SIGKILL, []) == ""
    assert (paths.valkey / "appendonlydir").is_dir()


def test_a_server_left_behind_is_ended_before_the_next_one_starts(paths: Paths) -> None:
    service = valkey_service(paths)
    with subprocess.Popen([*launcher(signal.SIGTERM), *service.command], stdout=subprocess.DEVNULL) as left_behind:
        until_ready(service)
        service.prepare()
        assert left_behind.wait(PATIENCE) == 0

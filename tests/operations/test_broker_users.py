"""`manage.py doctor`: who may use the broker, tried on brokers of their own."""

import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import redis

from benchdb.connections.redis_urls import cache_url, with_password
from benchdb.embedded.services.binaries import valkey_server
from benchdb.embedded.services.valkey import USERS
from benchdb.embedded.supervisor.privileges import launcher
from benchdb.operations.doctor.broker_users import broker_users
from tests.support.waiting import wait_until

PATIENCE = 20


@contextmanager
def broker(*options: str) -> Iterator[str]:
    """The address of a broker on a port of its own."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    words = [valkey_server(), "--port", str(port), "--bind", "127.0.0.1", "--save", "", *options]
    with subprocess.Popen([*launcher(signal.SIGKILL), *words], stdout=subprocess.DEVNULL) as server:
        try:
            wait_until(lambda: _answers(port), PATIENCE, lambda: "the broker does not answer")
            yield f"127.0.0.1:{port}"
        finally:
            server.terminate()


def _answers(port: int) -> bool:
    with redis.Redis(port=port) as client:
        try:
            return bool(client.ping())
        except redis.AuthenticationError:
            return True
        except redis.ConnectionError:
            return False


def found(settings: Any, url: str, own: str | None = None) -> tuple[str, str]:
    """Level and text of the check with this broker."""
    settings.REDIS_URL, settings.CACHE_URL = url, own or cache_url(url)
    (finding,) = broker_users()
    return finding.level, finding.text


def test_the_embedded_broker_is_right() -> None:
    (finding,) = broker_users()
    assert finding.level == "ok"


def test_a_broker_without_a_password_is_wrong(settings: Any) -> None:
    with broker() as address:
        level, text = found(settings, f"redis://{address}/0")
    assert (level, text.partition(":")[0]) == ("wrong", "programs without a password can use the broker")


def test_one_user_for_both_is_wrong(settings: Any) -> None:
    with broker("--requirepass", "secret") as address:
        level, text = found(settings, f"redis://:secret@{address}/0")
    assert (level, "they need two users" in text) == ("wrong", True)


@pytest.mark.parametrize("passwords", [("one", "other"), ("p@:/ %", "#\u00fc")])
def test_two_users_with_the_shipped_rules_are_right(settings: Any, tmp_path: Path, passwords: tuple[str, str]) -> None:
    for name, password in zip(("broker_password", "cache_password"), passwords, strict=True):
        (tmp_path / name).write_text(f"{password}\n")
    done = subprocess.run([USERS.with_name("users"), tmp_path], capture_output=True, text=True, check=True)
    (tmp_path / "users.acl").write_text(done.stdout)
    with broker("--aclfile", str(tmp_path / "users.acl")) as address:
        url = f"redis://celery@{address}/0"
        own = with_password(cache_url(url), passwords[1])
        assert found(settings, with_password(url, passwords[0]), own)[0] == "ok"


def test_without_a_password_no_users_are_printed(tmp_path: Path) -> None:
    (tmp_path / "broker_password").write_text("secret")
    (tmp_path / "cache_password").touch()
    done = subprocess.run([USERS.with_name("users"), tmp_path], capture_output=True, text=True, check=False)
    assert (done.returncode != 0, done.stdout, "is empty" in done.stderr) == (True, "", True)


@pytest.mark.parametrize(("mode", "level"), [("777", "wrong"), ("770", "ok")])
def test_a_socket_that_everybody_may_use_is_wrong(settings: Any, tmp_path: Path, mode: str, level: str) -> None:
    """A private one needs two users too, but no passwords."""
    rules = "user default on nopass +@all ~* &*\n" + "".join(
        f"{re.sub('[A-Z]+_PASSWORD', 'nopass', line)}\n" for line in USERS.read_text().splitlines()[1:]
    )
    (tmp_path / "users.acl").write_text(rules)
    path = tmp_path / "broker.sock"
    with broker("--aclfile", f"{tmp_path}/users.acl", "--unixsocket", str(path), "--unixsocketperm", mode):
        assert found(settings, f"unix://celery@{path}")[0] == level

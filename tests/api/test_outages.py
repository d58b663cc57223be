"""Uploads while a service is down. The server runs in another process, because settings contain the services' URLs."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import redis
from django.conf import settings
from django.db import connection

from benchagent.server.client import Patience
from benchdb.embedded.services.binaries import valkey_server
from benchdb.runs.models import Run, RunState
from tests.conftest import Upload
from tests.support.api import error_of, table_sizes
from tests.support.documents import document, encoded
from tests.support.refusing import refuse_rows
from tests.support.store import make_token, make_user
from tests.support.waiting import wait_until

DEAD_DATABASE = "postgresql://benchdb@127.0.0.1:9/benchdb"


def session_database() -> str:
    """The URL of the database of this test session."""
    place = connection.settings_dict
    password = f":{quote(place['PASSWORD'])}" if place["PASSWORD"] else ""
    host = quote(place["HOST"], safe="")
    return f"postgresql://{place['USER']}{password}@{host}:{place['PORT']}/{place['NAME']}"


def put(secret: str, sent: dict[str, Any], *, database: str, broker: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.put", secret],
        input=encoded(sent),
        env={**os.environ, "DATABASE_URL": database, "REDIS_URL": broker, "PYTHONPATH": ".:agents"},
        cwd=settings.BASE_DIR,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


@pytest.fixture(params=["no socket", "no port", "hangs", "takes nothing"])
def broker(request: pytest.FixtureRequest) -> Iterator[str]:
    """The URL of a broker that does not work."""
    away = {"no socket": "unix:///nowhere/valkey.sock", "no port": "redis://127.0.0.1:9"}
    if request.param in away:
        yield away[request.param]
        return
    with tempfile.TemporaryDirectory() as directory:
        socket = Path(directory, "socket")
        options = {"port": "0", "unixsocket": str(socket), "save": "", "maxmemory": "1"}
        command = [str(valkey_server()), *(word for name, value in options.items() for word in (f"--{name}", value))]
        with subprocess.Popen(command, cwd=directory, stdout=subprocess.DEVNULL) as server:
            try:
                wait_until(socket.exists)
                with redis.Redis(unix_socket_path=str(socket)) as client, pytest.raises(redis.ResponseError):
                    client.set("name", "value")
                if request.param == "hangs":
                    server.send_signal(signal.SIGSTOP)
                yield f"unix://{socket}"
            finally:
                server.kill()


@pytest.mark.django_db(transaction=True)
def test_without_a_broker_a_run_is_stored_soon_and_waits_for_the_sweep(broker: str) -> None:
    sent = document()

    answer = put(make_token(make_user("ada"))[1], sent, database=session_database(), broker=broker)

    assert (answer["status"], answer["body"]["state"]) == (201, "received")
    assert answer["seconds"] < Patience().timeout, "the agent has given up"
    assert RunState.objects.get(pk=sent["run_id"]).state == "received"
    assert Run.objects.get(pk=sent["run_id"]).results.count() == 3


@pytest.mark.parametrize("table", ["runs_run", "runs_result", "runs_artifact", "runs_facets"])
def test_while_the_databases_disk_is_full_the_agent_is_told_to_come_again(upload: Upload, table: str) -> None:
    before = table_sizes()
    refuse_rows(table, "disk_full")

    answer = upload(document())

    assert error_of(answer, 503)["code"] == "unavailable"
    assert int(answer["Retry-After"]) > 0
    assert table_sizes() == before


def test_without_the_database_the_agent_is_told_to_come_again() -> None:
    answer = put("secret", document(), database=DEAD_DATABASE, broker=settings.REDIS_URL)

    assert answer["status"] == 503
    assert answer["body"]["error"] == {
        "code": "unavailable",
        "message": "The database does not answer. Nothing was stored; try again later.",
        "faults": [],
    }
    assert int(answer["headers"]["Retry-After"]) > 0

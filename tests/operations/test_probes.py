"""`/healthz` and `/readyz`: with all services, and with each one down."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest
from django.conf import settings
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from tests.api.test_outages import DEAD_DATABASE, session_database
from tests.texts import missing_in

ASK = """
import json, django
HOSTS = {"/healthz": "some.where", "/readyz": "some.where", "/metrics": "localhost"}
django.setup()
from django.test import Client
answers = {path: Client().get(path, headers={"Host": host}) for path, host in HOSTS.items()}
print(json.dumps({path: [answer.status_code, answer.content.decode()] for path, answer in answers.items()}))
"""


def asked(database: str, broker: str) -> dict[str, tuple[int, str]]:
    """The status and body of the probes of a server with these services."""
    services = {"DATABASE_URL": database, "REDIS_URL": broker, "DJANGO_SETTINGS_MODULE": "benchdb.settings"}
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        env={**os.environ, **services, "PYTHONPATH": ".:agents"},
        cwd=settings.BASE_DIR,
        capture_output=True,
        check=True,
    )
    return {path: (status, body) for path, (status, body) in json.loads(done.stdout).items()}


def test_all_is_there(client: Client, db: None) -> None:
    assert client.get("/healthz").json() == {"process": "ok"}
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (200, {"database": "ok", "migrations": "ok", "broker": "ok"})
    assert client.head("/readyz").status_code == 200


def test_they_are_asked_in_plain_under_any_name(client: Client, db: None, settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    for path in ("/healthz", "/readyz"):
        assert client.get(path, headers={"Host": "10.0.0.7:8000"}).status_code == 200
        assert client.post(path).status_code == 405


def test_a_migration_that_is_missing_is_named(client: Client, db: None) -> None:
    MigrationRecorder.Migration.objects.filter(app="runs", name="0001_initial").delete()
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["migrations"]) == (503, "not applied: runs.0001_initial")


@pytest.mark.django_db(transaction=True)
def test_without_the_broker_the_process_lives_and_is_not_ready() -> None:
    answers = asked(session_database(), "redis://127.0.0.1:9")
    assert answers["/healthz"][0] == 200
    status, body = answers["/readyz"]
    assert (status, json.loads(body)) == (503, {"database": "ok", "migrations": "ok", "broker": "does not answer"})
    assert not missing_in(answers["/metrics"][1], "benchdb_broker_up 0.0", "benchdb_database_up 1.0")
    assert "benchdb_queue_messages" not in answers["/metrics"][1]


def test_without_the_database_the_process_lives_and_is_not_ready() -> None:
    answers = asked(DEAD_DATABASE, settings.REDIS_URL)
    assert answers["/healthz"][0] == 200
    status, body = answers["/readyz"]
    assert (status, json.loads(body)["database"]) == (503, "does not answer")
    assert "127.0.0.1" not in body  # its address is not for visitors
    assert not missing_in(answers["/metrics"][1], "benchdb_database_up 0.0", "benchdb_queue_messages")

"""Raw output archived in an S3-compatible server: it moves, is read, is deleted there, and the server may be away.

`make test-faults` runs this, because the server and the storage need an environment of their own (requirements/s3.in).
"""

import os
import random
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.storage import storages
from django.core.management import CommandError, call_command
from django.test import Client, override_settings

from benchdb.ingest.reparse import reparse
from benchdb.runs.models import Artifact, Run, Tombstone
from benchdb.runs.services import delete_run
from benchdb.runs.tasks import tidy_archive
from tests.support.documents import artifact, iozone_document
from tests.support.store import store_run
from tests.support.waiting import wait_until

HOME = Path(sys.prefix) / "s3"
PACKAGES = HOME / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
BUCKET = "benchdb"
KEYS = {"access_key": "tests", "secret_key": "tests"}
# Text that does not become smaller when packed, in several parts of an upload to S3 (8 MiB each).
LARGE = random.Random(1).randbytes(12_000_000).hex() + "\n"


class Server:
    """An S3-compatible server on a port of its own, whose objects are in its memory."""

    def __init__(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        """Start it without objects, and create the bucket."""
        command = [HOME / "bin" / "moto_server", "-H", "127.0.0.1", "-p", str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(self._has_a_bucket)

    def stop(self) -> None:
        """Kill it: its objects are lost."""
        self.process.kill()
        self.process.wait()

    def client(self) -> Any:
        """Another client than BenchDB's, for a look from outside."""
        import boto3
        from botocore.config import Config

        keys = {f"aws_{name}": value for name, value in (("access_key_id", "tests"), ("secret_access_key", "tests"))}
        once = Config(retries={"max_attempts": 1}, connect_timeout=2)
        return boto3.client("s3", endpoint_url=self.address, region_name="us-east-1", config=once, **keys)

    def objects(self) -> list[str]:
        """The names of the stored objects."""
        listed = self.client().list_objects_v2(Bucket=BUCKET)
        return [each["Key"] for each in listed.get("Contents", ())]

    def _has_a_bucket(self) -> bool:
        from botocore.exceptions import BotoCoreError

        try:
            self.client().create_bucket(Bucket=BUCKET)
        except BotoCoreError:
            return False
        return True


@pytest.fixture
def server(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """The archive of the test, as docs/settings.md describes it."""
    if not HOME.exists():
        pytest.fail("no .venv/s3: run make test-faults ONLY=storage")
    monkeypatch.syspath_prepend(PACKAGES)
    sys.path.append(sys.path.pop(0))  # after BenchDB's own packages
    started = Server()
    options = {"bucket_name": BUCKET, "endpoint_url": started.address, "region_name": "us-east-1", **KEYS}
    backend = {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": options}
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    with override_settings(STORAGES={**settings.STORAGES, "archive": backend}):
        yield started
    started.stop()


def run_with_texts(owner: User) -> Run:
    return store_run(owner, artifacts=[artifact("iozone.txt", "a line\n"), artifact("large.txt", LARGE)])


def test_texts_move_are_read_and_are_deleted(
    server: Server, client: Client, owner: User, record_property: Callable[[str, object], None]
) -> None:
    run, other = run_with_texts(owner), store_run(owner, iozone_document())
    parsed = str(reparse(other.id))
    addresses = [f"/api/v1/runs/{run.id}/artifacts/{name}" for name in ("iozone.txt", "large.txt")]
    before = [client.get(address).getvalue() for address in addresses]
    assert before[1] == LARGE.encode()

    call_command("archive", older_than=0)
    assert not Artifact.objects.filter(archived=None).exists()
    assert set(server.objects()) == set(Artifact.objects.values_list("archived", flat=True))
    assert [client.get(address).getvalue() for address in addresses] == before
    assert str(reparse(other.id)) == parsed

    run_id = run.id
    delete_run(run)
    tidy_archive()
    assert Tombstone.objects.get(pk=run_id).archived is None
    assert set(server.objects()) == set(Artifact.objects.values_list("archived", flat=True))
    record_property("result", f"{len(before) + 1} texts of up to {len(LARGE) / 1e6:.0f} MB moved, read, deleted")


def test_a_server_that_is_away_or_has_lost_its_objects(
    server: Server, client: Client, owner: User, record_property: Callable[[str, object], None]
) -> None:
    run = run_with_texts(owner)
    raw = f"/runs/{run.id}/raw/iozone.txt"
    server.stop()
    with pytest.raises(CommandError, match="0 texts had moved; the rest is where it was"):
        call_command("archive", older_than=0)
    assert client.get(raw).status_code == 200

    server.start()
    call_command("archive", older_than=0)
    server.stop()
    assert client.get(raw).status_code == 503
    assert client.get(f"/runs/{run.id}/").status_code == 200
    assert b"archive" in str(reparse(run.id)).encode()

    server.start()  # empty
    assert client.get(raw).status_code == 503
    record_property("result", "the server killed twice; nothing left the database before it was there")


def test_an_object_that_somebody_changed(server: Server, client: Client, owner: User) -> None:
    run = run_with_texts(owner)
    call_command("archive", older_than=0)
    name = Artifact.objects.get(name="iozone.txt").archived
    server.client().put_object(Bucket=BUCKET, Key=name, Body=os.urandom(100))
    assert client.get(f"/runs/{run.id}/raw/iozone.txt").status_code == 503
    assert storages["archive"].exists(name)

"""What most tests start from: a user, a token, and a way to upload. Documents are made by `tests.support.documents`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import hypothesis
import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client, override_settings

from benchdb.celery import app
from tests.support.caches import empty_caches
from tests.support.documents import encoded
from tests.support.store import make_token, make_user

# Property tests judge results, not speed: a busy machine must not fail them. In CI the same commit gets the same
# examples; new ones are found where a person works, who can look at them.
hypothesis.settings.register_profile("untimed", deadline=None, derandomize=os.environ.get("CI") == "true")
hypothesis.settings.load_profile("untimed")

# WhiteNoise looks for it where a test file imports the WSGI application.
Path(settings.STATIC_ROOT).mkdir(parents=True, exist_ok=True)

Upload = Callable[..., HttpResponse]


@pytest.fixture(scope="session", autouse=True)
def settings_of_tests() -> Iterator[None]:
    """What differs from a server: static files need not be collected first; cache and queue are this session's own.

    An earlier session left counters in the cache for tokens 1, 2, …; ours begin at 1 again. No worker runs.
    """
    app.conf.task_default_queue = f"test-{uuid4()}"
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    changed = {
        "CACHES": empty_caches(),
        "ADDRESS_RATE": "1000000/h",
    }  # all tests come from one address; those of limits count by day
    with override_settings(STORAGES={**settings.STORAGES, "staticfiles": plain}, **changed):
        yield
    with app.connection_for_write() as connection:
        connection.default_channel.queue_delete(app.conf.task_default_queue)


@pytest.fixture
def owner(db: None) -> User:
    """The user whose runs most tests store."""
    return make_user("ada")


@pytest.fixture
def secret(owner: User) -> str:
    """What stands after `Bearer ` in an upload of `owner`."""
    return make_token(owner)[1]


@pytest.fixture
def upload(client: Client, secret: str) -> Upload:
    """`upload(document)` sends it as an agent of `owner` does and gives the answer.

    `secret`, `run_id`, `body`, `content_type` and `headers` stand in for what the document and `owner` say.
    """

    def send(
        document: dict[str, Any],
        *,
        secret: str = secret,
        run_id: object = None,
        body: bytes | None = None,
        content_type: str = "application/json",
        headers: dict[str, str] | None = None,
    ) -> HttpResponse:
        address = f"/api/v1/runs/{run_id or document['run_id']}"
        data = encoded(document) if body is None else body
        headers = {"Authorization": f"Bearer {secret}", **(headers or {})}
        return client.put(address, data, content_type, headers=headers)

    return send

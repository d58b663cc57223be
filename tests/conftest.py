"""Fixtures of most tests: a user, a token, and a way to upload. `tests.support.documents` makes the documents."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import hypothesis
import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.http import HttpResponse
from django.test import Client, override_settings

from benchdb.celery import app, workers
from tests.support.caches import empty_caches
from tests.support.documents import encoded
from tests.support.store import compute_waiting, make_token, make_user
from tests.support.stores.template import template

# Property tests are about results, not speed: a busy machine must not make them fail. In CI the same commit gets the
# same examples; new ones appear on developers' machines, where somebody can look at them.
hypothesis.settings.register_profile("untimed", deadline=None, derandomize=os.environ.get("CI") == "true")
hypothesis.settings.load_profile("untimed")

# WhiteNoise requires this directory when a test file imports the WSGI application.
Path(settings.STATIC_ROOT).mkdir(parents=True, exist_ok=True)

Upload = Callable[..., HttpResponse]


@pytest.fixture(scope="session", autouse=True)
def settings_of_tests() -> Iterator[None]:
    """Settings unlike a server's: no static files need to be collected, and the session has its own cache and queue.

    An earlier session's counters in the cache would apply to this session's tokens 1, 2, …. There is no worker.
    """
    app.conf.task_default_queue = f"celery-test-{uuid4()}"
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    changed = {
        "CACHES": empty_caches(),
        "ADDRESS_RATE": "1000000/h",
        "WORK_RATE": "1000000/h",
        "PASSWORD_HASHERS": ["tests.support.store.QuickHasher"],
    }  # all tests use one address; tests of limits count by day
    with override_settings(STORAGES={**settings.STORAGES, "staticfiles": plain}, **changed):
        yield
    with app.connection_for_write() as connection:
        for queue in workers().values():
            connection.default_channel.queue_delete(queue)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None, django_db_blocker: Any) -> None:
    """Have pytest-django's databases copied from one that is migrated once."""
    with django_db_blocker.unblock():
        connection.settings_dict["TEST"]["TEMPLATE"] = template()


@pytest.fixture
def owner(db: None) -> User:
    """The user who owns the runs of most tests."""
    return make_user("ada")


@pytest.fixture
def ada(client: Client, owner: User) -> Client:
    """The browser of the owner, signed in."""
    client.force_login(owner)
    return client


@pytest.fixture
def secret(owner: User) -> str:
    """The secret of a token of `owner` that may upload."""
    return make_token(owner)[1]


@pytest.fixture
def upload(client: Client, secret: str) -> Upload:
    """`upload(document)` sends a document as an agent of `owner` does and returns the answer.

    Then it computes what waits for its statistics, as a worker does, unless `computed` is False. `secret`, `run_id`,
    `body`, `content_type` and `headers` replace those of the document and `owner`.
    """

    def send(
        document: dict[str, Any],
        *,
        secret: str = secret,
        run_id: object = None,
        body: bytes | None = None,
        content_type: str = "application/json",
        headers: dict[str, str] | None = None,
        computed: bool = True,
    ) -> HttpResponse:
        address = f"/api/v1/runs/{run_id or document['run_id']}"
        data = encoded(document) if body is None else body
        headers = {"Authorization": f"Bearer {secret}", **(headers or {})}
        answer = client.put(address, data, content_type, headers=headers)
        if computed:
            compute_waiting()
        return answer

    return send

"""Simultaneous uploads and deletions on separate database connections."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test import Client

from benchdb.catalog.models import Environment, Target
from benchdb.catalog.services import keep_environment, keep_target
from benchdb.runs.models import Run
from tests.support.api import table_sizes
from tests.support.documents import document, encoded, iozone_document
from tests.support.store import id_of, make_token, make_user, store_run
from tests.support.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def put(secret: str, sent: dict[str, Any]) -> int:
    headers = {"Authorization": f"Bearer {secret}"}
    answer = Client().put(f"/api/v1/runs/{sent['run_id']}", encoded(sent), "application/json", headers=headers)
    return answer.status_code


@pytest.fixture
def ada() -> User:
    return make_user("ada")


@pytest.fixture
def secret(ada: User) -> str:
    return make_token(ada)[1]


def test_the_same_document_sent_at_once_makes_one_run(secret: str) -> None:
    sent = iozone_document()

    assert sorted(at_once([lambda: put(secret, sent)] * 4)) == [200, 200, 200, 201]
    sizes = table_sizes()
    assert (sizes["runs.Run"], sizes["runs.Result"], sizes["runs.Artifact"]) == (1, 396, 1)


def test_different_documents_of_one_id_sent_at_once_make_one_run(secret: str) -> None:
    sent = document()
    others = [{**sent, "labels": {"number": str(i)}} for i in range(4)]

    statuses = at_once([lambda other=other: put(secret, other) for other in others])

    assert sorted(statuses) == [201, 409, 409, 409]
    assert Run.objects.get().runstate.labels == others[statuses.index(201)]["labels"]


def test_one_environment_sent_at_once_is_stored_once(secret: str) -> None:

    assert at_once([lambda: put(secret, document())] * 6) == [201] * 6
    sizes = table_sizes()
    assert (sizes["runs.Run"], sizes["catalog.Environment"], sizes["catalog.Target"], sizes["catalog.Machine"]) == (
        6,
        1,
        1,
        1,
    )


def test_an_upload_does_not_wait_for_another_of_the_same_snapshots(ada: User, secret: str) -> None:
    """Each of two uploads that wait for a snapshot that the other has locked would be a deadlock."""
    store_run(ada, sent_with=id_of(secret))
    sent = document()

    def put_soon() -> int:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '5s'")
        return put(secret, sent)

    with transaction.atomic():
        keep_environment(ada, Environment.objects.get().facts)
        keep_target(ada, Target.objects.get().facts)
        assert (Environment.objects.count(), Target.objects.count()) == (1, 1)

        assert at_once([put_soon]) == [201]


def test_the_last_run_of_an_environment_may_go_while_another_comes(ada: User, secret: str) -> None:
    def delete(run: Run) -> int:
        headers = {"Authorization": f"Bearer {secret}"}
        return Client().delete(f"/api/v1/runs/{run.pk}", headers=headers).status_code

    for _ in range(5):
        run, sent = store_run(ada, sent_with=id_of(secret)), document()

        assert at_once([lambda run=run: delete(run), lambda sent=sent: put(secret, sent)]) == [204, 201]

        assert delete(Run.objects.get(pk=sent["run_id"])) == 204
        sizes = table_sizes()
        assert (sizes["runs.Run"], sizes["catalog.Environment"], sizes["catalog.Target"]) == (0, 0, 0)


def test_a_run_that_is_deleted_while_it_is_sent_again_stays_deleted(ada: User, secret: str) -> None:
    headers = {"Authorization": f"Bearer {secret}"}
    for _ in range(5):
        sent = document()
        store_run(ada, sent, sent_with=id_of(secret))
        address = f"/api/v1/runs/{sent['run_id']}"

        deleted, again = at_once(
            [
                lambda address=address: Client().delete(address, headers=headers).status_code,
                lambda sent=sent: put(secret, sent),
            ]
        )

        assert deleted == 204
        assert again in (200, 410)
        assert Run.objects.count() == 0

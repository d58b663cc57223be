"""`PUT` and `DELETE /api/v1/runs/ID/withdrawal`."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client

from benchdb.ingest.models import Scope
from benchdb.runs.models import Run
from benchdb.runs.services import delete_run, withdraw
from tests.support.api import error_of
from tests.support.store import make_token, make_user, store_run


def send(client: Client, method: str, run: Run, secret: str | None, body: Any = None) -> HttpResponse:
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    body = {"reason": "the disk was failing"} if body is None else body
    return getattr(client, method)(f"/api/v1/runs/{run.id}/withdrawal", body, "application/json", headers=headers)


def test_it_is_withdrawn_and_counts_again(client: Client, owner: User, secret: str) -> None:
    run = store_run(owner)

    assert send(client, "put", run, secret).status_code == 204
    assert client.get(f"/api/v1/runs/{run.id}").json()["withdrawn"]["reason"] == "the disk was failing"
    assert send(client, "delete", run, secret).status_code == 204
    assert client.get(f"/api/v1/runs/{run.id}").json()["withdrawn"] is None


@pytest.mark.parametrize("method", ["put", "delete"])
def test_only_a_token_of_the_owner_that_may_upload(client: Client, owner: User, method: str) -> None:
    run = store_run(owner)
    reading, foreign = make_token(owner, Scope.READ)[1], make_token(make_user("eve"))[1]

    error_of(send(client, method, run, None), 401)
    error_of(send(client, method, run, reading), 403)
    error_of(send(client, method, run, foreign), 404)
    assert Run.objects.with_context().get().runstate.withdrawn_at is None


@pytest.mark.parametrize("body", [{}, {"reason": ""}, {"reason": "x" * 201}, {"reason": "a\x00b"}, {"reason": 7}])
def test_a_reason_that_is_none_is_422(client: Client, owner: User, secret: str, body: Any) -> None:
    assert error_of(send(client, "put", store_run(owner), secret, body), 422)["faults"]


def test_a_deleted_run_is_410(client: Client, owner: User, secret: str) -> None:
    run = store_run(owner)
    delete_run(Run.objects.get())

    error_of(send(client, "put", run, secret), 410)


@pytest.mark.parametrize("method", ["put", "delete"])
def test_a_decision_of_a_maintainer_holds(client: Client, owner: User, secret: str, method: str) -> None:
    run = store_run(owner)
    withdraw(run, "invented", by_staff=True)

    assert "A maintainer has withdrawn this run." in error_of(send(client, method, run, secret), 403)["message"]
    assert client.get(f"/api/v1/runs/{run.id}").json()["withdrawn"]["reason"] == "invented"

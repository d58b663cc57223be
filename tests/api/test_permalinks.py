"""`POST /api/v1/permalinks`."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client

from benchdb.compare.models import Permalink
from benchdb.ingest.models import Scope
from tests.support.api import error_of
from tests.support.comparisons import compared_runs, ids, surface_run, unknown_id
from tests.support.store import make_token, make_user


def post(client: Client, secret: str | None, body: Any) -> HttpResponse:
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    return client.post("/api/v1/permalinks", body, "application/json", headers=headers)


@pytest.fixture
def reading(owner: User) -> str:
    """A token of `owner` that may read."""
    return make_token(owner, Scope.READ)[1]


@pytest.mark.parametrize("kind", ["table", "surface"])
def test_it_freezes_and_says_where(client: Client, owner: User, reading: str, kind: str) -> None:
    query = ids(compared_runs(owner)) if kind == "table" else f"run={surface_run(owner).id}"

    answer = post(client, reading, {"query": query, "kind": kind})

    assert answer.status_code == 201
    link = answer.json()
    assert link["url"] == f"http://testserver/c/{link['id']}/"
    assert client.get(link["url"]).status_code == 200
    assert client.get(link["url"].rstrip("/") + ".json").json()["schema"] == f"benchdb.{kind}/1"


def test_the_same_again_is_200_with_the_same_address(client: Client, owner: User, reading: str) -> None:
    body = {"query": ids(compared_runs(owner))}

    first, second = post(client, reading, body), post(client, reading, body)

    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json() == second.json()


def test_private_runs_are_refused_by_name_unless_agreed(client: Client, owner: User, reading: str) -> None:
    runs = compared_runs(owner, visibility="private")

    error = error_of(post(client, reading, {"query": ids(runs)}), 409)
    assert {fault["value"] for fault in error["faults"]} == {str(run.id) for run in runs}
    assert not Permalink.objects.exists()
    assert post(client, reading, {"query": ids(runs), "share_private": True}).status_code == 201


def test_it_belongs_to_the_tokens_owner(client: Client, owner: User, reading: str) -> None:
    link = post(client, reading, {"query": ids(compared_runs(owner))}).json()

    assert Permalink.objects.get(pk=link["id"]).owner == owner


def test_nobody_freezes_what_they_may_not_see(client: Client, owner: User) -> None:
    _, foreign = make_token(make_user("eve"), Scope.READ)
    query = ids(compared_runs(owner, visibility="private"))

    error_of(post(client, foreign, {"query": query, "share_private": True}), 404)


def test_it_takes_a_token_that_may_read(client: Client, owner: User, secret: str) -> None:
    body = {"query": ids(compared_runs(owner))}

    error_of(post(client, None, body), 401)
    error_of(post(client, "bdb_unknown", body), 401)
    error_of(post(client, secret, body), 403)  # it may only upload


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"query": "rows=test&metric=speed"}, 422),
        ({"query": ""}, 422),
        ({"query": "", "kind": "surface"}, 422),
        ({"query": "", "kind": "song"}, 422),
        ({"query": 7}, 422),
        ({}, 422),
        ({"query": f"run={unknown_id()}"}, 404),
        ("{", 400),
    ],
)
def test_what_cannot_be_frozen_has_its_fault(client: Client, reading: str, body: Any, status: int) -> None:
    assert error_of(post(client, reading, body), status)["message"]

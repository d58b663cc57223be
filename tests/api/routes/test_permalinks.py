"""`POST /api/v1/permalinks`."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client

from benchdb.compare.models import Permalink
from benchdb.ingest.models import Scope
from benchdb.runs.models import Visibility
from benchdb.runs.services import limit_visibility
from tests.support.api import error_of
from tests.support.comparing.comparisons import compared_runs, ids, surface_run, unknown_id
from tests.support.comparing.responses import response_runs
from tests.support.store import make_token, make_user


def post(client: Client, secret: str | None, body: Any) -> HttpResponse:
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    return client.post("/api/v1/permalinks", body, "application/json", headers=headers)


@pytest.fixture
def reading(owner: User) -> str:
    """A token of `owner` that may read."""
    return make_token(owner, Scope.READ)[1]


@pytest.mark.parametrize(
    ("kind", "schema"),
    [
        ("table", "benchdb.table/3"),
        ("surface", "benchdb.surface/2"),
        ("trend", "benchdb.trend/1"),
        ("response", "benchdb.response/1"),
    ],
)
def test_it_freezes_and_says_where(client: Client, owner: User, reading: str, kind: str, schema: str) -> None:
    runs = {"table": compared_runs, "response": response_runs}.get(kind, lambda owner: [surface_run(owner)])
    query = ids(runs(owner))

    answer = post(client, reading, {"query": query, "kind": kind})

    assert answer.status_code == 201
    link = answer.json()
    assert link["url"] == f"http://testserver/c/{link['id']}/"
    assert client.get(link["url"]).status_code == 200
    assert client.get(link["url"].rstrip("/") + ".json").json()["schema"] == schema


def test_the_same_again_is_200_with_the_same_address(client: Client, owner: User, reading: str) -> None:
    body = {"query": ids(compared_runs(owner))}

    first, second = post(client, reading, body), post(client, reading, body)

    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json() == second.json()


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_runs_that_are_not_public_are_refused_by_name_unless_agreed(
    client: Client, owner: User, reading: str, visibility: str
) -> None:
    runs = compared_runs(owner, visibility=visibility)

    error = error_of(post(client, reading, {"query": ids(runs)}), 409)
    assert {fault["value"] for fault in error["faults"]} == {str(run.id) for run in runs}
    assert not Permalink.objects.exists()
    agreed = {"query": ids(runs), "share_private": True}
    error_of(post(client, reading, agreed), 403)  # the token may only read
    assert not Permalink.objects.exists()
    assert post(client, make_token(owner, Scope.READ, Scope.UPLOAD)[1], agreed).status_code == 201


@pytest.mark.parametrize("visibility", [Visibility.UNLISTED, Visibility.PRIVATE])
def test_what_a_maintainer_has_hidden_nobody_shares(client: Client, owner: User, visibility: Visibility) -> None:
    runs = compared_runs(owner)
    body, secret = {"query": ids(runs), "share_private": True}, make_token(owner, Scope.READ, Scope.UPLOAD)[1]
    call(client, "delete", f"/{post(client, secret, body).json()['id']}", secret)
    limit_visibility([runs[1].pk], visibility)

    said = f"A maintainer has hidden run {runs[1].pk}: it cannot be shared."
    assert [fault["expected"] for fault in error_of(post(client, secret, body), 422)["faults"]] == [said]
    assert not Permalink.objects.filter(revoked_at=None).exists()


def test_it_belongs_to_the_tokens_owner(client: Client, owner: User, reading: str) -> None:
    link = post(client, reading, {"query": ids(compared_runs(owner))}).json()

    assert Permalink.objects.get(pk=link["id"]).owner == owner


def test_nobody_freezes_what_they_may_not_see(client: Client, owner: User) -> None:
    _, foreign = make_token(make_user("eve"), Scope.READ, Scope.UPLOAD)
    query = ids(compared_runs(owner, visibility="private"))

    error_of(post(client, foreign, {"query": query, "share_private": True}), 404)


def test_it_takes_a_token_that_may_read(client: Client, owner: User, secret: str) -> None:
    body = {"query": ids(compared_runs(owner))}

    error_of(post(client, None, body), 401)
    error_of(post(client, "bdb_unknown", body), 401)
    error_of(post(client, secret, body), 403)  # the token may only upload


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"query": "rows=test&metric=speed"}, 422),
        ({"query": ""}, 422),
        ({"query": "", "kind": "surface"}, 422),
        ({"query": "", "kind": "song"}, 422),
        ({"query": "&".join(f"k{i}=1" for i in range(1001))}, 422),
        ({"query": 7}, 422),
        ({}, 422),
        ({"query": f"run={unknown_id()}"}, 404),
        ("{", 400),
    ],
)
def test_what_cannot_be_frozen_has_its_fault(client: Client, reading: str, body: Any, status: int) -> None:
    assert error_of(post(client, reading, body), status)["message"]


def call(client: Client, method: str, path: str, secret: str | None) -> HttpResponse:
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    return getattr(client, method)(f"/api/v1/permalinks{path}", headers=headers)


def test_ones_own_are_listed_the_newest_first(client: Client, owner: User, reading: str) -> None:
    made = [post(client, reading, {"query": ids(compared_runs(owner))}).json() for _ in range(3)]
    other = make_token(make_user("eve"), Scope.READ)[1]

    listed = call(client, "get", "", reading).json()

    assert [link["id"] for link in listed["permalinks"]] == [link["id"] for link in reversed(made)]
    assert listed["next"] is None
    before = listed["permalinks"][0]["created_at"].replace("+", "%2B")
    assert len(call(client, "get", f"?before={before}", reading).json()["permalinks"]) == 2
    assert call(client, "get", "", other).json()["permalinks"] == []
    assert call(client, "get", "?before=2026-01-01T00:00:00-23:59", reading).json()["permalinks"] == []
    for before in ("2026-11-01T00:00:00", "9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00%2B23:59"):
        error_of(call(client, "get", f"?before={before}", reading), 422)


def test_one_is_revoked_and_shared_again(client: Client, owner: User, reading: str, secret: str) -> None:
    body = {"query": ids(compared_runs(owner))}
    link = post(client, reading, body).json()

    assert [call(client, "delete", f"/{link['id']}", secret).status_code for _ in range(2)] == [204, 204]
    assert client.get(link["url"]).status_code == 410
    assert call(client, "get", "", reading).json()["permalinks"][0]["revoked_at"]
    error_of(post(client, reading, body), 403)  # a token that may only read cannot restore a revoked permalink
    assert client.get(link["url"]).status_code == 410
    assert post(client, make_token(owner, Scope.READ, Scope.UPLOAD)[1], body).json() == link
    assert client.get(link["url"]).status_code == 200


def test_only_its_owner_revokes_it(client: Client, owner: User, reading: str, secret: str) -> None:
    link = post(client, reading, {"query": ids(compared_runs(owner))}).json()
    other = make_token(make_user("eve"), Scope.UPLOAD)[1]

    error_of(call(client, "delete", f"/{link['id']}", None), 401)
    error_of(call(client, "delete", f"/{link['id']}", reading), 403)
    error_of(call(client, "delete", f"/{link['id']}", other), 404)
    assert client.get(link["url"]).status_code == 200


@pytest.mark.parametrize("path", ["/nothing", "/%00", "/aaaaaaaaaaaaaaaa", f"/{'a' * 100_000}"])
def test_what_is_not_there_is_404(client: Client, secret: str, path: str) -> None:
    error_of(call(client, "delete", path, secret), 404)

"""`/api/v1/status`, the progress of the server's work for staff, and `/api/v1/token`."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from benchagent.formats import PARSER_VERSION
from benchdb.ingest.models import Scope
from benchdb.stats import STATISTICS_VERSION
from tests.support.api import error_of
from tests.support.store import computed_before, make_token, make_user, store_run


def test_staff_see_it_with_a_token_or_a_session(client: Client, owner: User) -> None:
    computed_before([store_run(owner)])
    store_run(owner)
    staff = make_user("root", is_staff=True)
    expected = {
        "runs": 2,
        "states": {"received": 0, "computing": 0, "ready": 2, "failed": 0},
        "statistics": {"version": STATISTICS_VERSION, "done": 1, "outdated": 1},
        "parsers": {"version": PARSER_VERSION, "unread": 2, "refused": 0},
    }

    headers = {"Authorization": f"Bearer {make_token(staff, Scope.READ)[1]}"}
    assert client.get("/api/v1/status", headers=headers).json() == expected
    client.force_login(staff)
    assert client.get("/api/v1/status").json() == expected


def test_others_do_not(client: Client, owner: User) -> None:
    error_of(client.get("/api/v1/status"), 401)
    error_of(client.get("/api/v1/status", headers={"Authorization": "Bearer bdb_x"}), 401)
    client.force_login(owner)
    error_of(client.get("/api/v1/status"), 403)


@pytest.mark.parametrize("scope", list(Scope))
def test_a_token_of_any_scope_is_told_what_it_may_do(client: Client, owner: User, scope: Scope) -> None:
    token, secret = make_token(owner, scope)
    answer = client.get("/api/v1/token", headers={"Authorization": f"Bearer {secret}"})
    assert answer.status_code == 200
    assert answer.json() == {"name": token.name, "scopes": [scope.value], "expires_at": None}
    assert secret not in answer.content.decode()


def test_when_it_expires_is_said(client: Client, owner: User) -> None:
    _, secret = make_token(owner, expires_at=timezone.now() + timedelta(days=1))
    assert client.get("/api/v1/token", headers={"Authorization": f"Bearer {secret}"}).json()["expires_at"] is not None


@pytest.mark.parametrize("authorization", [None, "Bearer bdb_unknown", "Bearer ", "Basic eDp5"])
def test_without_a_valid_token_it_is_401(client: Client, db: None, authorization: str | None) -> None:
    headers = {} if authorization is None else {"Authorization": authorization}
    error_of(client.get("/api/v1/token", headers=headers), 401)


def test_a_token_that_has_ended_is_401(client: Client, owner: User) -> None:
    _, secret = make_token(owner, expires_at=timezone.now() - timedelta(seconds=1))
    error_of(client.get("/api/v1/token", headers={"Authorization": f"Bearer {secret}"}), 401)

"""`GET /api/v1/token`: the scopes and expiry of a token."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from benchdb.ingest.models import Scope
from tests.support.api import error_of
from tests.support.store import make_token


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

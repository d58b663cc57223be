"""Signing in with a password does the same work for every name, so that its time does not tell which accounts exist."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.support.html import read
from tests.support.store import QuickHasher, make_user

HASHED: list[str] = []


class CountingHasher(QuickHasher):
    """Notes each password that it hashes, which takes a third of a second on a server."""

    def encode(self, password: str, salt: str, iterations: int | None = None) -> str:
        HASHED.append(password)
        return super().encode(password, salt, iterations)


@pytest.fixture(autouse=True)
def accounts(db: None, settings: Any) -> None:
    settings.PASSWORD_HASHERS = [f"{__name__}.CountingHasher"]
    make_user("ada", password="correct-horse-9")
    make_user("closed", password="correct-horse-9", is_active=False)
    make_user("of-a-provider")
    User.objects.create_superuser("root", password="correct-horse-9")
    HASHED.clear()


@pytest.mark.parametrize("name", ["ada", "ADA", "closed", "of-a-provider", "root", "publications"])
def test_every_name_is_one_hash_and_one_answer(name: str) -> None:
    answers = [
        read(Client().post("/login/", {"username": sent, "password": "wrong-horse-1"}), 200).text
        for sent in (name, "nobody")
    ]
    assert len(HASHED) == 2, "one for each of both"
    assert answers[0] == answers[1]

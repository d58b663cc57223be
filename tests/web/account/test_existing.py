"""Accounts of an earlier version: passwords, second factors, recovery codes, OpenID links and tokens still count."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from benchdb.identity.models import Identity
from benchdb.identity.services import confirmed_address
from tests.support.caches import empty_caches
from tests.web.account.test_second_factor import CODE, code_of, is_signed_in, sign_in
from tests.web.sign_in.hostile_provider import Hostile
from tests.web.sign_in.test_provider import ended
from tests.web.sign_in.test_provider import provider as provider  # a fixture
from tests.web.sign_in.test_provider import server as server  # one, too

DUMP = Path(__file__).with_name("accounts.sql")
ISSUER = "http://127.0.0.1:33583"  # of the provider in the dump
TOKEN = "bdb_liRGf432BEaDsBLUfZ4CrGtn_DUGODS5rpq0kuW1aIs"
USED, UNUSED = "sa34-m3lx", "QRTB-64zn"


@pytest.fixture
def accounts(provider: Hostile, settings: Any) -> None:
    """The accounts of the dump, which a provider of today signs in."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]
    settings.CACHES = empty_caches()
    with connection.cursor() as cursor:
        cursor.execute(DUMP.read_text().replace(ISSUER, provider.issuer))
        cursor.execute("SELECT setval('identity_identity_id_seq', 1000)")  # rows of the dump have the first ids
    connected = {"user": User.objects.get(username="ada"), "issuer": provider.issuer, "subject": "18"}
    Identity.objects.create(**connected)  # as she does on the account page
    import_module("benchdb.identity.migrations.0003_confirmed_addresses").confirm_addresses(apps, None)


def test_each_way_to_sign_in_still_works(accounts: None, provider: Hostile) -> None:
    for name in ("ada", "grace"):
        client = Client()
        sign_in(client, name)
        assert is_signed_in(client)
    client = Client()
    ended(client, provider, sub="17")
    assert client.session["_auth_user_id"] == str(User.objects.get(username="mary").pk)
    assert client.get("/api/v1/token", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200


@pytest.mark.parametrize(("code", "status"), [("", 302), (UNUSED, 302), (USED, 422), ("000000", 422)])
def test_the_second_factor_is_still_asked_for(accounts: None, code: str, status: int) -> None:
    client, hedy = Client(), User.objects.get(username="hedy")
    assert sign_in(client, "hedy")["Location"] == CODE
    assert client.post(CODE, {"code": code or code_of(hedy)}).status_code == status
    assert is_signed_in(client) == (status == 302)


def test_addresses_that_their_owners_have_not_proved_are_not_confirmed(accounts: None) -> None:
    found = {user.username: confirmed_address(user) for user in User.objects.all()}
    assert found == {"ada": "", "grace": "grace@example.org", "hedy": "", "mary": "mary@example.org"}

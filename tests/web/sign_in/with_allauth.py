"""What accounts by django-allauth keep of our guarantees. Not collected; docs/why-own-accounts.md has the command.

Each test says what our own pages do, so each failure is a guarantee that the library does not keep by its settings.
"""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import include, path

from benchdb.urls import urlpatterns as ours
from tests.support.caches import empty_caches
from tests.web.sign_in import test_provider
from tests.web.sign_in.hostile_provider import CLIENT, SECRET, Hostile
from tests.web.sign_in.test_provider import HOSTILE, begun, is_signed_in
from tests.web.sign_in.test_provider import server as server  # a fixture

urlpatterns = [path("allauth/", include("allauth.urls")), *ours]
START = "/allauth/oidc/site/login/"
FORM = {"login": "ada", "password": "correct-horse-9"}


@pytest.fixture
def provider(server: Hostile, settings: Any, db: None, monkeypatch: pytest.MonkeyPatch) -> Hostile:
    monkeypatch.setattr(test_provider, "START", START)
    of_site = {"server_url": server.issuer, "fetch_userinfo": False}  # otherwise the user info of anybody counts
    app = {"provider_id": "site", "name": "Site", "client_id": CLIENT, "secret": SECRET, "settings": of_site}
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"OAUTH_PKCE_ENABLED": True, "APPS": [app]}}
    settings.CACHES = empty_caches()
    server.metadata = {}
    return server


@pytest.mark.parametrize("name", [*(name for name in HOSTILE if "user info" not in name), "of another issuer"])
def test_a_bad_answer_signs_nobody_in(name: str, client: Client, provider: Hostile) -> None:
    client.raise_request_exception = False
    carried = begun(client)
    HOSTILE.get(name, Hostile.says)(provider, carried.get("nonce", "none was sent"))
    more = {} if name in HOSTILE else {"iss": "https://evil.example"}
    status = client.get(f"{START}callback/", {"code": "x", "state": carried["state"], **more}).status_code
    assert (is_signed_in(client), status < 500) == (False, True)


def test_nothing_is_stored_before_the_link_of_a_mail_is_opened(client: Client, db: None) -> None:
    client.post("/allauth/signup/", {"username": "eve", "email": "eve@example.org", "password1": FORM["password"]})
    assert not User.objects.exists()


def test_passwords_count_while_the_cache_is_away(client: Client, db: None, settings: Any) -> None:
    User.objects.create_user("ada", password=FORM["password"])
    settings.CACHES = {
        **settings.CACHES,
        "default": {**settings.CACHES["default"], "LOCATION": "redis://127.0.0.1:9/0"},
    }
    assert client.post("/login/", {**FORM, "username": "ada"}).status_code == 302, "ours"
    assert Client(raise_request_exception=False).post("/allauth/login/", FORM).status_code == 302

"""Sign-in by a header of a proxy, which nobody else may send."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from gunicorn.config import Config

from tests.support.html import read
from tests.support.store import make_token, make_user

PROXY = "10.0.7.9"


@pytest.fixture
def behind(settings: Any, db: None) -> None:
    settings.REMOTE_USER, settings.REMOTE_USER_PROXIES = "X-Remote-User", "127.0.0.1,10.0.7.0/24"


def from_proxy(client: Client, name: str, path: str = "/account/", address: str = PROXY) -> Any:
    return client.get(path, headers={"X-Remote-User": name}, REMOTE_ADDR=address)


def named(client: Client) -> str | None:
    """The account of the session."""
    number = client.session.get("_auth_user_id")
    return User.objects.get(pk=number).username if number else None


def test_without_the_setting_the_header_means_nothing(client: Client, db: None) -> None:
    make_user("ada")
    assert from_proxy(client, "ada", address="127.0.0.1").status_code == 302
    assert named(client) is None


@pytest.mark.usefixtures("behind")
@pytest.mark.parametrize("address", ["192.0.2.1", "10.0.8.1", "::1", "", "unix"])
def test_a_header_of_anybody_else_is_dropped(
    address: str, client: Client, caplog: pytest.LogCaptureFixture, settings: Any
) -> None:
    make_user("ada")
    settings.PROXIES = 1
    answer = client.get("/account/", headers={"X-Remote-User": "ada", "X-Forwarded-For": PROXY}, REMOTE_ADDR=address)
    assert (answer.status_code, named(client)) == (302, None)
    assert "was ignored" in caplog.text


@pytest.mark.usefixtures("behind")
def test_the_session_is_always_that_of_the_header(client: Client) -> None:
    ada, eve = make_user("ada"), make_user("eve")
    assert "Sign out" not in read(from_proxy(client, "ada")).text
    first = client.session.session_key
    from_proxy(client, "ada", "/runs/")
    assert client.session.session_key == first
    from_proxy(client, "eve", "/runs/", address="::ffff:10.0.7.9")
    assert named(client) == "eve"
    assert client.session.session_key != first
    client.get("/runs/", REMOTE_ADDR=PROXY)
    assert named(client) is None, "the proxy names nobody any more"

    client.force_login(ada)  # with a password
    client.get("/runs/", REMOTE_ADDR=PROXY)
    assert named(client) == "ada"
    from_proxy(client, "eve", "/runs/", address="192.0.2.1")
    assert named(client) == "ada"
    assert eve.has_usable_password() is False


@pytest.mark.usefixtures("behind")
def test_accounts_are_made_only_if_the_site_wants_it(client: Client, settings: Any) -> None:
    make_user("ada")
    assert from_proxy(client, "grace").status_code == 403
    settings.REMOTE_USER_ACCOUNTS = "create"
    assert from_proxy(client, "grace").status_code == 200
    for name in ("ADA", "deleted-7", "publications", "ada,eve", "a b", "x" * 151, "ada\u202e"):
        assert from_proxy(Client(), name).status_code == 403, name
    assert set(User.objects.values_list("username", flat=True)) == {"ada", "grace"}
    User.objects.update(is_active=False)
    assert from_proxy(Client(), "grace").status_code == 403


@pytest.mark.usefixtures("behind")
def test_tokens_and_shared_pages_ignore_it(client: Client) -> None:
    make_user("eve")
    _, secret = make_token(make_user("ada"))
    headers = {"X-Remote-User": "eve", "Authorization": f"Bearer {secret}"}
    assert client.get("/api/v1/token", headers=headers, REMOTE_ADDR=PROXY).status_code == 200
    assert named(client) is None
    new = Client()
    from_proxy(new, "eve", "/c/aaaaaaaaaaaaaaaa/")
    assert named(new) is None


@pytest.mark.usefixtures("behind")
@pytest.mark.parametrize("name", ["eve", ""])
def test_a_shared_page_is_not_answered_as_the_account_before(client: Client, name: str) -> None:
    make_user("ada"), make_user("eve")
    from_proxy(client, "ada")
    answer = from_proxy(client, name, "/c/aaaaaaaaaaaaaaaa/")
    assert (named(client) or "", "ada" in read(answer, 404).text) == (name, False)
    assert answer["Cache-Control"] == "private, no-cache", "it changes the cookie"
    assert "Cache-Control" not in Client().get("/c/aaaaaaaaaaaaaaaa/", REMOTE_ADDR=PROXY)


@pytest.mark.usefixtures("behind")
def test_a_wsgi_variable_is_no_header(client: Client, settings: Any) -> None:
    settings.REMOTE_USER, settings.REMOTE_USER_PROXIES = "REMOTE_USER", ""
    make_user("ada")
    client.get("/account/", headers={"Remote-User": "ada"}, REMOTE_ADDR=PROXY)
    assert named(client) is None
    client.get("/account/", REMOTE_USER="ada")
    assert named(client) == "ada"


def test_our_web_server_drops_headers_that_look_like_others() -> None:
    """`X_Remote_User` becomes the same WSGI variable as `X-Remote-User`, which a proxy overwrites."""
    assert Config().header_map == "drop"

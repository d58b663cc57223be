"""Answers of an OpenID provider that must sign nobody in, and what accounts and sessions become if one is good.

`tests/browser/test_sign_in.py` signs in with a real provider.
"""

import base64
import json
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from django_otp.plugins.otp_totp.models import TOTPDevice
from joserfc import jwt
from joserfc.jwk import OctKey

from benchdb.identity.models import Identity
from benchdb.identity.services import confirmed_address
from benchdb.web.account.leaving import leave
from benchdb.web.sign_in import provider as provider_module
from tests.support.caches import empty_caches
from tests.support.html import read
from tests.support.store import make_user
from tests.web.sign_in.hostile_provider import CLIENT, OTHER_KEY, SECRET, Hostile, hostile

START, CALLBACK = "/login/provider/", "/login/provider/callback/"


@pytest.fixture(scope="module")
def server() -> Iterator[Hostile]:
    with hostile() as chosen:
        yield chosen


@pytest.fixture
def provider(server: Hostile, settings: Any, db: None) -> Hostile:
    server.metadata, server.user_info, server.token = {}, {}, (200, "{}")
    settings.OIDC_ISSUER, settings.OIDC_LABEL = server.issuer, "Example login"
    settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET = CLIENT, SECRET
    settings.CACHES = empty_caches()
    return server


def begun(client: Client, query: str = "") -> dict[str, str]:
    """Start a sign-in; what the browser carries to the provider."""
    answer = client.get(START + query)
    assert answer.status_code == 302, answer.content
    return {name: values[0] for name, values in parse_qs(urlsplit(answer["Location"]).query).items()}


def ended(client: Client, provider: Hostile, query: str = "", **claims: Any) -> Any:
    """Sign in with these claims."""
    carried = begun(client, query)
    provider.says(carried["nonce"], **claims)
    return client.get(CALLBACK, {"code": "secret-code", "state": carried["state"]})


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_without_a_provider_there_is_no_address_of_it(client: Client, db: None) -> None:
    for address in (START, CALLBACK, "/logout/done/", "/logout/provider/"):
        assert client.get(address).status_code == 404
    assert b"Continue with" not in client.get("/login/").content


def test_the_start_has_pkce_state_and_nonce(client: Client, provider: Hostile) -> None:
    carried, again = begun(client), begun(client)
    assert (carried["code_challenge_method"], carried["redirect_uri"]) == ("S256", f"http://testserver{CALLBACK}")
    assert carried["scope"] == "openid profile email"
    elsewhere = client.get(START, headers={"host": "testserver:6666"})["Location"]
    assert "6666" not in elsewhere
    for name in ("state", "nonce", "code_challenge"):
        assert len(carried[name]) >= 20
        assert carried[name] != again[name]


def test_a_good_answer_makes_an_account_once(client: Client, provider: Hostile) -> None:
    before = client.session.session_key
    answer = ended(client, provider, "?next=/account/", email="grace@example.org", email_verified=True)
    assert (answer.status_code, answer["Location"]) == (302, "/account/")
    assert client.session.session_key != before
    user = User.objects.get(username="grace")
    assert (confirmed_address(user), user.has_usable_password(), user.is_staff) == ("grace@example.org", False, False)

    ended(Client(), provider, preferred_username="renamed")
    assert User.objects.count() == 1
    ended(Client(), provider, sub="18", email="eve@example.org")
    assert User.objects.get(username="grace-2").email == "", "only verified addresses count"
    ended(Client(), provider, sub="19", email="eve@example.org\nBcc: ada@example.org", email_verified=True)
    assert User.objects.get(username="grace-3").email == "", "and only addresses"


def unsigned(claims: dict[str, Any]) -> str:
    parts = (json.dumps(part).encode() for part in ({"alg": "none"}, claims))
    return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts) + "."


def claims_of(provider: Hostile, nonce: str) -> dict[str, Any]:
    now = int(time.time())
    return {"iss": provider.issuer, "aud": CLIENT, "sub": "17", "nonce": nonce, "iat": now, "exp": now + 300}


NOW = int(time.time())
HOSTILE: dict[str, Callable[[Hostile, str], None]] = {
    "another audience": lambda provider, nonce: provider.says(nonce, aud="another-site"),
    "another audience among several": lambda provider, nonce: provider.says(nonce, aud=[CLIENT, "x"], azp="x"),
    "no audience": lambda provider, nonce: provider.says(nonce, aud=None),
    "another issuer": lambda provider, nonce: provider.says(nonce, iss="https://evil.example"),
    "another nonce": lambda provider, nonce: provider.says("of another sign-in"),
    "no nonce": lambda provider, nonce: provider.says(nonce, nonce=None),
    "expired": lambda provider, nonce: provider.says(nonce, exp=NOW - 600),
    "from the future": lambda provider, nonce: provider.says(nonce, iat=NOW + 7200, exp=NOW + 7500),
    "another key": lambda provider, nonce: provider.says(nonce, key=OTHER_KEY),
    "no subject": lambda provider, nonce: provider.says(nonce, sub=None),
    "an empty subject": lambda provider, nonce: provider.says(nonce, sub=""),
    "a long subject": lambda provider, nonce: provider.says(nonce, sub="x" * 256),
    "a subject with a NUL": lambda provider, nonce: provider.says(nonce, sub="a\0b"),
    "no signature": lambda provider, nonce: provider.sends(unsigned(claims_of(provider, nonce))),
    "the secret as key": lambda provider, nonce: provider.sends(
        jwt.encode({"alg": "HS256"}, claims_of(provider, nonce), OctKey.import_key(SECRET))
    ),
    "no token": lambda provider, nonce: provider.sends("x"),
    "no ID token": lambda provider, nonce: setattr(provider, "token", (200, '{"access_token": "a"}')),
    "an endless token": lambda provider, nonce: setattr(provider, "token", (200, '{"expires_in": 1e400}')),
    "a list": lambda provider, nonce: setattr(provider, "token", (200, "[]")),
    "no JSON": lambda provider, nonce: setattr(provider, "token", (200, "<html>")),
    "a wrong secret": lambda provider, nonce: setattr(provider, "token", (401, '{"error": "invalid_client"}')),
    "another one's user info": lambda provider, nonce: (
        provider.user_info.update(sub="18", preferred_username="root"),  # type: ignore[func-returns-value]
        provider.says(nonce, preferred_username=None),
    )[1],
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_bad_answer_signs_nobody_in(
    name: str, client: Client, provider: Hostile, caplog: pytest.LogCaptureFixture
) -> None:
    carried = begun(client)
    HOSTILE[name](provider, carried["nonce"])
    answer = client.get(CALLBACK, {"code": "secret-code", "state": carried["state"]})
    assert "The answer of Example login was not accepted" in read(answer, 502).text
    assert not is_signed_in(client)
    assert not User.objects.exists()
    assert "sign-in refused" in caplog.text
    assert "secret" not in caplog.text + answer.content.decode()


@pytest.mark.parametrize(
    ("token", "status"), [((500, "{}"), 503), ((400, '{"error": "invalid_grant"}'), 400), ((429, "{}"), 502)]
)
def test_a_provider_that_fails_signs_nobody_in(
    token: tuple[int, str], status: int, client: Client, provider: Hostile
) -> None:
    carried = begun(client)
    provider.token = token
    assert client.get(CALLBACK, {"code": "secret-code", "state": carried["state"]}).status_code == status
    assert not is_signed_in(client)


def test_metadata_of_another_issuer_are_refused(client: Client, provider: Hostile) -> None:
    provider.metadata = {"issuer": "https://evil.example"}
    assert client.get(START).status_code == 502


@pytest.mark.parametrize("algorithms", [[], ["none"], ["HS256"]])
def test_a_provider_without_a_good_signature_signs_nobody_in(
    algorithms: list[str], client: Client, provider: Hostile, caplog: pytest.LogCaptureFixture
) -> None:
    provider.metadata = {"id_token_signing_alg_values_supported": algorithms}
    assert client.get(START).status_code == 502
    assert "the provider signs with none of the algorithms that this site takes" in caplog.text


@pytest.mark.parametrize("name", provider_module.ADDRESSES)
def test_metadata_without_addresses_are_not_kept(name: str, client: Client, provider: Hostile) -> None:
    provider.metadata = {name: None}
    assert client.get(START).status_code == 502
    provider.metadata = {}
    assert client.get(START).status_code == 302


def test_a_state_counts_once_in_its_session_for_its_issuer(client: Client, provider: Hostile) -> None:
    carried = begun(client)
    provider.says(carried["nonce"])
    answer = {"code": "secret-code", "state": carried["state"]}
    asked = len(provider.requests)
    for wrong in ({}, {"code": "secret-code"}, {**answer, "state": "guessed"}):
        assert client.get(CALLBACK, wrong).status_code == 400
    assert Client().get(CALLBACK, answer).status_code == 400, "of another browser"
    assert len(provider.requests) == asked, "the provider sees none of these"
    assert client.get(CALLBACK, answer).status_code == 302
    assert client.get(CALLBACK, answer).status_code == 400, "used"
    other = begun(client)
    assert client.get(CALLBACK, {**answer, "state": other["state"], "iss": "https://evil.example"}).status_code == 502
    assert client.get(CALLBACK, {"error": "access_denied", "state": begun(client)["state"]}).status_code == 403
    assert client.get(CALLBACK, {"error": "server_error", "state": begun(client)["state"]}).status_code == 502


def test_a_session_keeps_few_states_the_newest(client: Client, provider: Hostile) -> None:
    states = [begun(client, f"?next=/{'x' * 3000}")["state"] for _ in range(provider_module.MOST_STATES + 2)]
    kept = [key for key in dict(client.session) if key.startswith("_state_")]
    assert kept == [f"_state_oidc_{state}" for state in states[2:]]
    assert (len(str(dict(client.session))) < 15_000, client.session.get_expiry_age()) == (True, 3600)


def test_guessed_answers_are_limited_like_wrong_passwords(client: Client, provider: Hostile, settings: Any) -> None:
    settings.LOGIN_RATE = "2/h"
    assert [client.get(CALLBACK, {"code": "x", "state": "guessed"}).status_code for _ in range(3)] == [400, 400, 429]
    assert client.get(START).status_code == 429
    assert client.post("/login/", {"username": "ada", "password": "x"}).status_code == 429


@pytest.mark.parametrize("status", [400, 500])
def test_answers_that_the_provider_fails_at_are_limited(
    status: int, client: Client, provider: Hostile, settings: Any
) -> None:
    settings.LOGIN_RATE, provider.token = "2/h", (status, '{"error": "invalid_request"}')
    answers = [client.get(CALLBACK, {"code": "", "state": begun(client)["state"]}).status_code for _ in range(3)]
    assert answers == [502 if status == 400 else 503] * 2 + [429]
    assert client.post("/login/", {"username": "ada", "password": "x"}).status_code != 429


@pytest.mark.parametrize("address", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:x"])
def test_a_sign_in_leads_to_no_other_site(address: str, client: Client, provider: Hostile) -> None:
    carried = begun(client, f"?next={address}")
    provider.says(carried["nonce"])
    assert client.get(CALLBACK, {"code": "c", "state": carried["state"]})["Location"] == "/runs/"


def test_accounts_are_not_made_if_the_site_wants_none(client: Client, provider: Hostile, settings: Any) -> None:
    settings.OIDC_ACCOUNTS = "connected"
    assert (ended(client, provider).status_code, User.objects.count()) == (403, 0)
    settings.OIDC_ACCOUNTS, settings.NEW_ROLE = "create", "viewer"
    ended(client, provider)
    assert User.objects.get().groups.get().name == "viewer"


def test_neither_name_nor_address_joins_an_account(client: Client, provider: Hostile) -> None:
    make_user("ada", email="ada@example.org")
    ended(client, provider, preferred_username="ADA", email="ada@example.org", email_verified=True)
    assert Identity.objects.get(subject="17").user.username == "ADA-2"


def test_connecting_needs_the_password_and_the_form(client: Client, provider: Hostile) -> None:
    ada = User.objects.create_user("ada", password="correct-horse-9")
    client.force_login(ada)
    ended(client, provider, "?for=connecting", sub="evil")  # a link of another site, without the form
    assert not ada.identities.exists()

    client.force_login(ada)
    answer = client.post("/account/provider/connect/", {"password": "correct-horse-9"})
    assert answer["Refresh"] == "0; url=/login/provider/?for=connecting"
    assert ended(client, provider, "?for=connecting", sub="17")["Location"] == "/account/"
    assert ada.identities.get().subject == "17"
    client.post("/account/provider/connect/", {"password": "correct-horse-9"})
    assert ended(client, provider, "?for=connecting", sub="evil").status_code == 409, "another account has it"

    client.post("/account/provider/disconnect/")
    assert not ada.identities.exists()
    assert Client(enforce_csrf_checks=True).post("/account/provider/connect/").status_code == 403


def test_the_only_way_to_sign_in_cannot_be_disconnected(client: Client, provider: Hostile) -> None:
    ended(client, provider)
    client.post("/account/provider/disconnect/")
    assert Identity.objects.count() == 1
    leave(User.objects.get())
    assert not Identity.objects.exists()


def test_a_closed_account_stays_closed_and_a_second_factor_is_asked_for(client: Client, provider: Hostile) -> None:
    ended(client, provider)
    TOTPDevice.objects.create(user=User.objects.get(), confirmed=True)
    fresh = Client()
    assert ended(fresh, provider, "?next=/account/")["Location"] == "/login/code/"
    assert not is_signed_in(fresh)
    User.objects.update(is_active=False)
    assert ended(fresh, provider).status_code == 403


def test_metadata_are_kept_and_one_thread_waits_for_them(client: Client, provider: Hostile) -> None:
    provider.requests.clear()
    assert [begun(client)["client_id"] for _ in range(2)] == [CLIENT, CLIENT]
    assert provider.requests == ["/.well-known/openid-configuration"]
    cache.delete(f"oidc:{provider.issuer}")
    with provider_module._answering:
        assert client.get(START).status_code == 503
    with provider_module._waiting, provider_module._waiting:  # others do not even wait for their turn
        assert client.get(START).status_code == 503
    assert client.get(START).status_code == 302


def test_signing_out_names_the_session_at_the_provider(client: Client, provider: Hostile) -> None:
    ended(client, provider)
    assert client.post("/logout/")["Location"] == "/logout/done/"
    assert client.get("/logout/provider/").status_code == 404, "it has no such page"
    provider.metadata = {"end_session_endpoint": f"{provider.issuer}/end"}
    cache.delete(f"oidc:{provider.issuer}")  # five minutes later
    there = urlsplit(client.get("/logout/provider/")["Location"])
    assert (there.path, parse_qs(there.query)["client_id"]) == ("/end", [CLIENT])
    client.force_login(User.objects.get())
    assert client.post("/logout/")["Location"] == "/runs/"


def test_of_requests_that_read_a_session_at_once_one_uses_its_state(client: Client, provider: Hostile) -> None:
    answer = {"error": "access_denied", "state": begun(client)["state"]}
    session = client.session
    assert client.get(CALLBACK, answer).status_code == 403
    session.save()  # as the others have read it
    assert client.get(CALLBACK, answer).status_code == 400

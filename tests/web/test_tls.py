"""A site behind a proxy with TLS: addresses, cookies, redirects. The settings are those of BENCHDB_TLS=1."""

from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from tests.support.store import make_token, store_run
from tests.web.test_agent import commands

HTTPS = {"Host": "localhost", "X-Forwarded-Proto": "https"}


@pytest.fixture
def behind_tls(settings: Any) -> None:
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    settings.SECURE_SSL_REDIRECT = settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    settings.SECURE_HSTS_SECONDS = 31536000


@pytest.mark.usefixtures("behind_tls")
def test_django_finds_nothing_wrong_with_the_deployment() -> None:
    call_command("check", deploy=True, fail_level="WARNING")


def test_without_it_nothing_is_redirected_and_no_header_is_believed(client: Client, db: None) -> None:
    assert settings.SECURE_PROXY_SSL_HEADER is None
    answer = client.get("/agent/", headers=HTTPS)
    assert answer.status_code == 200
    assert commands(answer)["fetch"].startswith("curl -fsSO http://localhost/")
    assert "Strict-Transport-Security" not in answer


@pytest.mark.usefixtures("behind_tls")
def test_addresses_on_pages_and_of_the_api_begin_with_https(client: Client, owner: User) -> None:
    run = store_run(owner)
    _, secret = make_token(owner, "read")
    lines = commands(client.get("/agent/", headers=HTTPS))
    assert lines["fetch"] == "curl -fsSO https://localhost/agent/benchagent.pyz"
    assert lines["run"].endswith(" --server https://localhost")
    page = client.get("/api/", headers=HTTPS).content.decode()
    assert "https://localhost/" in page
    assert "http://localhost" not in page
    answer = client.get(f"/api/v1/runs/{run.id}", headers={**HTTPS, "Authorization": f"Bearer {secret}"})
    assert answer.json()["url"] == f"https://localhost/runs/{run.id}/"


@pytest.mark.usefixtures("behind_tls")
def test_cookies_and_browsers_stay_with_tls(client: Client, owner: User) -> None:
    owner.set_password("correct horse")
    owner.save()
    answer = client.post("/login/", {"username": "ada", "password": "correct horse"}, headers=HTTPS)
    assert answer.cookies["sessionid"]["secure"]
    assert answer.cookies["sessionid"]["httponly"]
    assert answer["Strict-Transport-Security"] == "max-age=31536000"


@pytest.mark.usefixtures("behind_tls")
@pytest.mark.parametrize("headers", [{}, {"X-Forwarded-Proto": "http"}])
def test_who_comes_in_plain_is_sent_to_tls(client: Client, headers: dict[str, str]) -> None:
    answer = client.get("/runs/?tool=iozone", headers=headers)
    assert (answer.status_code, answer["Location"]) == (301, "https://testserver/runs/?tool=iozone")

"""Common properties of all pages: errors, signing in and out, headers against foreign scripts."""

import re
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError
from django.http import HttpRequest
from django.test import Client, RequestFactory, override_settings
from django.urls import reverse

from benchdb import __version__
from benchdb.web import views
from tests.support.comparing.comparisons import compared_runs, ids, surface_run
from tests.support.html import read
from tests.support.store import make_user
from tests.texts import missing_in

DESCRIPTION = re.compile(r'<meta name="description" content="([^"]*)">')
CANONICAL = re.compile(r'<link rel="canonical" href="([^"]*)">')


def every_page(owner: User) -> list[str]:
    """An address of every kind of page."""
    runs, surface = compared_runs(owner), surface_run(owner)
    return [
        "/runs/",
        "/runs/?q=nothing",
        f"/runs/{runs[0].id}/",
        f"/runs/{runs[0].id}/results/0/",
        f"/runs/{runs[0].id}/raw/iozone.txt",
        "/compare/",
        f"/compare/?{ids(runs)}",
        f"/surface/?run={surface.id}",
        "/login/",
        "/agent/",
    ]


def test_no_page_has_an_inline_script_or_style(ada: Client, owner: User) -> None:
    for address in every_page(owner):
        html = ada.get(address, follow=True).content.decode()
        assert not re.search(r"<script(?![^>]*\b(src=|type=\"application/json\"))", html), address
        assert not re.search(r"<[^>]+\son[a-z]+=", html), address
        assert not re.search(r"<[^>]+\sstyle=", html), address


def test_every_page_forbids_foreign_scripts_and_frames(client: Client, owner: User) -> None:
    for address in every_page(owner):
        policy = client.get(address)["Content-Security-Policy"]
        assert "default-src 'self'" in policy
        assert "script-src" not in policy  # so default-src applies to scripts
        assert "frame-ancestors 'none'" in policy


def test_every_page_names_its_version(client: Client, owner: User) -> None:
    for address in every_page(owner):
        assert f"BenchDB {__version__}" in read(client.get(address)).text


def test_pages_with_many_cells_are_compressed(client: Client, owner: User) -> None:
    run = surface_run(owner)

    answer = client.get(f"/runs/{run.id}/", headers={"Accept-Encoding": "gzip"})

    assert answer["Content-Encoding"] == "gzip"


def test_nothing_at_an_address_is_404(client: Client, db: None) -> None:
    page = read(client.get("/nothing/"), 404)

    assert not missing_in(page.text, "There is nothing at this address that you may see", "private and not yours")
    assert page.links["All runs"] == "/runs/"


def test_the_api_answers_errors_in_its_own_shape(client: Client) -> None:
    answer = client.get("/api/v1/nothing")

    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


def test_a_form_without_its_token_is_403(owner: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)

    assert "The form was not accepted" in read(client.post("/share/", {"query": "run=1"}), 403).text


@pytest.mark.parametrize("path", ["/runs/", "/api/v1/runs"])
def test_a_failure_answers_without_the_database(path: str) -> None:
    class Broken(HttpRequest):
        user: Any = property(lambda self: (_ for _ in ()).throw(OperationalError("gone")))

    request = Broken()
    request.path = request.path_info = path
    answer = views.server_error(request)

    assert answer.status_code == 500
    assert b"gone" not in answer.content
    assert (b"server_error" in answer.content) == path.startswith("/api/")


def test_other_errors_have_their_page() -> None:
    request = RequestFactory().get("/runs/")
    request.user = User()  # type: ignore[attr-defined]
    for view, status in ((views.bad_request, 400), (views.forbidden, 403)):
        assert view(request, ValueError()).status_code == status


def test_signing_in_leads_back_to_the_page(client: Client, owner: User) -> None:
    owner.set_password("correct horse")
    owner.save()
    address = read(client.get("/runs/?tool=iozone")).links["Sign in"]

    wrong = read(client.post(address, {"username": "ada", "password": "battery"}))
    answer = client.post(address, {"username": "ada", "password": "correct horse", "next": "/runs/?tool=iozone"})

    assert "Wrong user name or password." in wrong.text
    assert answer["Location"] == "/runs/?tool=iozone"
    assert "ada" in read(client.get("/runs/")).text


def test_signing_in_leads_to_no_other_site(client: Client, owner: User) -> None:
    owner.set_password("correct horse")
    owner.save()
    form = {"username": "ada", "password": "correct horse", "next": "https://example.com/"}

    assert client.post("/login/", form)["Location"] == reverse("runs")


def test_signing_out(ada: Client) -> None:
    assert ada.post("/logout/")["Location"] == "/runs/"
    assert "Sign in" in read(ada.get("/runs/")).links


def test_a_comparison_has_its_whole_selection_as_address(client: Client, owner: User) -> None:
    query = ids(compared_runs(owner))
    first = CANONICAL.findall(client.get(f"/compare/?{query}").content.decode())
    chosen = CANONICAL.findall(client.get(f"/compare/?{query}&cell=0-1-0").content.decode())

    assert first == chosen
    assert CANONICAL.findall(client.get(unescape(first[0]).removeprefix("http://testserver")).content.decode()) == first


@pytest.mark.django_db
def test_a_site_for_accounts_describes_nothing_before_the_sign_in(client: Client) -> None:
    make_user("ada")
    with override_settings(READERS="accounts"):
        for path in ("/c/aaaaaaaaaaaaaaaa/", "/c/aaaaaaaaaaaaaaaa/card.png"):
            response = client.get(path, follow=True)
            assert response.redirect_chain[0][0].startswith("/login/")
            html = response.content.decode()
            assert DESCRIPTION.findall(html) == ["Sign in to BenchDB, a database of file system benchmarks."]
            assert "og:" not in html
        refused = client.get("/oembed?url=http://testserver/c/aaaaaaaaaaaaaaaa/")
        assert (refused.status_code, refused["Content-Type"]) == (401, "text/plain")

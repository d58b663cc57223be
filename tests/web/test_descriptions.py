"""Every page has a description and a canonical address for search engines and previews."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import unquote

import pytest
from django.contrib.auth.models import User
from django.test import Client, override_settings

from tests.browser.pages import CASES, Case
from tests.browser.support.filled import fill
from tests.browser.support.serving import EVERY_WAY
from tests.support.comparing.comparisons import compared_runs, ids
from tests.support.store import make_user

DESCRIPTION = re.compile(r'<meta name="description" content="([^"]*)">')
CANONICAL = re.compile(r'<link rel="canonical" href="([^"]*)">')
LONGEST = 500  # characters; the names of disks and machines are in some
WITHOUT = {"permalink-embed"}  # noindex, in frames of other pages


def faults_of(case: Case, html: str, path: str) -> Iterator[str]:
    descriptions, addresses = DESCRIPTION.findall(html), CANONICAL.findall(html)
    if len(descriptions) != 1 or not 15 < len(unescape(descriptions[0])) < LONGEST:
        yield f"{case.name}: description {descriptions}"
    if case.status >= 400:
        if addresses:
            yield f"{case.name}: canonical address of an error"
        return
    if len(addresses) != 1:
        yield f"{case.name}: canonical {addresses}"
    elif not unquote(unescape(addresses[0])).startswith(f"http://testserver{unquote(path.partition('?')[0])}"):
        yield f"{case.name}: canonical {addresses[0]} of {path}"


@pytest.mark.django_db
@override_settings(ROOT_URLCONF="tests.browser.support.urls", **EVERY_WAY)
def test_every_page_has_a_description_and_one_address() -> None:
    stored, client = fill(), Client(raise_request_exception=False)
    faults = []
    for case in CASES:
        client.logout()
        if case.reader:
            client.force_login(User.objects.get(username=case.reader))
        path = case.path.format(**stored)
        response = client.get(path)
        assert response.status_code == case.status, case
        if case.view not in WITHOUT:
            faults += faults_of(case, response.content.decode(), path)

    assert faults == []


@pytest.mark.django_db
def test_a_comparison_has_its_whole_selection_as_address(client: Client, owner: User) -> None:
    query = ids(compared_runs(owner))
    first = CANONICAL.findall(client.get(f"/compare/?{query}").content.decode())
    chosen = CANONICAL.findall(client.get(f"/compare/?{query}&cell=0-1-0").content.decode())

    assert first == chosen
    again = CANONICAL.findall(client.get(unescape(first[0]).removeprefix("http://testserver")).content.decode())
    assert again == first


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

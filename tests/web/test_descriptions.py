"""The descriptions and addresses of comparisons and of the sign-in page; test_every_page.py has those of all pages."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client, override_settings

from tests.support.comparing.comparisons import compared_runs, ids
from tests.support.store import make_user

DESCRIPTION = re.compile(r'<meta name="description" content="([^"]*)">')
CANONICAL = re.compile(r'<link rel="canonical" href="([^"]*)">')


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

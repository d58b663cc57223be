"""`/docs/`: every file of the documentation is a page, and every link of these pages leads somewhere."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from django.contrib.auth.models import User
from django.contrib.staticfiles import finders
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import resolve

from benchdb.web.docs.files import address, files
from tests.docs import pages as sources
from tests.support.html import Page, read
from tests.texts import missing_in

ROOT = Path(__file__).resolve().parents[3]
EVERY = pytest.mark.parametrize("name", files(), ids=lambda name: name or "index")


@cache
def page_at(path: str) -> Page:
    return read(Client().get(path))


def attributes(page: Page, name: str) -> list[str]:
    return [value for _, each in page.elements if (value := each.get(name))]


def test_every_file_is_a_page() -> None:
    assert {path.relative_to(ROOT).as_posix() for path in files().values()} == {
        path for path in map(sources.name, sources.PAGES) if path.startswith("docs/")
    }


@pytest.mark.django_db
@EVERY
def test_its_links_and_anchors_lead_somewhere(name: str) -> None:
    here = address(name)
    ids = attributes(page_at(here), "id")
    assert len(ids) == len(set(ids))
    dead = []
    for href in attributes(page_at(here), "href"):
        if urlsplit(href).netloc or href.startswith("mailto:"):
            continue
        path, anchor = urldefrag(urljoin(here, href))
        if path.startswith("/static/"):
            continue
        resolve(urlsplit(path).path)  # raises for an address that is none
        if path.startswith("/docs/") and anchor and anchor not in attributes(page_at(path), "id"):
            dead.append(href)
    assert dead == []


@pytest.mark.django_db
@EVERY
def test_its_pictures_are_there(name: str) -> None:
    found = attributes(page_at(address(name)), "src")
    assert [src for src in found if not finders.find(src.removeprefix("/static/"))] == []


@EVERY
def test_its_source_has_no_html_but_comments(name: str) -> None:
    tokens = sources.tokens(files()[name])
    inline = [child for token in tokens for child in token.children or ()]
    html = [token.content.strip() for token in (*tokens, *inline) if token.type in ("html_block", "html_inline")]
    assert [text for text in html if not re.fullmatch(r"<!--.*-->", text, re.DOTALL)] == []


@pytest.mark.django_db
@EVERY
def test_no_comment_of_its_source_shows(name: str, client: Client) -> None:
    html = client.get(address(name)).content.decode()
    assert missing_in(html, "skip: next", "<!--") == ["skip: next", "<!--"]


@pytest.mark.django_db
@EVERY
def test_its_links_to_other_files_become_links(name: str) -> None:
    hrefs = attributes(page_at(address(name)), "href")
    targets = [sources.target(files()[name], link) for link in sources.links(files()[name]) if "://" not in link]
    by_file = {path: page for page, path in files().items()}
    assert {
        address(by_file[path], anchor) for path, anchor in targets if path in by_file and path != files()[name]
    } <= {*hrefs}


@pytest.mark.django_db
def test_a_page_needs_no_query(client: Client, owner: User) -> None:
    with CaptureQueriesContext(connection) as queries:
        for name in files():
            assert client.get(address(name)).status_code == 200
    assert len(queries) == 0
    client.force_login(owner)
    for path in ("/docs/", "/docs/statistics/"):
        with CaptureQueriesContext(connection) as queries:
            client.get(path)
        assert len(queries) == 3, "the session, its user, and the groups of the user"


@pytest.mark.django_db
def test_a_reader_who_has_the_page_gets_no_second_copy(client: Client, owner: User) -> None:
    tag = client.get("/docs/tutorial/")["ETag"]

    assert client.get("/docs/tutorial/", headers={"If-None-Match": tag}).status_code == 304
    assert client.get("/docs/statistics/", headers={"If-None-Match": tag}).status_code == 200
    client.force_login(owner)
    assert client.get("/docs/tutorial/", headers={"If-None-Match": tag}).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path", ["/docs/nothing/", "/docs/README/", "/docs/../settings/", "/docs/howto/", "/docs/tutorial.md/"]
)
def test_other_addresses_are_404(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.django_db
def test_every_page_of_the_site_leads_to_the_documentation(client: Client) -> None:
    links = read(client.get("/runs/")).links

    assert (links["Docs"], links["Tutorial"], links["Glossary"]) == ("/docs/", "/docs/tutorial/", "/docs/glossary/")


def test_the_image_contains_the_files() -> None:
    assert "COPY docs docs" in (ROOT / "Dockerfile").read_text().splitlines()

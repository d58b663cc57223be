"""Every page has a description and an address for search engines and previews, and leads to its documentation."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from html import unescape
from typing import Any
from urllib.parse import unquote, urldefrag

import pytest
from django.contrib.auth.models import User
from django.test import Client, override_settings

from tests.browser.pages import CASES, Case
from tests.browser.support.filled import fill
from tests.browser.support.serving import EVERY_WAY
from tests.support.html import parse, read
from tests.support.stores.shared import shared
from tests.web.test_pages import CANONICAL, DESCRIPTION

LONGEST = 500  # characters; the names of disks and machines are in some
WITHOUT = {"permalink-embed"}  # noindex, in frames of other pages

# Case of `tests/browser/pages.py` → the page of the documentation that it leads to.
HELP = {
    "import": ("/docs/import/", "/docs/formats/"),
    "queue a plan": ("/docs/plans/",),
    "API": ("/docs/api/",),
    "surface": ("/docs/surfaces/",),
    "permalink to a surface": ("/docs/surfaces/", "/docs/permalinks/"),
    "trend": ("/docs/trends/#change-points",),
    "comparison, different in everything": ("/docs/guard/",),
    "own permalinks": ("/docs/permalinks/",),
    "account": ("/docs/howto/add-machine/",),
    "agent": ("/docs/howto/add-machine/",),
}

pytestmark = pytest.mark.django_db
# Each test has every fourth page, because all of them take eight seconds.
PARTS = pytest.mark.parametrize("part", range(4))


@dataclass
class Pages:
    """All pages of a store. Each is made for the first test that asks for it."""

    stored: dict[str, str]
    made: dict[Case, str] = field(default_factory=dict)

    def path(self, case: Case) -> str:
        return case.path.format(**self.stored)

    def html(self, case: Case) -> str:
        if case not in self.made:
            client = Client(raise_request_exception=False)
            if case.reader:
                client.force_login(User.objects.get(username=case.reader))
            answer = client.get(self.path(case))
            assert answer.status_code == case.status, case
            self.made[case] = answer.content.decode()
        return self.made[case]


@pytest.fixture(scope="module")
def pages(django_db_setup: None, django_db_blocker: Any) -> Iterator[Pages]:
    """Pages with objects of every kind, for all tests of this file."""
    with (
        override_settings(ROOT_URLCONF="tests.browser.support.urls", **EVERY_WAY),
        shared(django_db_blocker, fill) as stored,
    ):
        yield Pages(stored)


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


@PARTS
def test_every_page_has_a_description_and_one_address(pages: Pages, part: int) -> None:
    shown = [(case, pages.html(case)) for case in CASES[part::4]]
    described = [(case, html) for case, html in shown if case.view not in WITHOUT]
    assert [fault for case, html in described for fault in faults_of(case, html, pages.path(case))] == []


@cache
def ids_of(path: str) -> set[str | None]:
    """The anchors of a page of the documentation."""
    return {attributes.get("id") for _, attributes in read(Client().get(path)).elements}


@PARTS
def test_every_help_link_of_every_page_leads_to_a_heading(pages: Pages, part: int) -> None:
    for case in CASES[part::4]:
        elements = parse(pages.html(case)).elements
        hrefs = {attributes.get("href") or "" for tag, attributes in elements if tag == "a"}
        assert hrefs >= {*HELP.get(case.name, ())}, case
        for path, anchor in (urldefrag(href) for href in hrefs if href.startswith("/docs/")):
            assert not anchor or anchor in ids_of(path), (case, path, anchor)
            assert ids_of(path)


def test_every_help_is_of_a_page() -> None:
    assert {*HELP} <= {case.name for case in CASES}

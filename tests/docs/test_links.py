"""Every link of the documentation works, and the index links to every page."""

import re
from pathlib import Path

import pytest

from tests.docs.pages import INDEX, PAGES, ROOT, anchors, inline, links, name, target

pytestmark = pytest.mark.parametrize("page", PAGES, ids=name)
OUTSIDE = ("https://", "http://", "mailto:")
MENTIONED = re.compile(r"^docs/[\w/.-]+\.md$")


def test_every_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    dead = []
    for address in links(page):
        if address.startswith(OUTSIDE):
            continue
        path, anchor = target(page, address)
        if not path.exists() or (anchor and path.suffix == ".md" and anchor not in anchors(path)):
            dead.append(address)
    assert dead == []


def test_every_page_that_is_named_is_there(page: Path) -> None:
    named = [token.content for token in inline(page) if token.type == "code_inline" and MENTIONED.match(token.content)]
    assert [path for path in named if not (ROOT / path).is_file()] == []


def test_the_index_leads_to_it(page: Path) -> None:
    reached = {target(INDEX, address)[0] for address in links(INDEX)} | {INDEX}
    assert page in reached


def test_a_picture_says_what_it_shows(page: Path) -> None:
    assert [token.attrs["src"] for token in inline(page) if token.type == "image" and not token.content] == []

"""`/docs/`: every file of the documentation is a page, and every link of these pages leads somewhere."""

import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from django.contrib.auth.models import User
from django.contrib.staticfiles import finders
from django.db import connection
from django.template.loader import render_to_string
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import resolve

from benchagent.verdicts import VERDICTS
from benchdb.stats.comparing.verdict import Verdict
from benchdb.web.docs.files import address, files
from benchdb.web.docs.library import find
from tests.docs import pages as sources
from tests.support.html import Page, parse, read
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


SOURCE = files()["glossary"]
MOST_SENTENCES = 4


def entries() -> dict[str, str]:
    """The text of each entry by its heading."""
    tokens = [token for token in sources.tokens(SOURCE) if token.type in ("heading_open", "inline")]
    found: dict[str, str] = {}
    for before, token in pairwise(tokens):
        if token.type == "inline" and before.type == "heading_open" and before.tag == "h3":
            found[token.content] = ""
        elif token.type == "inline" and before.type == "inline" and found:
            found[[*found][-1]] += token.content
    return found


@pytest.mark.parametrize("word", entries())
def test_an_entry_is_short(word: str) -> None:
    text = entries()[word].replace("\n", " ")
    assert 0 < text.count(". ") + text.endswith(".") <= MOST_SENTENCES


def test_every_verdict_has_an_entry() -> None:
    page = find("glossary")
    assert page is not None
    anchors = {word for heading in page.contents for word in heading.anchor.split("-")}
    assert {word for verdict in Verdict for word in VERDICTS[verdict.value].word.split()} <= anchors
    assert "no-verdict" in {heading.anchor for heading in page.contents}


def test_the_marks_of_a_legend_lead_to_the_glossary() -> None:
    everything = {
        "factor": "file system",
        "judged": True,
        "margin": "5",
        "level": "0.05",
        "correction": "Holm",
        "statistic": None,
        "best": True,
        "tails": True,
        "memory": [("RAM", "Measured memory, not the device")],
        "clk": True,
        "warned": True,
        "strips": True,
        "centred": "ext4",
        "equal": True,
    }
    links = parse(render_to_string("compare/legend.html", {"legend": everything})).links

    assert links == {
        word: f"/docs/glossary/#{anchor}"
        for word, anchor in {
            "rounds": "round",
            "better and worse": "better-worse",
            "baseline": "baseline",
            "equal within 5 %": "equal-within-the-margin",
            "no difference shown": "undecided",
            "Intervals": "interval",
            "better than all others": "best",
            "p99.9\u00a0▼": "tail",
            "RAM": "ram",
            "CLK": "clk",
        }.items()
    }

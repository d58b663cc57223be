"""Pages lead to the part of the documentation that explains them."""

from __future__ import annotations

from urllib.parse import urldefrag

import pytest
from django.contrib.auth.models import User
from django.template.loader import render_to_string
from django.test import Client, override_settings

from benchdb.compare.table.contexts import TableLegend
from tests.browser.pages import CASES
from tests.browser.support.filled import fill
from tests.browser.support.serving import EVERY_WAY
from tests.support.html import Page, parse, read

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


def hrefs(page: Page) -> set[str]:
    found = {attributes.get("href") or "" for tag, attributes in page.elements if tag == "a"}
    return {href for href in found if href.startswith("/docs/")}


@pytest.mark.django_db
@override_settings(ROOT_URLCONF="tests.browser.support.urls", **EVERY_WAY)
def test_every_help_link_of_every_page_leads_to_a_heading() -> None:
    stored, client = fill(), Client(raise_request_exception=False)
    found: dict[str, set[str]] = {}
    for case in CASES:
        client.logout()
        if case.reader:
            client.force_login(User.objects.get(username=case.reader))
        response = client.get(case.path.format(**stored))
        found[case.name] = hrefs(read(response, case.status))

    assert {name: wanted for name, wanted in HELP.items() if not found[name] >= {*wanted}} == {}
    for href in set().union(*found.values()):
        page, anchor = urldefrag(href)
        ids = {attributes.get("id") for _, attributes in read(client.get(page)).elements}
        assert not anchor or anchor in ids, href


def test_the_marks_of_a_legend_lead_to_the_glossary() -> None:
    everything = TableLegend(
        factor="file system",
        judged=True,
        margin="5",
        level="0.05",
        correction="Holm",
        statistic=None,
        best=True,
        tails=True,
        ram=True,
        clk=True,
        warned=True,
        strips=True,
        centred="ext4",
        sortable=True,
    )
    links = parse(render_to_string("compare/legend.html", {"legend": everything})).links

    assert links == {
        word: f"/docs/glossary/#{anchor}"
        for word, anchor in {
            "rounds": "round",
            "better": "better-worse",
            "baseline": "baseline",
            "equivalent": "equivalent",
            "inconclusive": "inconclusive",
            "no verdict": "no-verdict",
            "Intervals": "interval",
            "best": "best",
            "p99.9\u00a0▼": "tail",
            "RAM": "ram",
            "CLK": "clk",
        }.items()
    }

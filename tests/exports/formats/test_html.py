"""HTML, read back by Python's parser."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.compare.content import Content
from benchdb.exports.formats import html
from benchdb.wording.clean import clean
from tests.support.comparing.comparisons import compared_runs, ids
from tests.support.comparing.exported import ADDRESS, FROZEN, HOSTILE, KINDS, a_table, saying
from tests.support.html import collapsed, parse
from tests.texts import missing_in

ELEMENTS = set(
    """
    html head meta title link body figure style figcaption strong br p ul li a div
    table caption thead tbody tr th td small b
    """.split()  # noqa: SIM905
)


def test_a_table_comes_back(owner: User) -> None:
    page = parse(html.export(a_table(owner), FROZEN))

    (rows,) = page.tables.values()  # both splits, one below the other
    assert [cell.text for cell in rows[0]] == ["File system", "Write MiB/s ↑", "Read MiB/s ↑"]
    assert [cell.text for cell in rows[2]][:2] == ["xfs", "120.00 ± 0.53 ▲ 20.0 % faster"]
    assert not missing_in(page.text, "1 MiB records, n = 6 rounds", "Best of its column, or tied for it: underlined.")
    assert page.links[ADDRESS] == ADDRESS


def test_numbers_stand_under_each_other(owner: User) -> None:

    assert "<b>240.0</b>\u2007<br>" in html.export(a_table(owner), FROZEN)  # beside 200.00


def test_the_best_is_set_off(owner: User) -> None:
    assert "<td><b>120.00</b><br>" in html.export(a_table(owner), FROZEN)


@pytest.mark.parametrize("words", HOSTILE)
@pytest.mark.parametrize("kind", KINDS)
def test_words_stay_words(owner: User, kind: Callable[[User], Content], words: str) -> None:
    page = parse(html.export(saying(kind(owner), words), FROZEN))

    assert {tag for tag, _ in page.elements} <= ELEMENTS
    assert {name for _, attributes in page.elements for name in attributes} <= {
        "lang", "charset", "name", "content", "rel", "href", "class", "scope",
    }  # fmt: skip
    assert {attributes["href"] for _, attributes in page.elements if "href" in attributes} == {ADDRESS}
    assert collapsed(clean(words)) in page.text


def test_words_are_no_code_of_templates(owner: User) -> None:
    assert "7*7}}" in (page := html.export(saying(a_table(owner), "{{7*7}} {%x%}"), FROZEN))
    assert missing_in(page, "{{", "{%") == ["{{", "{%"]


def test_it_is_served_as_a_page_of_its_own(client: Client, owner: User) -> None:
    answer = client.get(f"/compare/table.html?{ids(compared_runs(owner))}")

    assert answer["Content-Type"] == "text/html; charset=utf-8"
    assert "script-src" not in answer["Content-Security-Policy"]
    assert "default-src 'self'" in answer["Content-Security-Policy"]

"""The answer on pages: where it is, and the findings below the table."""

import re

from django.contrib.auth.models import User
from django.test import Client

from benchdb.compare.permalinks.services import share
from tests.support.comparing.comparisons import compared_runs, ids
from tests.support.documents import KIB, MIB
from tests.texts import missing_in

ANSWER = re.compile(r'<section class="table-answer.*?</section>', re.DOTALL)


def html_of(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def answer_in(html: str) -> str:
    (found,) = ANSWER.findall(html)
    return str(found)


def test_the_answer_is_before_menus_table_and_findings(client: Client, owner: User) -> None:
    html = html_of(client, f"/compare/?{ids(compared_runs(owner, record_sizes=(64 * KIB, MIB)))}")

    places = [
        html.index(part) for part in ("<h1", "table-answer", 'class="choices"', 'id="comparison"', 'id="findings"')
    ]
    assert places == sorted(places)


def test_the_ranking_has_words_for_readers_who_do_not_see_the_plot(client: Client, owner: User) -> None:
    answer = answer_in(html_of(client, f"/compare/?{ids(compared_runs(owner))}"))

    assert re.search(r'change">20[\d.]*\u00a0% faster</span> <small>[\d.]+\u00a0% to [\d.]+\u00a0%</small>', answer)
    assert missing_in(answer, "style=", "<script") == ["style=", "<script"]


def test_a_permalink_and_its_embedded_page_have_the_same_answer(client: Client, owner: User) -> None:
    query = ids(compared_runs(owner))
    link = share(owner, "table", query)[0]

    live = answer_in(html_of(client, f"/compare/?{query}"))
    assert answer_in(html_of(client, link.get_absolute_url())) == live
    assert answer_in(html_of(client, f"{link.get_absolute_url()}embed")) == live


def test_a_table_of_one_run_has_no_answer(client: Client, owner: User) -> None:
    (run,) = compared_runs(owner, {"ext4": 100 * MIB})

    assert not ANSWER.search(html_of(client, f"/compare/?run={run.id}"))

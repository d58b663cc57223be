"""The card on pages: where it is, what it links to, and the findings below it."""

from __future__ import annotations

import re
from dataclasses import replace

from django.contrib.auth.models import User
from django.test import Client

from benchdb.compare.permalinks.services import share
from benchdb.compare.table.card.findings import show_findings
from benchdb.compare.table.content import Finding
from benchdb.compare.table.grid import grid_of
from tests.support.comparing.comparisons import compared_runs, ids
from tests.support.comparing.contents import cells, content
from tests.support.documents import KIB, MIB
from tests.texts import missing_in

CARD = re.compile(r'<section class="card-of-verdicts.*?</section>', re.DOTALL)


def html_of(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def card_in(html: str) -> str:
    (found,) = CARD.findall(html)
    return str(found)


def test_the_card_is_before_findings_menus_and_table(client: Client, owner: User) -> None:
    html = html_of(client, f"/compare/?{ids(compared_runs(owner, record_sizes=(64 * KIB, MIB)))}")

    places = [
        html.index(part) for part in ("<h1", "card-of-verdicts", 'id="findings"', 'class="choices"', 'id="comparison"')
    ]
    assert places == sorted(places)


def test_every_sign_leads_to_a_cell_of_the_table(client: Client, owner: User) -> None:
    html = html_of(client, f"/compare/?{ids(compared_runs(owner, record_sizes=(64 * KIB, MIB)))}")

    anchors = re.findall(r'href="#(c[\d-]+)"', card_in(html))
    assert len(anchors) == 2 * 2 * 2  # two tests, two sizes, two file systems beside the baseline
    assert all(f'<td id="{anchor}"' in html for anchor in anchors)


def test_the_plot_has_words_for_readers_who_do_not_see_it(client: Client, owner: User) -> None:
    card = card_in(html_of(client, f"/compare/?{ids(compared_runs(owner))}"))

    assert re.search(r'visually-hidden">xfs \+20\.0\u00a0% \(\+19\.\d\u00a0% to \+20\.\d\u00a0%\), btrfs \+1\.0', card)
    assert missing_in(card, "style=", "<script") == ["style=", "<script"]


def test_a_permalink_and_its_embedded_page_have_the_same_card(client: Client, owner: User) -> None:
    query = ids(compared_runs(owner))
    link = share(owner, "table", query)[0]

    live = card_in(html_of(client, f"/compare/?{query}"))
    assert card_in(html_of(client, link.get_absolute_url())) == live
    assert card_in(html_of(client, f"{link.get_absolute_url()}embed")) == live


def test_a_table_of_one_run_has_no_card(client: Client, owner: User) -> None:
    (run,) = compared_runs(owner, {"ext4": 100 * MIB})

    assert not CARD.search(html_of(client, f"/compare/?run={run.id}"))


def test_findings_link_the_noun_that_names_their_cells() -> None:
    made = content(
        ["ext4", "xfs"],
        ["Write"],
        {("", name, "Write"): cell for name, cell in zip(("ext4", "xfs"), cells([[1.0, 2.0]] * 2), strict=True)},
    )
    texts = {
        "xfs is better, most in write, 64 KiB records (+1 %).": "write, 64\u00a0KiB records",
        "xfs is best in 4 of 4 comparisons.": "4 of 4 comparisons",
        "xfs and ext4 differ.": "xfs",
        "Nothing else.": "Nothing else.",
    }
    findings = [Finding(text, ["0-1-0"], [], None, [], "along", []) for text in texts]

    shown = show_findings(grid_of(replace(made, findings=findings)))

    assert [finding["linked"] for finding in shown] == [*texts.values()]
    assert ["".join(each[name] for name in ("before", "linked", "after")).replace("\u00a0", " ") for each in shown] == [
        *texts
    ]

"""`/c/ID/embed`: frozen figures in an iframe of any site."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.compare.models import Permalink
from benchdb.compare.permalinks.services import share
from benchdb.runs.models import Run
from tests.support.comparing.comparisons import compared_runs, ids, surface_run
from tests.support.html import read
from tests.support.store import store_run
from tests.texts import missing_in


def frozen(owner: User, runs: list[Run], kind: str = "table") -> Permalink:
    return share(owner, kind, ids(runs))[0]


def test_it_may_be_framed_and_nothing_else_may(client: Client, owner: User) -> None:
    link = frozen(owner, compared_runs(owner))

    framed, page = client.get(f"/c/{link.id}/embed"), client.get(f"/c/{link.id}/")

    assert "X-Frame-Options" not in framed
    policy = framed["Content-Security-Policy"]
    assert not missing_in(policy, "frame-ancestors *", "script-src 'none'")
    assert page["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in page["Content-Security-Policy"]
    for other in (f"/c/{link.id}/today", f"/c/{link.id}.json", "/compare/"):
        assert client.get(other)["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("kind", ["table", "surface"])
def test_it_has_the_figures_and_the_way_back(client: Client, owner: User, kind: str) -> None:
    runs = compared_runs(owner) if kind == "table" else [surface_run(owner)]
    link = frozen(owner, runs, kind)
    name = "comparison" if kind == "table" else "surface-table"

    page = read(client.get(f"/c/{link.id}/embed"))

    whole = read(client.get(f"/c/{link.id}/"))
    assert [[cell.text for cell in row] for row in page.tables[name]] == [
        [cell.text for cell in row] for row in whole.tables[name]
    ]
    assert page.links[f"http://testserver/c/{link.id}/"] == f"http://testserver/c/{link.id}/"
    assert not [attributes for tag, attributes in page.elements if tag in ("script", "form", "nav")]


def test_a_surface_has_its_heat_map(client: Client, owner: User) -> None:
    link = frozen(owner, [surface_run(owner)], "surface")

    answer = client.get(f"/c/{link.id}/embed?theme=dark")

    assert 'class="heat few"' in answer.content.decode()
    assert "charts.css" in answer.content.decode()
    assert "charts.css" not in client.get(f"/c/{frozen(owner, compared_runs(owner)).id}/embed").content.decode()


@pytest.mark.parametrize("page", ["embed", "today"])
def test_a_surface_too_fine_for_cells_that_answer(
    client: Client, owner: User, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchdb.compare.surface.numbers.MOST_ANSWERING", 4)
    link = frozen(owner, [surface_run(owner)], "surface")

    assert "too fast" in read(client.get(f"/c/{link.id}/{page}")).text


def test_its_address_stands_on_the_page(client: Client, owner: User) -> None:
    link = frozen(owner, compared_runs(owner))

    assert f'<iframe src="http://testserver/c/{link.id}/embed"' in read(client.get(f"/c/{link.id}/")).text


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_its_theme_is_chosen_by_its_address(client: Client, owner: User, theme: str) -> None:
    link = frozen(owner, compared_runs(owner))

    chosen, automatic = (client.get(f"/c/{link.id}/embed{query}") for query in (f"?theme={theme}", ""))

    assert f'data-bs-theme="{theme}"' in chosen.content.decode()
    assert "embed.css" in chosen.content.decode()
    assert "data-bs-theme" not in automatic.content.decode()
    assert chosen["ETag"] != automatic["ETag"]


def test_another_theme_is_400(client: Client, owner: User) -> None:
    answer = client.get(f"/c/{frozen(owner, compared_runs(owner)).id}/embed?theme=<pink>")

    assert answer.status_code == 400
    assert b"light or dark" in answer.content
    assert b"pink" not in answer.content


def test_it_is_the_same_for_who_is_signed_in(client: Client, owner: User, django_assert_num_queries: Any) -> None:
    link = frozen(owner, compared_runs(owner))
    nobodys = client.get(f"/c/{link.id}/embed").content
    client.force_login(owner)

    with django_assert_num_queries(1):
        assert client.get(f"/c/{link.id}/embed").content == nobodys


@pytest.mark.parametrize("end", ["/", "/embed", "/today"])
def test_names_are_text(client: Client, owner: User, end: str) -> None:
    runs = [store_run(owner, machine={"name": "<script>alert(1)</script>", "machine_id": "5a" * 32})]
    owner.username = "<b>ada</b>"
    owner.save()

    answer = client.get(f"/c/{frozen(owner, runs).id}{end}").content.decode()

    assert missing_in(answer, "<script>alert", "<b>ada") == ["<script>alert", "<b>ada"]


@pytest.mark.parametrize("path", ["/c/aaaaaaaaaaaaaaaa/embed", "/c/%00/embed", f"/c/{'a' * 100_000}/embed"])
def test_what_is_not_there_is_404(client: Client, db: None, path: str) -> None:
    assert client.get(path).status_code == 404

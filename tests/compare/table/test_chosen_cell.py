"""A cell chosen by the address: marked on the page, with links to its surface, its slices and its trend."""

from urllib.parse import parse_qs

from django.contrib.auth.models import User
from django.test import Client

from benchdb.compare.permalinks.services import share
from tests.support.comparing.comparisons import SPREAD, campaign, compared_runs, ids, surface_run, values
from tests.support.documents import result
from tests.support.html import Page, read
from tests.support.store import store_run


def views(page: Page) -> dict[str, str | None]:
    return {str(found["data-view"]): found.get("href") for tag, found in page.elements if found.get("data-view")}


def chosen_cells(page: Page) -> list[str | None]:
    return [found.get("id") for tag, found in page.elements if tag == "td" and "chosen" in (found.get("class") or "")]


def chosen_marks(page: Page) -> set[str | None]:
    """The cells whose marks in the charts are chosen."""
    return {
        found.get("data-cell") for tag, found in page.elements if tag == "a" and "chosen" in str(found.get("class"))
    }


def test_a_chosen_cell_is_marked_in_the_table_and_in_the_charts(client: Client, owner: User) -> None:
    runs = compared_runs(owner)
    page = read(client.get(f"/compare/?{ids(runs)}&cell=0-1-1&show=ratios"))

    assert (chosen_cells(page), chosen_marks(page)) == (["c0-1-1"], {"c0-1-1"})
    assert "xfs · Read 240.0 ± 1.1 MiB/s" in page.text
    assert page.links["✕ Clear the selection"] == f"/compare/?{ids(runs)}&show=ratios"
    trend = f"/trend/?run={runs[1].id}&test=read&metric=throughput&file_size=32G&record_size=1M"
    assert views(page)["trend"] == trend
    assert client.get(trend).status_code == 200


def test_its_surface_stands_beside_the_baselines_at_its_place(client: Client, owner: User) -> None:
    first, second = surface_run(owner), surface_run(owner, file_system="xfs", factor=2)
    page = read(client.get(f"/compare/?{ids([first, second])}&file_size=1M&record_size=4K&cell=0-1-0"))

    surface = views(page)["surface"]

    assert surface == f"/surface/?{ids([first, second])}&test=write&metric=throughput#place=1048576,4096"
    assert client.get(surface.partition("#")[0]).status_code == 200


def test_without_a_choice_no_cell_is_marked(client: Client, owner: User) -> None:
    page = read(client.get(f"/compare/?{ids(compared_runs(owner))}"))

    assert (chosen_cells(page), chosen_marks(page)) == ([], set())
    assert views(page)["surface"] is None


def test_an_inconclusive_cell_leads_to_a_plan_with_more_rounds(client: Client, owner: User) -> None:
    noisy = {"ext4": [90e6, 100e6, 112e6, 95e6], "xfs": [94e6, 108e6, 101e6, 113e6]}
    runs = [
        store_run(owner, file_system=name, rounds=4, results=[result(of_run, "write")], campaign=campaign())
        for name, of_run in noisy.items()
    ]

    more = str(views(read(client.get(f"/compare/?{ids(runs)}&cell=0-1-0")))["more"])
    parts = parse_qs(more.partition("?")[2])
    assert more.startswith(f"/runs/{runs[1].id}/again/?beside={runs[0].id}&rounds=")
    assert int(parts["rounds"][0]) > 4
    assert client.get(more).status_code == 200
    assert views(read(client.get(f"/compare/?{ids(compared_runs(owner))}&cell=0-1-0")))["more"] is None


def test_a_cell_that_is_not_there_is_said_and_nothing_else_changes(client: Client, owner: User) -> None:
    query = ids(compared_runs(owner))
    for asked in ("9-9-9", "<script>", "0", "0-1-1-1"):
        page = read(client.get(f"/compare/?{query}&cell={asked}"))
        assert "The cell in the address is not in this table." in page.text
        assert chosen_cells(page) == []


def test_a_permalink_shows_a_chosen_cell_too(client: Client, owner: User) -> None:
    permalink = share(owner, "table", ids(compared_runs(owner)))[0].get_absolute_url()

    page = read(client.get(f"{permalink}?cell=0-2-0&show=ratios"))

    assert (chosen_cells(page), chosen_marks(page)) == (["c0-2-0"], {"c0-2-0"})
    assert page.links["✕ Clear the selection"] == f"{permalink}?show=ratios"


def test_sharing_carries_the_choice_into_the_address_and_nothing_else(ada: Client, owner: User) -> None:
    runs = compared_runs(owner, visibility="unlisted")
    fields = read(ada.get(f"/compare/?{ids(runs)}&cell=0-1-1")).fields
    form = {name: fields[name][0] for name in ("kind", "query", "cell")}

    question = read(ada.post("/share/", form), 409)
    agreed = {name: question.fields[name][0] for name in ("kind", "query", "cell", "share_private")}
    address = ada.post("/share/", agreed)["Location"]

    assert address.endswith("/?cell=0-1-1")
    assert chosen_cells(read(ada.get(address))) == ["c0-1-1"]
    assert "?" not in ada.post("/share/", {**agreed, "cell": "0-1-1&theme=<script>"})["Location"]


def test_its_trend_is_of_the_same_parameters(client: Client, owner: User) -> None:
    """Two results that differ only in their parameter: the trend of a cell must not be the other's."""
    results = [result(values(factor * 1e8), params={"view": view}) for factor, view in ((1, "min"), (2, "max"))]
    runs = [store_run(owner, file_system=name, rounds=len(SPREAD), results=results) for name in ("ext4", "xfs")]
    page = read(client.get(f"/compare/?{ids(runs)}&columns=params&cell=0-1-1"))

    trend = read(client.get(str(views(page)["trend"])))

    assert parse_qs(str(views(page)["trend"]))["params"] == ['{"view":"max"}']
    assert "190.7" in trend.text
    assert "95.4" not in trend.text


def test_the_choice_is_no_part_of_what_is_shared_or_exported(ada: Client, owner: User) -> None:
    page = read(ada.get(f"/compare/?{ids(compared_runs(owner))}&cell=0-1-1"))

    assert "cell=" not in page.fields["query"][0]
    assert "cell=" not in page.links["CSV"]

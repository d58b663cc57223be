"""`/c/ID/today`: the stored selection evaluated now, beside the frozen data."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.compare.models import Permalink
from benchdb.compare.permalinks.services import share
from benchdb.runs.models import Run, RunState, Summary
from benchdb.runs.services import delete_run
from tests.support.comparing.comparisons import campaign, compared_runs, ids, surface_run
from tests.support.documents import MIB
from tests.support.html import Page, read
from tests.support.store import make_user
from tests.texts import missing_in


def frozen(owner: User, query: str, kind: str = "table", **options: bool) -> str:
    return f"/c/{share(owner, kind, query, **options)[0].id}/"


def row_labels(page: Page) -> list[str]:
    return [row[0].text.removesuffix(" baseline") for row in page.tables["comparison"][1:]]


def cell(page: Page, row: str, column: str) -> str:
    heads, *lines = page.tables["comparison"]
    (place,) = (i for i, head in enumerate(heads) if head.text.startswith(column))
    return next(line[place].text for line in lines if line[0].text.startswith(row))


def test_it_says_that_nothing_changed(client: Client, owner: User) -> None:
    address = frozen(owner, ids(compared_runs(owner)))

    page = read(client.get(f"{address}today"))

    assert "Every figure is the same." in page.text
    assert "changed" not in page.tables
    assert page.tables["comparison"] == read(client.get(address)).tables["comparison"]
    assert page.links["Frozen version"].endswith(address)
    assert read(client.get(page.links["Change the selection"])).tables["comparison"] == page.tables["comparison"]


def test_cells_that_are_not_the_same_are_marked(client: Client, owner: User) -> None:
    runs = compared_runs(owner)
    address = frozen(owner, ids(runs))
    Summary.objects.filter(run=runs[1], ordinal=0).update(mean=130.0 * MIB)

    page = read(client.get(f"{address}today"))

    assert "changed" in cell(page, "xfs", "Write")
    assert "changed" not in cell(page, "xfs", "Read")
    label, was, now = (entry.text for entry in page.tables["changed"][1])
    assert label == "xfs · Write"
    assert was.startswith("120.00 ± 0.53 MiB/s")
    assert now.startswith("130.00 ± 0.53 MiB/s")
    assert "1 cell differs from the frozen table" in page.text
    assert "changed" not in cell(read(client.get(address)), "xfs", "Write")


@pytest.mark.parametrize("page", ["", "today"])
def test_the_masthead_says_where_the_reader_is(client: Client, owner: User, page: str) -> None:
    address = frozen(owner, ids(compared_runs(owner)))

    assert b'<a href="/compare/" aria-current="page">' in client.get(f"{address}{page}").content


def test_versions_that_differ_are_named(client: Client, owner: User) -> None:
    address = frozen(owner, ids(compared_runs(owner)))
    link = Permalink.objects.get()
    Permalink.objects.update(content={**link.content, "statistics_version": 0})

    rows = [[entry.text for entry in row] for row in read(client.get(f"{address}today")).tables["changed"]]

    assert ["Statistics", "0", str(link.content["statistics_version"])] in rows


def test_runs_that_were_deleted_are_left_out(client: Client, owner: User) -> None:
    runs = compared_runs(owner)
    address = frozen(owner, ids(runs))
    delete_run(Run.objects.get(pk=runs[2].pk))

    page = read(client.get(f"{address}today"))

    assert not missing_in(page.text, "Leaves out 1 run", "1 run of this table was deleted since.")
    assert row_labels(page) == ["xfs", "ext4"]


def test_a_baseline_that_was_deleted_is_replaced(client: Client, owner: User) -> None:
    runs = compared_runs(owner)
    address = frozen(owner, ids(runs) + "&baseline=ext4")
    delete_run(Run.objects.get(pk=runs[0].pk))

    assert row_labels(read(client.get(f"{address}today"))) == ["xfs", "btrfs"]


def test_it_shows_a_reader_only_what_the_reader_may_see(client: Client, owner: User) -> None:
    runs = compared_runs(owner, {"ext4": 1e8}) + compared_runs(owner, {"xfs": 1e8}, visibility="private")
    address = frozen(owner, ids(runs), share_private=True)

    page = read(client.get(f"{address}today"))
    assert "Leaves out 1 run" in page.text
    assert str(runs[1].id) not in page.links.values()
    client.force_login(owner)
    assert "Without" not in read(client.get(f"{address}today")).text


def test_who_may_see_none_of_its_runs_is_told_so(client: Client, owner: User) -> None:
    address = frozen(owner, ids(compared_runs(owner)), share_private=True)
    RunState.objects.update(visibility="private")
    client.force_login(make_user("eve"))

    assert "each is private or was deleted" in read(client.get(f"{address}today"), 404).text
    assert client.get(address).status_code == 200


def test_a_campaign_has_the_runs_that_came_since(client: Client, owner: User) -> None:
    belongs = campaign()
    compared_runs(owner, {"ext4": 1e8}, campaign=belongs)
    address = frozen(owner, f"campaign={belongs['id']}")
    compared_runs(owner, {"xfs": 1.2e8}, campaign=belongs)

    page = read(client.get(f"{address}today"))

    assert row_labels(page) == ["xfs", "ext4"]
    assert "xfs · Write" in [row[0].text for row in page.tables["changed"]]


def test_a_surface_has_it_too(client: Client, owner: User) -> None:
    run = surface_run(owner)
    address = frozen(owner, ids([run]), "surface")
    assert "Every figure is the same." in read(client.get(f"{address}today")).text
    Summary.objects.filter(run=run, ordinal=0).update(mean=1.0 * MIB)

    assert "1 cell differs from the frozen surface" in read(client.get(f"{address}today")).text


@pytest.mark.parametrize("query", ["rows=nothing", "metric=speed", f"run={'x' * 40}"])
def test_a_selection_that_is_not_understood_any_more_says_why(client: Client, owner: User, query: str) -> None:
    address = frozen(owner, ids(compared_runs(owner)))
    Permalink.objects.update(query=query)

    assert "cannot be" in read(client.get(f"{address}today"), 400).text


def test_what_is_not_there_is_404(client: Client, db: None) -> None:
    assert client.get("/c/aaaaaaaaaaaaaaaa/today").status_code == 404

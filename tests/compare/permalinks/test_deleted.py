"""Permalinks that were revoked, or whose runs were withdrawn or deleted."""

import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client

from benchdb.compare.models import LARGE_BYTES, Permalink
from benchdb.compare.permalinks import services
from benchdb.compare.permalinks.services import find, redact, revoke, share
from benchdb.compare.tasks import redact_deleted
from benchdb.runs.models import Run
from benchdb.runs.services import delete_run, reinstate, withdraw
from tests.support.comparing.comparisons import compared_runs, ids, surface_run
from tests.support.html import read
from tests.support.store import make_user
from tests.texts import missing_in

SHOWN = ["/c/{}/", "/c/{}/embed", "/c/{}.json", "/c/{}.csv"]
PATHS = [*SHOWN, "/c/{}/today"]


def frozen(owner: User, runs: list[Run]) -> Permalink:
    return share(owner, "table", ids(runs))[0]


def delete(run: Run) -> None:
    delete_run(Run.objects.get(pk=run.pk))


@pytest.mark.parametrize("path", ["/c/{}/", "/c/{}/embed", "/c/{}/today"])
def test_withdrawn_runs_keep_their_figures_under_a_banner(client: Client, owner: User, path: str) -> None:
    runs = compared_runs(owner)
    link = frozen(owner, runs)
    withdraw(runs[1], "the disk was <failing>")

    page = read(client.get(path.format(link.id)))

    assert not missing_in(page.text, "xfs · epyc-2 was withdrawn: the disk was <failing>", "120.00")
    reinstate(runs[1])
    assert "withdrawn" not in read(client.get(path.format(link.id))).text


@pytest.mark.parametrize("page", ["compare", "surface"])
def test_a_comparison_of_today_says_it_too(client: Client, owner: User, page: str) -> None:
    runs = [surface_run(owner), surface_run(owner, file_system="xfs")]
    withdraw(runs[1], "the disk was <failing>")

    text = read(client.get(f"/{page}/?{ids(runs)}")).text
    kind = "table" if page == "compare" else page
    files = [f"/{page}/{kind}.{form}?{ids(runs)}" for form in ("json", "tex", "md")]
    files.append(f"/api/v1/comparisons/{kind}?{ids(runs)}")

    assert text.count("was withdrawn: the disk was <failing>") == 1
    assert ["failing" in client.get(file).content.decode() for file in files] == [True] * 4
    reinstate(runs[1])
    assert "withdrawn" not in read(client.get(f"/{page}/?{ids(runs)}")).text
    assert ["failing" in client.get(file).content.decode() for file in files] == [False] * 4


# Rendered pages are kept: one query checks a page, another reads its data. Embeds are not kept.
@pytest.mark.parametrize(("path", "queries"), [(SHOWN[0], 2), (SHOWN[1], 1)])
def test_the_banner_shows_at_once_under_another_tag(
    client: Client, owner: User, django_assert_num_queries: Any, path: str, queries: int
) -> None:
    runs = compared_runs(owner)
    address = path.format(frozen(owner, runs).id)
    tag = client.get(address)["ETag"]
    for run in runs:
        withdraw(run, "doubtful")

    with django_assert_num_queries(queries):
        again = client.get(address, headers={"If-None-Match": tag})

    assert again.status_code == 200
    assert read(again).text.count("was withdrawn") == 3


@pytest.mark.parametrize("stored", [False, True], ids=["at once", "after the task"])
@pytest.mark.parametrize("path", [*SHOWN, *(f"/c/{{}}.{form}" for form in ("tsv", "md", "html", "tex", "bb"))])
def test_figures_of_a_deleted_run_are_gone(client: Client, owner: User, path: str, stored: bool) -> None:
    runs = compared_runs(owner, {"ext4": 1e8, "xfs": 123456789.25, "btrfs": 1.01e8})
    address = path.format(frozen(make_user("eve"), runs).id)
    before = client.get(address)
    figures = [figure for figure in ("117.74", "123456789.25") if figure in unspaced(before)]
    assert figures
    delete(runs[1])
    if stored:
        assert redact_deleted() == 1

    after = client.get(address, headers={"If-None-Match": before["ETag"]})

    assert after.status_code == 200
    assert str(runs[1].id) not in after.content.decode()
    assert not [figure for figure in figures if figure in unspaced(after)]
    assert "deleted" in after.content.decode()


def unspaced(answer: HttpResponse) -> str:
    """The text without TeX's spaces inside numbers."""
    return re.sub(r"\\textbf|[ &{}]", "", answer.content.decode())


def test_the_task_changes_nothing_that_readers_see(client: Client, owner: User, django_assert_num_queries: Any) -> None:
    runs = compared_runs(owner)
    link = frozen(owner, runs)
    delete(runs[0])
    before = {path: client.get(path.format(link.id)).content for path in SHOWN}

    assert redact_deleted() == 1
    assert redact_deleted() == 0

    assert {path: client.get(path.format(link.id)).content for path in SHOWN} == before
    assert str(runs[0].id) not in json.dumps(Permalink.objects.get().content)
    Permalink.objects.update(document_bytes=LARGE_BYTES)
    with django_assert_num_queries(1):  # without the content
        assert getattr(find(link.id), "gone", "") is None


def test_the_task_goes_on_where_it_was(client: Client, owner: User) -> None:
    runs = compared_runs(owner)
    links = [share(owner, "table", f"{ids(runs)}&margin=0.0{i}")[0] for i in (1, 2, 3)]
    run_id = runs[0].id
    delete(runs[0])

    def inside() -> int:
        assert not [link for link in links if str(run_id) in client.get(f"/c/{link.id}.json").content.decode()]
        return sum(str(run_id) in json.dumps(link.content) for link in Permalink.objects.all())

    assert (redact(seconds=0), inside()) == (0, 2)
    delete(runs[1])  # first those that wait longer
    assert [redact(seconds=0), redact(seconds=0), inside()] == [0, 1, 0]
    assert [redact(seconds=0), redact(seconds=0)] == [1, 0]


def test_accounts_take_turns(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    runs, eve, turns = compared_runs(owner), make_user("eve"), list[str]()
    _, _, _, one = [share(eve, "table", f"{ids(runs)}&margin=0.0{i}")[0] for i in (1, 2, 3)] + [frozen(owner, runs)]
    delete(runs[0])
    monkeypatch.setattr(services, "_rewrite", turns.append)
    redact(seconds=60)
    assert (one.id in turns[:2], len(turns)) == (True, 4)


def test_it_says_how_many_are_gone(client: Client, owner: User) -> None:
    runs = compared_runs(owner)
    link = frozen(owner, runs)

    delete(runs[0])
    assert "1 run of this table was deleted since." in read(client.get(f"/c/{link.id}/")).text
    delete(runs[1])
    page = read(client.get(f"/c/{link.id}/"))
    assert "2 runs of this table were deleted since." in page.text
    shown = {row[0].text.removesuffix(" baseline"): row[1].text for row in page.tables["comparison"][1:]}
    assert (shown["ext4"], shown["xfs"]) == ("deleted", "deleted")
    assert shown["btrfs"].startswith("101.00")


@pytest.mark.parametrize("stored", [False, True], ids=["at once", "after the task"])
@pytest.mark.parametrize("path", PATHS)
def test_where_nothing_is_left_it_is_gone(client: Client, owner: User, path: str, stored: bool) -> None:
    runs = compared_runs(owner)
    address = path.format(frozen(owner, runs).id)
    for run in runs:
        delete(run)
    if stored:
        redact_deleted()
        assert set(Permalink.objects.get().content) == {"schema", "runs"}

    assert client.get(address).status_code == 410


@pytest.mark.parametrize("path", PATHS)
def test_a_surface_goes_with_its_run(client: Client, owner: User, path: str) -> None:
    run = surface_run(owner)
    link, _ = share(owner, "surface", ids([run]))
    assert client.get(path.format(link.id)).status_code == 200

    delete(run)

    assert client.get(path.format(link.id)).status_code == 410


@pytest.mark.parametrize("path", PATHS)
def test_what_was_revoked_is_gone(client: Client, owner: User, path: str) -> None:
    link = frozen(owner, compared_runs(owner))
    tag = client.get(path.format(link.id)).get("ETag", "")
    assert revoke(owner, link.id)

    assert client.get(path.format(link.id), headers={"If-None-Match": tag}).status_code == 410


def test_what_is_shared_again_lives_again(client: Client, owner: User) -> None:
    runs = compared_runs(owner)
    link = frozen(owner, runs)
    revoke(owner, link.id)

    assert frozen(owner, runs).id == link.id
    assert client.get(f"/c/{link.id}/").status_code == 200


def test_a_permalink_without_the_runs_shows_nothing_by_mistake(owner: User) -> None:
    link = frozen(owner, compared_runs(owner))

    with pytest.raises(AttributeError):
        _ = Permalink.objects.get(pk=link.pk).shown

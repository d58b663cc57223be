"""A shared trend: the same page frozen, its present data, and its remains after a deletion."""

import json

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.compare.content_json import from_json, to_json
from benchdb.compare.models import Permalink
from benchdb.compare.permalinks.services import evaluated, share
from benchdb.compare.redaction import redacted
from benchdb.compare.tasks import redact_deleted
from benchdb.runs.models import Run
from benchdb.runs.services import delete_run
from tests.support.comparing.trends import run_of_day, upgraded
from tests.support.documents import MIB, result, target
from tests.support.html import Page, read
from tests.texts import missing_in


def frozen(owner: User, runs: list[Run]) -> Permalink:
    return share(owner, "trend", f"run={runs[0].id}")[0]


def delete(run: Run) -> None:
    delete_run(Run.objects.get(pk=run.pk))


def rows(page: Page) -> list[list[str]]:
    return [[cell.text for cell in row] for row in page.tables["trend"]]


def test_the_button_freezes_what_the_page_shows(ada: Client, owner: User) -> None:
    runs = upgraded(owner)
    live = read(ada.get(f"/trend/?run={runs[0].id}"))

    answer = ada.post("/share/", {"kind": live.fields["kind"][0], "query": live.fields["query"][0]})
    run_of_day(owner, 20, 50 * MIB)
    shared = read(ada.get(answer["Location"]))

    assert rows(shared) == rows(live)
    assert "from 28 Nov 2026 on" in shared.text
    assert "Share" not in shared.links
    assert read(ada.get("/permalinks/")).tables["permalinks"][1][3].text == "trend"


def test_it_counts_no_runs_that_readers_may_not_see(owner: User) -> None:
    runs = upgraded(owner)
    other = {**target(), "scheduler": "bfq"}
    for day, visibility in enumerate(("private", "unlisted", "public")):
        run_of_day(owner, 20 + day, 1e8, target=other, visibility=visibility)
    run_of_day(owner, 30, 1e8, results=[result([1e8] * 6, "read")], visibility="private")

    live, kept = evaluated("trend", f"run={runs[0].id}", owner), frozen(owner, runs).content

    assert [each["runs"] for each in to_json(live)["series"][0]["others"]] == [3]  # type: ignore[index, call-overload]
    assert [each["runs"] for each in kept["series"][0]["others"]] == [1]
    assert (live.notes, kept["notes"], kept["runs"]) == (["Left out: 1 run without this result."], [], live.runs)


def test_it_is_data_a_table_and_a_frame_too(client: Client, owner: User) -> None:
    link = frozen(owner, upgraded(owner))

    content = client.get(f"/c/{link.id}.json").json()
    framed = read(client.get(f"/c/{link.id}/embed"))

    assert content["schema"] == "benchdb.trend/1"
    assert content["frozen"] is True
    assert len(client.get(f"/c/{link.id}.csv").content.splitlines()) >= 17
    assert len(rows(framed)) >= 17
    assert not [tag for tag, _ in framed.elements if tag == "script"]


def test_today_it_has_the_runs_that_came_since(client: Client, owner: User) -> None:
    link = frozen(owner, upgraded(owner))
    assert "Every figure is the same." in read(client.get(f"/c/{link.id}/today")).text

    run_of_day(owner, 20, 50 * MIB)
    page = read(client.get(f"/c/{link.id}/today"))

    assert [cell.text for cell in page.tables["changed"][1]] == [
        "ext4 · 10 Dec 2026 20:01 UTC · Write",
        "–",
        "50.00 ± 0.22 MiB/s",
    ]
    marked = next(row for row in page.tables["trend"] if row[0].text.startswith("10 Dec 2026"))
    assert "changed" in marked[1].text


def test_where_its_first_run_is_gone_today_goes_out_from_another(client: Client, owner: User) -> None:
    runs = upgraded(owner)
    link = frozen(owner, runs)

    delete(runs[0])
    page = read(client.get(f"/c/{link.id}/today"))

    assert "Leaves out 1 run that you may not see or that was deleted." in page.text
    assert len([row for row in rows(page) if row[0][0].isdigit()]) == len(runs) - 1


@pytest.mark.parametrize("stored", [False, True], ids=["at once", "in what is stored, too"])
def test_a_deleted_run_leaves_neither_its_point_nor_what_rested_on_it(
    client: Client, owner: User, stored: bool
) -> None:
    runs = upgraded(owner)
    link = frozen(owner, runs)
    of_the_run = ("28 Nov 2026 20:01", "from 28 Nov 2026 on")  # the day alone may also be the day of sharing
    before = read(client.get(f"/c/{link.id}/")).text
    assert [words for words in of_the_run if words not in before] == []

    delete(runs[8])
    if stored:
        redact_deleted()
    page = read(client.get(f"/c/{link.id}/"))

    assert not missing_in(
        page.text,
        "1 run of this trend was deleted since.",
        "A run of this history was deleted, and with it went the change points",
    )
    assert [words for words in of_the_run if words in page.text] == []
    assert str(runs[8].id) not in client.get(f"/c/{link.id}.json").content.decode()


def test_what_is_left_is_the_same_whatever_was_measured(owner: User) -> None:
    def left(level: float) -> str:
        runs = [run_of_day(owner, day, level if day == 3 else 100 * MIB) for day in range(8)]
        content = from_json(to_json(evaluated("trend", f"run={runs[3].id}", owner)))
        ids = {str(run.id): f"run {day}" for day, run in enumerate(runs)}
        kept = redacted(content, {str(runs[3].id)})
        assert kept is not None
        for run in runs:
            delete(run)
        text = json.dumps(to_json(kept), sort_keys=True)
        for run_id, name in ids.items():
            text = text.replace(run_id, name)
        return text

    assert left(100 * MIB) == left(37 * MIB)


def test_without_any_run_it_is_gone(client: Client, owner: User) -> None:
    runs = [run_of_day(owner, day, 100 * MIB) for day in range(2)]
    link = frozen(owner, runs)

    for run in runs:
        delete(run)

    assert client.get(f"/c/{link.id}/").status_code == 410

"""`/search/`: one box for everything that has a name and is visible to the reader."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchdb.compare.permalinks.services import share
from tests.support.campaigns import campaign_document, store_campaign
from tests.support.comparing.comparisons import compared_runs, ids, unknown_id
from tests.support.html import Page, read
from tests.support.store import make_user, store_run


def found(client: Client, words: str) -> Page:
    return read(client.get("/search/", {"q": words}))


def test_models_machines_and_runs_are_found_by_parts_of_their_names(client: Client, owner: User) -> None:
    [run, *_] = compared_runs(owner)
    machine, kernel = run.machine, run.environment.kernel_release
    assert found(client, kernel[:4]).links[kernel] == f"/runs/?kernel={kernel}"
    page = found(client, machine.name.upper())
    assert machine.name in page.links
    assert page.links["iozone on ext4"] == run.get_absolute_url()
    assert f"iozone on ext4 file size 1 GiB · record size 1 MiB, {machine.name}, {kernel}" in page.text
    assert found(client, "btrfs").links["btrfs"] == "/runs/?file_system=btrfs"
    assert "file system, 1 run" in found(client, "btrfs").text


def test_every_word_must_stand_in_what_is_found(client: Client, owner: User) -> None:
    compared_runs(owner)
    assert "iozone on xfs" in found(client, "xfs iozone").links
    assert "Nothing is found for “xfs bonnie++”" in found(client, "xfs bonnie++").text


def test_more_runs_than_are_shown_are_counted_and_linked(client: Client, owner: User) -> None:
    for _ in range(10):
        store_run(owner, file_system="xfs")
    assert found(client, "xfs").links["All 10 runs that match"] == "/runs/?q=xfs"
    assert client.get("/runs/?q=xfs").status_code == 200


def test_campaigns_and_own_permalinks_are_found(client: Client, owner: User) -> None:
    campaign = store_campaign(owner, campaign_document())
    link, _ = share(owner, "table", ids(compared_runs(owner)))
    assert found(client, campaign.plan_name).links[campaign.plan_name] == campaign.get_absolute_url()
    title = link.content["title"]
    assert title not in found(client, title).links
    client.force_login(owner)
    assert found(client, title).links[title] == link.get_absolute_url()


def test_articles_are_found(client: Client, db: None) -> None:
    assert "Articles" in found(client, "layton throughput").text or "Nothing is found" in found(client, "layton").text


def test_an_id_leads_to_what_it_names(client: Client, owner: User) -> None:
    runs = compared_runs(owner)
    link, _ = share(owner, "table", ids(runs))
    campaign = store_campaign(owner, campaign_document())
    for text, address in (
        (str(runs[0].id), runs[0].get_absolute_url()),
        (f"https://bench.example/runs/{runs[0].id}/#r1", runs[0].get_absolute_url()),
        (link.id, link.get_absolute_url()),
        (str(campaign.id), campaign.get_absolute_url()),
    ):
        assert client.get("/search/", {"q": text})["Location"] == address
    assert "Nothing is found" in found(client, unknown_id()).text


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_nobody_finds_what_lists_do_not_show(client: Client, owner: User, visibility: str) -> None:
    run = store_run(owner, visibility=visibility, file_system="f2fs")
    assert "Nothing is found" in found(client, "f2fs").text
    assert "Nothing is found" in found(client, run.machine.name).text
    if visibility == "private":
        assert client.get("/search/", {"q": str(run.id)}).status_code == 200
    client.force_login(make_user("eve"))
    assert "Nothing is found" in found(client, "f2fs").text
    client.force_login(owner)
    assert "f2fs" in found(client, "f2fs").links


@pytest.mark.parametrize("words", ["", "   ", "\x00", "%", "_" * 500, "'; drop table", "<script>alert(1)</script>"])
def test_anything_can_be_searched_for(client: Client, owner: User, words: str) -> None:
    compared_runs(owner)
    answer = client.get("/search/", {"q": words})
    assert read(answer).elements
    assert b"<script>alert" not in answer.content
    if words == "%":
        assert "Nothing is found" in read(answer).text


def test_names_are_shown_as_text(client: Client, owner: User) -> None:
    store_run(owner, machine={"name": "<script>x</script>", "machine_id": "7a" * 32})
    answer = client.get("/search/", {"q": "script"})
    assert b"<script>x" not in answer.content
    assert "<script>x</script>" in read(answer).links


def test_more_matches_take_no_more_queries(client: Client, owner: User) -> None:
    counts = []
    for file_systems in (["xfs"], ["xfs", "ext4", "btrfs"]):
        for name in file_systems:
            store_run(owner, file_system=name)
        with CaptureQueriesContext(connection) as queries:
            client.get("/search/?q=iozone")
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_the_box_is_on_every_page_and_keeps_what_was_asked(client: Client, db: None) -> None:
    assert found(client, "xfs 6.1").fields["q"] == ["xfs 6.1"]
    page = read(client.get("/articles/"))
    assert ("form", "/search/") in [(tag, attributes.get("action")) for tag, attributes in page.elements]


def test_the_box_does_not_take_a_comparison_for_what_was_searched(client: Client, owner: User) -> None:
    assert read(client.get(f"/compare/?{ids(compared_runs(owner))}")).fields["q"] == [""]

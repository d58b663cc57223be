"""The home page: an answer, the newest campaigns and permalinks, and the two commands that add a machine."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchdb.compare.models import Permalink
from benchdb.compare.permalinks.services import revoke, share
from benchdb.runs.services import delete_run, withdraw
from tests.support.comparing.comparisons import campaign, compared_runs, ids
from tests.support.documents import document, result
from tests.support.html import Page, read
from tests.support.store import store_run
from tests.texts import missing_in


def hrefs(page: Page) -> list[str]:
    """The addresses of all links."""
    return [str(found["href"]) for tag, found in page.elements if tag == "a" and "href" in found]


def test_the_two_lines_name_this_server(client: Client, db: None) -> None:
    text = read(client.get("/", headers={"Host": "localhost:8123"})).text
    assert not missing_in(
        text, "curl -fsSO http://localhost:8123/agent/benchagent.pyz", "--server http://localhost:8123"
    )


def test_the_newest_campaign_of_several_file_systems_has_its_answer(client: Client, owner: User) -> None:
    runs = compared_runs(owner)
    address = f"/compare/?campaign={runs[0].campaign_id}&tool=iozone"

    page = read(client.get("/"))

    assert address in hrefs(page)
    assert "xfs is fastest: 20.0\u00a0% faster than ext4" in page.text


def test_the_answer_is_that_of_the_tool_with_the_most_figures(client: Client, owner: User) -> None:
    runs = compared_runs(owner)
    for name in ("ext4", "xfs"):  # the newest runs, of one test
        newest = document(file_system=name, rounds=2, results=[result([1e8, 1.1e8])], campaign=campaign())
        newest["campaign"]["id"] = str(runs[0].campaign_id)
        newest["workload"]["tool"] = "fio"
        store_run(owner, newest)

    page = read(client.get("/"))

    assert page.links["Open the comparison"] == f"/compare/?campaign={runs[0].campaign_id}&tool=iozone"
    assert f"/compare/?campaign={runs[0].campaign_id}&tool=fio" in hrefs(page)


def test_a_private_campaign_has_no_card(client: Client, owner: User) -> None:
    compared_runs(owner, visibility="private")

    page = read(client.get("/"))

    assert not any("/compare/?campaign" in href for href in hrefs(page))
    client.force_login(owner)
    assert any("/compare/?campaign" in href for href in hrefs(read(client.get("/"))))


def test_a_campaign_of_different_tests_has_no_card(client: Client, owner: User) -> None:
    together = campaign()
    for name, test in (("ext4", "write"), ("xfs", "read")):
        store_run(owner, file_system=name, results=[result([1e8], test)], rounds=1, campaign=together)

    assert "Open the comparison" not in read(client.get("/")).links


def test_permalinks_of_public_runs_are_listed_until_they_are_revoked(client: Client, owner: User) -> None:
    link, _ = share(owner, "table", ids(compared_runs(owner)))
    title = link.content["title"]
    assert read(client.get("/")).links[title] == link.get_absolute_url()
    revoke(owner, link.id)
    assert title not in read(client.get("/")).links


def test_permalinks_with_figures_that_no_list_shows_are_not_listed(client: Client, owner: User) -> None:
    runs = [store_run(owner, visibility="unlisted", file_system="xfs"), store_run(owner, file_system="ext4")]
    link, _ = share(owner, "table", ids(runs), share_private=True)
    assert link.get_absolute_url() not in read(client.get("/")).links.values()
    client.force_login(owner)
    assert link.get_absolute_url() not in read(client.get("/")).links.values()


def test_a_permalink_is_listed_behind_many_that_are_not(client: Client, owner: User) -> None:
    hidden = store_run(owner, visibility="unlisted", file_system="xfs")
    link, _ = share(owner, "table", ids(compared_runs(owner)))
    others = [
        Permalink(id=f"{number:016}", owner=owner, author="ada", kind="table", content={}, runs=[*link.runs, hidden.pk])
        for number in range(60)
    ]
    Permalink.objects.bulk_create(others)
    links = list(read(client.get("/")).links.values())
    assert link.get_absolute_url() in links
    assert others[0].get_absolute_url() not in links


@pytest.mark.parametrize("done", ["withdrawn", "deleted"])
def test_a_permalink_is_not_listed_when_one_of_its_runs_no_longer_is(client: Client, owner: User, done: str) -> None:
    runs = compared_runs(owner)
    link, _ = share(owner, "table", ids(runs))
    if done == "deleted":
        delete_run(runs[0])
    else:
        withdraw(runs[0], "The disk was failing.")
    assert link.get_absolute_url() not in read(client.get("/")).links.values()


def test_more_of_everything_takes_no_more_queries(client: Client, owner: User) -> None:
    counts = []
    for _ in range(3):
        share(owner, "table", ids(compared_runs(owner)))
        with CaptureQueriesContext(connection) as queries:
            client.get("/")
        counts.append(len(queries))
    assert counts[0] == counts[-1]

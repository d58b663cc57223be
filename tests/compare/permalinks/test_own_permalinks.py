"""`/permalinks/`: a user's permalinks, and revoking them."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from benchdb.compare.models import Permalink
from benchdb.compare.permalinks.services import revoke, share
from benchdb.compare.tasks import redact_deleted
from benchdb.runs.models import Run
from benchdb.runs.services import delete_run, withdraw
from tests.support.comparing.comparisons import compared_runs, ids
from tests.support.html import read
from tests.support.store import make_user


def test_it_lists_ones_own_and_says_how_they_are(ada: Client, owner: User) -> None:
    runs = [compared_runs(owner, {name: 1e8}) for name in ("ext2", "ext3", "ext4", "xfs")]
    links = [share(owner, "table", ids(compared))[0] for compared in runs]
    share(make_user("eve"), "table", ids(runs[0]))
    withdraw(runs[1][0], "doubtful")
    delete_run(Run.objects.get(pk=runs[2][0].pk))
    revoke(owner, links[3].id)

    page = read(ada.get("/permalinks/"))

    rows = [[cell.text for cell in row] for row in page.tables["permalinks"][1:]]
    assert [row[1] for row in rows] == ["revoked", "deleted", "withdrawn runs", "shared"]
    assert [row[2] for row in rows] == ["", "", "Revoke", "Revoke"]
    assert rows[3][0].startswith("ext2 on epyc-2")
    assert rows[1][0] == "Its runs were deleted"
    redact_deleted()
    assert read(ada.get("/permalinks/")).tables["permalinks"] == page.tables["permalinks"]


def test_the_name_in_the_head_leads_there(ada: Client) -> None:
    page = read(ada.get(read(ada.get("/account/")).links["All my permalinks"]))

    assert "You have not shared anything yet." in page.text


def test_one_is_taken_back_after_asking(ada: Client, owner: User) -> None:
    link, _ = share(owner, "table", ids(compared_runs(owner)))
    address = read(ada.get("/permalinks/")).links["Revoke"]

    assert "Revoke this permalink" in read(ada.get(address)).text
    assert ada.get(f"/c/{link.id}/").status_code == 200
    assert ada.post(address)["Location"] == "/permalinks/"

    assert ada.get(f"/c/{link.id}/").status_code == 410
    assert "Revoke" not in read(ada.get("/permalinks/")).links


def test_only_its_owner_is_led_from_a_revoked_one_to_what_it_showed(client: Client, owner: User) -> None:
    link, _ = share(owner, "table", ids(compared_runs(owner)))
    revoke(owner, link.id)

    others = read(client.get(f"/c/{link.id}/"), 410).links
    client.force_login(owner)
    owners = read(client.get(f"/c/{link.id}/"), 410).links

    assert "Compare with current data" not in others
    assert others["Choose what to compare"] == "/compare/"
    assert (owners["Compare with current data"], owners["My permalinks"]) == (f"/compare/?{link.query}", "/permalinks/")


def test_nobody_elses(client: Client, owner: User) -> None:
    link, _ = share(owner, "table", ids(compared_runs(owner)))
    address = f"/c/{link.id}/revoke/"

    assert client.post(address)["Location"].startswith("/login/")
    assert client.get("/permalinks/")["Location"].startswith("/login/")
    client.force_login(make_user("eve"))
    assert client.get(address).status_code == 404
    assert client.post(address).status_code == 404
    assert "permalinks" not in read(client.get("/permalinks/")).tables
    assert client.get(f"/c/{link.id}/").status_code == 200


def test_older_ones_are_on_further_pages(ada: Client, owner: User, django_assert_num_queries: Any) -> None:
    first, _ = share(owner, "table", ids(compared_runs(owner)))
    now = timezone.now()
    many = [
        Permalink(
            id=f"aaaaaaaaaaaaaa{i:02}", owner=owner, author="ada", kind="table", content=first.content, runs=first.runs
        )
        for i in range(10, 70)
    ]
    Permalink.objects.bulk_create(many)
    for i, link in enumerate(many):
        Permalink.objects.filter(pk=link.pk).update(created_at=now - timedelta(minutes=i + 1))

    with django_assert_num_queries(4):  # session, user, role, permalinks
        page = read(ada.get("/permalinks/"))
    older = read(ada.get(page.links["Older permalinks →"]))

    assert (len(page.tables["permalinks"]), len(older.tables["permalinks"])) == (51, 12)
    assert "Older permalinks →" not in older.links
    assert older.links["Newest permalinks"] == "/permalinks/"


@pytest.mark.parametrize(
    "before", ["x", "2026-13-01T00:00:00Z", "2026-11-01T00:00:00", "%00", "9999-12-31T23:59:59-23:59"]
)
def test_a_page_that_is_none_is_404(ada: Client, before: str) -> None:
    assert ada.get(f"/permalinks/?before={before}").status_code == 404

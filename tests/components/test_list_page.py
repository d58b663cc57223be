"""`/kernels/` and the lists of the other kinds of components."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.facts.registry import PAGES
from tests.support.comparing.components import on_raid, page_of
from tests.support.documents import KIB
from tests.support.store import make_user, store_run


def test_a_row_has_the_runs_and_machines_of_a_component(client: Client, owner: User) -> None:
    for who, level, chunk in ((owner, "raid6", 64 * KIB), (owner, "raid6", 64 * KIB), (owner, "raid1", None)):
        store_run(who, target=on_raid(level, chunk))
    store_run(make_user("eve"), target=on_raid("raid6", 64 * KIB))
    store_run(owner, target=on_raid(None, None), visibility="private")

    page = page_of(client, "/raid/")

    rows = [[cell.text for cell in row] for row in page.tables["components"]]
    assert rows == [["RAID layout", "Runs", "Machines"], ["RAID 6, 64 KiB chunk", "3", "2"], ["RAID 1", "1", "1"]]
    assert page.links["RAID 6, 64 KiB chunk"] == "/raid/raid6-64K/"
    assert page.links["3"] == "/runs/?raid_level=raid6&raid_chunk=64K"
    assert "3 runs" in page_of(client, page.links["3"]).text
    assert page.links["Kernels"] == "/kernels/"
    assert page_of(client, "/runs/?raid_level=raid1&raid_chunk=none").tables["Runs"][1:]


@pytest.mark.parametrize("kind", PAGES)
def test_without_runs_it_says_where_they_come_from(client: Client, db: None, kind: str) -> None:
    assert "No listed run has one yet" in page_of(client, f"/{PAGES[kind].path}/").text

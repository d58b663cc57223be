"""`/compare/` without runs: how to choose, and suggested comparisons."""

from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchdb.compare.table.page import MOST_LISTED, comparable_sets
from benchdb.runs.models import Run
from tests.support.comparing.comparisons import campaign, compared_runs
from tests.support.documents import target
from tests.support.html import read
from tests.support.store import store_run

TABLE = "The same workload on several targets"


def test_the_newest_run_of_each_target_is_compared_with_one_click(client: Client, owner: User) -> None:
    store_run(owner)
    newest, xfs = store_run(owner), store_run(owner, file_system="xfs")
    store_run(owner, file_system="xfs", machine={"name": "other", "machine_id": "11" * 32})

    page = read(client.get("/compare/"))

    assert page.links["ext4, xfs"] == f"/compare/?run={newest.id}&run={xfs.id}"
    assert [cell.text for cell in page.tables[TABLE][1]][1:4] == [
        "iozone file size 1 GiB, record size 1 MiB",
        "epyc-2",
        "2",
    ]
    assert len(page.tables[TABLE]) == 2
    assert client.get(page.links["ext4, xfs"]).status_code == 200


def test_the_same_file_systems_always_read_the_same(client: Client, owner: User) -> None:
    for machine, names in (("a", ("xfs", "ext4")), ("b", ("ext4", "xfs"))):
        for name in names:
            store_run(owner, file_system=name, machine={"name": machine, "machine_id": machine * 64})

    page = read(client.get("/compare/"))

    assert [row[0].text for row in page.tables[TABLE][1:]] == ["ext4, xfs", "ext4, xfs"]


def test_a_campaign_is_told_by_its_plan(client: Client, owner: User) -> None:
    compared_runs(owner, campaign=campaign(), labels={"plan": "raid-chunks"})

    page = read(client.get("/compare/"))

    assert page.tables["Latest campaigns"][1][0].text == "btrfs, ext4, xfs raid-chunks"


def test_of_one_file_system_its_settings_are_the_rows(client: Client, owner: User) -> None:
    first = store_run(owner)
    mounted = {**target("ext4"), "mount": {"options": ["rw", "nobarrier"]}}
    second = store_run(owner, target=mounted)

    page = read(client.get("/compare/"))

    runs = f"run={first.id}&run={second.id}"
    assert page.links["ext4"] == f"/compare/?{runs}"
    assert "nobarrier" in read(client.get(page.links["ext4"])).text


def test_no_more_than_the_year_is_said_where_nobody_knows_more(client: Client, owner: User) -> None:
    midnight = "2009-01-01T00:00:00Z"
    for name in ("ext4", "xfs"):
        store_run(owner, file_system=name, started_at=midnight, finished_at=midnight)

    assert read(client.get("/compare/")).tables[TABLE][1][-1].text == "2009"


def test_runs_of_campaigns_and_private_runs_make_no_set(client: Client, owner: User) -> None:
    compared_runs(owner)
    for name in ("ext4", "xfs"):
        store_run(owner, file_system=name, visibility="private")

    page = read(client.get("/compare/"))

    assert TABLE not in page.tables
    assert "Latest campaigns" in page.tables


def test_an_empty_database_says_what_to_do_next(client: Client, owner: User) -> None:
    page = read(client.get("/compare/"))

    assert "There is nothing to compare yet" in page.text
    assert page.links["Measure a machine"] == "/agent/"


def test_one_query_however_many(owner: User) -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as captured:
            comparable_sets(Run.objects.listed_for(owner))
        return len(captured)

    for name in ("ext4", "xfs"):
        store_run(owner, file_system=name)
    few = queries()
    for i in range(MOST_LISTED + 1):
        for name in ("ext4", "xfs"):
            store_run(owner, file_system=name, machine={"name": f"m{i}", "machine_id": f"{i:064x}"})

    assert queries() == few == 1
    assert len(comparable_sets(Run.objects.listed_for(owner))) == MOST_LISTED

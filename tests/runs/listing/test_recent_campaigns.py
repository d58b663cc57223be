"""The newest campaigns: nobody holds the first places of the home page."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.runs.listing.recent_campaigns import MOST_OF_ONE, recent_campaigns
from benchdb.runs.models import Run
from tests.support.campaigns import store_campaign
from tests.support.comparing.comparisons import campaign, compared_document, compared_runs
from tests.support.html import read
from tests.support.store import make_user, store_run


def test_of_one_account_only_the_newest_come_before_others(owner: User) -> None:
    other = compared_runs(make_user("bob"))[0].campaign_id
    own = [compared_runs(owner)[0].campaign_id for _ in range(MOST_OF_ONE + 2)]

    assert [each.campaign for each in recent_campaigns(Run.objects.all(), None)] == [
        *own[::-1][:MOST_OF_ONE],
        other,
        *own[::-1][MOST_OF_ONE:],
    ]


def test_an_id_of_the_future_is_not_the_newest(owner: User) -> None:
    shared = campaign()
    for number, name in enumerate(("ext4", "xfs")):
        late = f"7fffffff-ffff-7fff-8fff-{number:012}"
        store_run(owner, {**compared_document(name, 1e8, campaign=shared, visibility="public"), "run_id": late})
    now = compared_runs(owner)[0].campaign_id

    assert [each.campaign for each in recent_campaigns(Run.objects.all(), None)] == [now]


@pytest.mark.parametrize("hidden", [True, False], ids=["in a private campaign", "in no campaign"])
def test_a_run_whose_id_others_name_as_campaign_stands_alone(client: Client, owner: User, *, hidden: bool) -> None:
    older, named, newer = (compared_document(name, 1e8) for name in ("ext4", "btrfs", "xfs"))
    if hidden:
        named["campaign"] = {"id": str(store_campaign(owner, visibility="private").pk), "point": "p"}
    store_run(owner, named)
    for each in (older, newer):
        store_run(make_user(f"mallory-{each['run_id']}"), {**each, "campaign": {"id": named["run_id"], "point": "p"}})

    for address in ("/", "/compare/", "/search/?q=btrfs+write"):
        assert client.get(address).status_code == 200
    rows = read(client.get("/runs/")).tables["Runs"][1:]
    assert [row[1].text.split()[0] for row in rows] == ["xfs", "btrfs", "ext4"]


def test_a_campaign_has_no_runs_of_others_in_lists(client: Client, owner: User) -> None:
    runs = compared_runs(owner)
    forged = {**campaign(), "id": str(runs[0].campaign_id)}
    store_run(make_user("mallory"), compared_document("evilfs", 9e8, campaign=forged))

    alone, together = read(client.get("/runs/")).tables["Runs"][1:]
    assert "evilfs" in alone[1].text
    assert "evilfs" not in together[1].text
    assert f"Compare {len(runs)} runs" in " ".join(cell.text for cell in together)


def test_machines_that_look_alike_are_told_apart(owner: User) -> None:
    other = {"name": "Epyc-2", "machine_id": "6b" * 32}
    runs = [compared_runs(owner)[0], compared_runs(make_user("bob"), machine=other)[0]]

    names = {each.campaign: each.machines for each in recent_campaigns(Run.objects.all(), None)}

    assert names == {run.campaign_id: f"{run.machine.name} (machine {run.machine_id})" for run in runs}

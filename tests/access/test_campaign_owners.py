"""Runs of a stranger that name somebody's campaign are not part of it, on any page and in any answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchdb.plans.models import Job
from benchdb.runs.models import Run
from tests.support.campaigns import campaign_document, make_machine, of_point, queue_tiny, store_campaign
from tests.support.comparing.comparisons import compared_runs
from tests.support.documents import uuid7
from tests.support.html import read
from tests.support.store import make_user, store_run

FILE_SYSTEMS = ("ext4", "xfs")


@dataclass(frozen=True, slots=True)
class Campaign:
    """A campaign, the runs of its owner, ada, and the runs of eve that name it."""

    id: UUID
    own: list[Run]
    strange: list[Run]


def stored(owner: User, campaign: UUID, file_systems: Sequence[str] = FILE_SYSTEMS) -> list[Run]:
    """Runs that name the campaign."""
    return [store_run(owner, file_system=name, campaign=of_point(campaign, f"{name}/iozone")) for name in file_systems]


@pytest.fixture
def eve(db: None) -> User:
    return make_user("eve")


@pytest.fixture(params=["announced, the stranger's runs first", "announced", "never announced"])
def campaign(request: pytest.FixtureRequest, owner: User, eve: User) -> Campaign:
    announced = store_campaign(owner, campaign_document()).pk if request.param.startswith("announced") else uuid7()
    if "first" in request.param:
        strange = stored(eve, announced)
        return Campaign(announced, stored(owner, announced), strange)
    own = stored(owner, announced)
    return Campaign(announced, own, stored(eve, announced))


def test_a_comparison_shows_the_runs_of_the_owner(client: Client, campaign: Campaign) -> None:
    content = client.get(f"/compare/table.json?campaign={campaign.id}").json()
    assert set(content["runs"]) == {str(run.pk) for run in campaign.own}


def test_the_list_shows_and_compares_the_runs_of_the_owner(client: Client, campaign: Campaign) -> None:
    content = client.get(f"/runs/?campaign={campaign.id}").content.decode()
    assert [str(run.pk) in content for run in [*campaign.own, *campaign.strange]] == [True, True, False, False]


def test_the_api_lists_the_runs_of_the_owner(client: Client, campaign: Campaign) -> None:
    listed = client.get(f"/api/v1/campaigns/{campaign.id}").json()
    assert {point["run"].rpartition("runs/")[2].strip("/") for point in listed["points"] if point["run"]} == {
        str(run.pk) for run in campaign.own
    }


@pytest.mark.parametrize("page", ["/", "/compare/"])
def test_pages_that_suggest_comparisons_suggest_none_of_the_runs_of_strangers(
    client: Client, owner: User, eve: User, page: str
) -> None:
    campaign = store_campaign(owner).pk
    for user, suggested in ((eve, False), (owner, True)):
        compared_runs(user, campaign=of_point(campaign, "ext4/iozone"))
        assert any(f"campaign={campaign}" in href for href in read(client.get(page)).links.values()) is suggested


def test_a_strangers_run_does_not_lead_to_the_campaign(client: Client, campaign: Campaign) -> None:
    pages = [read(client.get(run.get_absolute_url())) for run in (campaign.own[0], campaign.strange[0])]
    led = [[href for href in page.links.values() if str(campaign.id) in href] for page in pages]
    assert len(led[0]) == 2, "its campaign, and the comparison with its other runs"
    assert led[1] == []


def test_a_strangers_run_is_not_measured_again_with_the_campaigns_plan(client: Client, owner: User, eve: User) -> None:
    campaign = store_campaign(owner)
    for run, leads in ((stored(owner, campaign.pk)[0], True), (stored(eve, campaign.pk)[0], False)):
        page = client.get(f"{run.get_absolute_url()}again/").content.decode()
        assert (campaign.get_absolute_url() in page) is leads


def test_a_job_leads_to_a_campaign_of_its_owner_only(owner: User, eve: User) -> None:
    campaign = store_campaign(owner).pk
    for user, announced in ((owner, True), (eve, False)):
        job = queue_tiny(make_machine(user))
        Job.objects.filter(pk=job.pk).update(campaign_id=campaign)
        assert Job.objects.for_pages().get(pk=job.pk).announced is announced


def test_the_same_queries_for_one_and_many_runs_of_strangers(client: Client, owner: User, eve: User) -> None:
    campaign = store_campaign(owner).pk
    stored(owner, campaign)
    client.get("/runs/")
    counts = []
    for strange in (1, 5):
        for _ in range(strange):
            stored(eve, campaign)
            stored(owner, campaign)
        for address in (f"/runs/?campaign={campaign}", f"/compare/table.json?campaign={campaign}", "/compare/"):
            with CaptureQueriesContext(connection) as queries:
                assert client.get(address).status_code == 200
            counts.append(len(queries))
    assert counts[:3] == counts[3:]


def test_the_trend_of_a_machine_follows_nobody_elses_machine_of_the_same_name(
    client: Client, owner: User, eve: User
) -> None:
    own, strange = store_run(owner), store_run(eve)
    assert own.machine.name == strange.machine.name
    answer = client.get(f"/trend/?machine={own.machine_id}")
    assert answer.status_code == 200
    assert str(strange.pk) not in answer.content.decode()
    named = client.get(f"/trend/?machine={own.machine.name}")
    assert named.status_code == 400
    assert str(strange.pk) not in named.content.decode()

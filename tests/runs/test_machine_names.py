"""A machine has the name from its newest run, unless more people can see another name of it."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.catalog.models import Machine
from benchdb.plans import queue
from benchdb.runs.models import Run, RunState, Visibility
from tests.support.campaigns import campaign_document, store_campaign
from tests.support.store import store_run

ID = "5a" * 32


def said(owner: User, name: str, visibility: str) -> Run:
    """A run whose machine has this name."""
    return store_run(owner, visibility=visibility, machine={"name": name, "machine_id": ID})


def name() -> str:
    return Machine.objects.get(machine_id=ID).name


@pytest.mark.parametrize("visibility", ["private", "unlisted", "public"])
def test_a_run_renames_where_as_many_people_see_it(owner: User, visibility: str) -> None:
    said(owner, "before", visibility)
    said(owner, "now", visibility)
    assert name() == "now"


@pytest.mark.parametrize(("seen", "hidden"), [("public", "private"), ("public", "unlisted"), ("unlisted", "private")])
def test_a_name_that_fewer_people_may_see_does_not_show(client: Client, owner: User, seen: str, hidden: str) -> None:
    run = said(owner, "box-1", seen)
    said(owner, "merger-with-acme", hidden)

    assert name() == "box-1"
    assert "merger-with-acme" not in client.get(run.get_absolute_url()).content.decode()


def test_a_wider_run_renames(owner: User) -> None:
    said(owner, "merger-with-acme", "private")
    said(owner, "box-1", "public")
    assert name() == "box-1"


def test_a_run_that_was_made_public_keeps_its_machines_name(owner: User) -> None:
    RunState.objects.filter(run=said(owner, "box-1", "private")).update(visibility=Visibility.PUBLIC)
    said(owner, "merger-with-acme", "private")
    assert name() == "box-1"


def test_a_public_campaign_keeps_its_machines_name(owner: User) -> None:
    campaign = store_campaign(owner, visibility="public")
    machine = campaign.machine
    announced = campaign_document(machine={"name": "merger-with-acme", "machine_id": machine.machine_id})
    store_campaign(owner, {**announced, "visibility": "private"})
    machine.refresh_from_db()
    assert machine.name == campaign.machine.name != "merger-with-acme"


def test_an_agent_that_asks_for_work_does_not_rename_what_others_see(owner: User) -> None:
    said(owner, "box-1", "public")
    queue.listen(owner, ID, "merger-with-acme", "0.1.0")
    assert name() == "box-1"

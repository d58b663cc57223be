"""What an agent reports that it allows, the plans that it could not run, and the config file that would allow them."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchagent import config
from benchagent.queue.allowed import faults_here
from benchagent.queue.offer import offer_of
from benchdb.plans import queue
from benchdb.plans.command_lines import PageVisit, agent_start
from benchdb.plans.models import Job
from benchdb.plans.offers import MachineOffer, StoredOffer, config_lines, why_not
from benchdb.plans.plan_texts import planned, shipped_plans
from tests.support.campaigns import PLAN, make_machine, queue_tiny
from tests.support.html import read
from tests.support.store import store_run
from tests.texts import missing_in

ALL: StoredOffer = {
    "root": True,
    "images": True,
    "directories": 1,
    "devices": 1,
    "tools": ["fsload", "iozone", "bonnie++", "maintenance"],
    "file_systems": ["ext2", "ext3", "ext4", "xfs", "btrfs"],
}
OFFER = MachineOffer(True, True, 1, 1, frozenset(ALL["tools"]), frozenset(ALL["file_systems"]))
DIRECTORY, IMAGES = planned(PLAN), planned(shipped_plans()["demo"])


def test_what_an_agent_reports_is_what_its_config_file_allows(tmp_path: Path) -> None:
    text = '[targets]\nimages = true\ndirectories = ["/srv/a", "/srv/b"]\ndevices = ["/dev/disk/by-id/ata-SECRET"]\n'

    offer = offer_of(config.parse(text, tmp_path / "config.toml"))

    assert (offer["images"], offer["directories"], offer["devices"]) == (True, 2, 1)
    assert "maintenance" in offer["tools"]
    assert missing_in(str(offer), "SECRET", "/srv") == ["SECRET", "/srv"]


@pytest.mark.parametrize(
    ("text", "offer", "reason"),
    [
        (PLAN, replace(OFFER, directories=0), "the agent’s config file allows no directories"),
        (shipped_plans()["demo"], replace(OFFER, images=False), "the agent’s config file allows no images"),
        (shipped_plans()["demo"], replace(OFFER, root=False), "the agent does not run as root"),
        (
            shipped_plans()["demo"],
            replace(OFFER, file_systems=frozenset(["f2fs"])),
            "the machine cannot make ext2, ext3, ext4, xfs, btrfs",
        ),
        (PLAN, replace(OFFER, tools=frozenset(["maintenance"])), "fsload is not installed"),
    ],
)
def test_a_plan_that_cannot_run_has_the_reason(text: str, offer: MachineOffer, reason: str) -> None:
    plan = planned(text)
    assert plan is not None
    assert why_not(plan, OFFER) == []
    assert why_not(plan, offer) == [reason]


@pytest.mark.parametrize("name", shipped_plans())
def test_the_shown_config_file_allows_the_plan(name: str, tmp_path: Path) -> None:
    plan = planned(shipped_plans()[name])
    assert plan is not None
    subprocess.run(
        ["sh", "-c", f"printf '%s\\n' {' '.join(config_lines(plan))} > config.toml"], cwd=tmp_path, check=True
    )

    allowed = config.load(tmp_path / "config.toml")

    assert faults_here(plan, allowed) == []
    assert allowed.directories in ((), (str(tmp_path),))


def test_a_plan_that_names_its_targets_has_them_in_the_config_file() -> None:
    disk = "/dev/disk/by-id/ata-one"
    plan = planned(
        PLAN.replace('kind = "directory"', 'kind = "directory"\npath = "/srv/x y"')
        + f'[[targets]]\nkind = "device"\npath = "{disk}"\nfile_system = "ext4"\nwipe = true\n'
    )
    assert plan is not None
    lines = config_lines(plan)
    assert not missing_in(
        lines, "'directories = [\"/srv/x y\"]'", f"'devices = [\"{disk}\"]'", f"'wipe = [\"{disk}\"]'"
    )
    assert agent_start(PageVisit("http://b", "/"), plan)["serve"].startswith("sudo env ")


def test_the_form_disables_what_cannot_run_and_says_why(ada: Client, owner: User) -> None:
    machine = queue.listen(owner, "5a" * 32, "epyc-2", "0.2.0", {**ALL, "images": False, "root": False})

    page = read(ada.get("/plans/new/", {"plan": "demo", "machine": machine.pk}))

    assert (
        "Cannot run this plan: the agent’s config file allows no images; the agent does not run as root." in page.text
    )
    assert [a for tag, a in page.elements if a.get("name") == "machines" and "disabled" in a]
    assert "demo" not in page.links
    assert "directory" in page.links
    sent = {"plan": shipped_plans()["demo"], "machines": [machine.pk], "visibility": "private"}
    assert "epyc-2 cannot run this plan" in read(ada.post("/plans/new/", sent), 422).text
    assert not Job.objects.exists()
    ada.post("/plans/new/", {**sent, "plan": PLAN})
    assert Job.objects.count() == 1


def test_an_imported_machine_is_not_offered(ada: Client, owner: User) -> None:
    imported = store_run(owner, extra={"import": {}}, machine={"name": "old", "machine_id": "0a" * 32}).machine
    make_machine(owner, "measured", "0b" * 32)

    text = read(ada.get("/plans/new/")).text
    assert "measured" in text
    assert " old " not in text
    sent = {"plan": PLAN, "machines": [imported.pk], "visibility": "private"}
    assert ada.post("/plans/new/", sent).status_code == 422
    assert not Job.objects.exists()
    queue.listen(owner, imported.machine_id, imported.name, "0.2.0")
    assert " old " in read(ada.get("/plans/new/")).text


def test_a_token_for_the_commands_is_made_on_the_page_itself(ada: Client, owner: User) -> None:
    job = queue_tiny(make_machine(owner))

    answer = ada.post("/agent/", {"serve": "yes", "next": f"/plans/{job.pk}/"}, follow=True)

    assert answer.redirect_chain == [(f"/plans/{job.pk}/", 302)]
    assert "contains a new token" in read(answer).text
    assert "no-store" in answer["Cache-Control"]
    assert owner.tokens.latest("pk").scopes == ["upload", "serve"]
    assert "contains a new token" not in read(ada.get(f"/plans/{job.pk}/")).text
    assert ada.post("/agent/", {"serve": "yes", "next": "//evil.example/plans/new/"})["Location"] == "/agent/"

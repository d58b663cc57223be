"""`/runs/ID/again/`: the plan and the commands that measure a run's workload again."""

import hashlib
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchdb.plans.again import NoPlan, plan_again
from benchdb.plans.plan_texts import read_plan
from benchdb.runs.models import Run
from tests.support.campaigns import campaign_document, of_point, store_campaign
from tests.support.comparing.comparisons import unknown_id
from tests.support.documents import GIB, MIB, artifact, document, target
from tests.support.html import read
from tests.support.store import make_user, store_run
from tests.texts import missing_in

PARAMETERS = {"file_sizes": [16 * MIB], "record_sizes": [65536, MIB], "tests": ["write", "read"]}


def workload(tool: str = "iozone", parameters: dict[str, Any] | None = None) -> dict[str, Any]:
    return {
        "tool": tool,
        "tool_version": "3.489",
        "command": [tool, "-s", "1G", "it's"],
        "parameters": PARAMETERS if parameters is None else parameters,
    }


def image() -> dict[str, Any]:
    found = {**target(), "kind": "image", "stack": [{"kind": "loop", "size": GIB}, {"kind": "image", "size": GIB}]}
    found["file_system"]["mkfs_command"] = ["mkfs.ext4", "-F", "-b", "4096"]
    return found


def test_the_plan_is_one_that_agents_take_and_means_the_same(client: Client, owner: User) -> None:
    run = store_run(owner, workload=workload(), rounds=3)

    page = read(client.get(read(client.get(run.get_absolute_url())).links["Run this again"]))

    answer = client.get(f"/runs/{run.id}/again/plan.toml")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    plan = read_plan(answer.content.decode()).plan
    assert (plan.rounds, plan.order, plan.cache, plan.seed) == (3, "rotated", "cold", 1)
    (planned,) = plan.workloads
    assert planned.tool == "iozone"
    assert (planned.parameters["file_sizes"], planned.parameters["record_sizes"]) == ([16 * MIB], [65536, MIB])
    assert [part.kind for part in plan.targets] == ["directory"], "a device of one machine is none of another"
    assert not missing_in(
        page.text,
        f"curl -fsS -o again.toml http://testserver/runs/{run.id}/again/plan.toml",
        "run again.toml --directory . --server http://testserver",
    )


def test_it_can_be_queued_for_another_machine(ada: Client, owner: User) -> None:
    run = store_run(owner, workload=workload(), visibility="private")
    address = read(ada.get(f"/runs/{run.id}/again/")).links["queue the plan"]

    assert "again-iozone" in read(ada.get(address)).text
    ada.force_login(make_user("eve"))
    for query in (address, "/plans/new/?again=x", f"/plans/new/?again={unknown_id()}"):
        assert "again-iozone" not in read(ada.get(query)).text


def test_more_rounds_are_measured_in_turns_with_the_run_beside_it(client: Client, owner: User) -> None:
    mine = store_run(owner, workload=workload(), target=image())
    xfs = image()
    xfs["file_system"] |= {"type": "xfs", "mkfs_command": ["mkfs.xfs", "-f"]}
    beside = store_run(owner, workload=workload(), target=xfs)
    unlike = store_run(owner, workload=workload(parameters={**PARAMETERS, "tests": ["write"]}), target=xfs)
    query = f"?beside={beside.id}&beside={unlike.id}&beside=x&rounds=14"

    with CaptureQueriesContext(connection) as queries:
        page = read(client.get(f"/runs/{mine.id}/again/{query}"))

    assert len([query for query in queries if '"runs_run"."rounds"' in query["sql"]]) == 1, "its own"
    assert "14 rounds, in turns with xfs" in page.text
    kept = f"beside={beside.id}&rounds=14"
    assert f"/runs/{mine.id}/again/plan.toml?{kept}" in page.text
    assert page.links["queue the plan"] == f"/plans/new/?again={mine.id}&{kept}"
    plan = read_plan(client.get(f"/runs/{mine.id}/again/plan.toml?{kept}").content.decode()).plan
    assert (plan.rounds, [part.file_system for part in plan.targets]) == (14, ["ext4", "xfs"])
    client.force_login(owner)
    assert "rounds = 14" in read(client.get(page.links["queue the plan"])).text


def test_a_run_that_the_reader_may_not_see_is_not_beside_it(client: Client, owner: User) -> None:
    mine = store_run(owner, workload=workload())
    hidden = store_run(owner, workload=workload(), visibility="private")

    page = read(client.get(f"/runs/{mine.id}/again/?beside={hidden.id}&rounds=99999"))

    assert str(hidden.id) not in page.text
    assert missing_in(page.text, "in turns", "rounds = 99999") == ["in turns", "rounds = 99999"]


def test_an_image_is_made_anew_with_its_options(client: Client, owner: User) -> None:
    run = store_run(owner, workload=workload(), target=image())

    (plan_target,) = read_plan(plan_again(run)).plan.targets

    assert (plan_target.kind, plan_target.size, plan_target.file_system) == ("image", GIB, "ext4")
    assert list(plan_target.mkfs_options) == ["-b", "4096"]
    assert "sudo BENCHAGENT_TOKEN=" in read(client.get(f"/runs/{run.id}/again/")).text


def test_what_no_plan_may_ask_for_falls_back_to_a_directory(owner: User) -> None:
    odd = image()
    odd["file_system"]["mkfs_command"] = ["mkfs.ext4", "-J", "device=/dev/sdb1"]

    (plan_target,) = read_plan(plan_again(store_run(owner, workload=workload(), target=odd))).plan.targets

    assert plan_target.kind == "directory"


def test_what_is_no_workload_of_its_own_has_no_plan_but_its_campaign(client: Client, owner: User) -> None:
    campaign = store_campaign(owner, campaign_document())
    step = workload("mkfs", {})
    run = store_run(owner, workload=step, campaign=of_point(campaign.id, "ext4/mkfs"))

    page = read(client.get(f"/runs/{run.id}/again/"))

    assert page.links["tiny"] == f"/campaigns/{campaign.id}/#plan"
    assert client.get(f"/runs/{run.id}/again/plan.toml").status_code == 404


def test_a_private_campaign_stays_so(client: Client, owner: User) -> None:
    campaign = store_campaign(owner, campaign_document(), visibility="private")
    run = store_run(owner, workload=workload(), campaign=of_point(campaign.id, "ext4/iozone"))

    assert "tiny" not in read(client.get(f"/runs/{run.id}/again/")).links


def test_of_what_was_imported_the_command_is_shown(client: Client, owner: User) -> None:
    run = store_run(owner, workload=workload(parameters={}), extra={"import": {"files": []}})

    page = read(client.get(f"/runs/{run.id}/again/"))

    assert """iozone -s 1G 'it'"'"'s'""" in page.text
    assert page.links["import what it prints"] == "/import/"


def test_figures_of_an_article_lead_to_its_plan(client: Client, owner: User) -> None:
    run = store_run(owner, extra={"publication": {"slug": "ffsb-2007"}})

    assert read(client.get(f"/runs/{run.id}/again/")).links["repeat it on your machine"] == "/articles/ffsb-2007/plan/"


def test_names_from_outside_stay_text(client: Client, owner: User) -> None:
    evil = {'<script>"]': "x", 'a = 1 # "': '<script>"] \\'}
    run = store_run(owner, workload=workload(parameters={**PARAMETERS, **evil}))

    with pytest.raises(NoPlan):  # no field of a plan
        plan_again(run)
    assert "<script>" not in client.get(f"/runs/{run.id}/again/").content.decode().partition("<main")[2]


def run_of_job_file(owner: User, text: str, stored: str | None = None, **added: Any) -> Run:
    """A run of fio with a job file; `stored` is its text in the run's artifact, if it is another."""
    digest = hashlib.sha256(text.encode()).hexdigest()
    parameters = {"job_file": "my.fio", "job_file_sha256": digest, "engine": "psync", "direct": True, **added}
    artifacts = [*document()["artifacts"], artifact("files/my.fio", text if stored is None else stored)]
    return store_run(owner, workload=workload("fio", parameters), artifacts=artifacts)


JOBS = """[global]
size=1m
direct=1
[a]
; it's "b" and it''s \\ not c
rw=randread
"""


def test_a_job_file_is_in_the_plan_unchanged(client: Client, owner: User) -> None:
    run = run_of_job_file(owner, JOBS)

    (planned,) = read_plan(client.get(f"/runs/{run.id}/again/plan.toml").content.decode()).plan.workloads

    assert (planned.tool, planned.parameters) == ("fio", {"jobs": JOBS})
    page = read(client.get(f"/runs/{run.id}/again/"))
    assert "; it's" in page.text
    assert "queue the plan" in page.links


@pytest.mark.parametrize(
    ("text", "stored", "parameters", "reason"),
    [
        (JOBS + "exec_prerun=sync\n", None, {}, "line 7: 'exec_prerun=sync'"),
        (JOBS, None, {"outside": ["/srv"]}, "a queued plan cannot have it"),
        (JOBS, JOBS.replace("b", "host-1"), {}, "the agent replaced private names in the stored job file"),
    ],
)
def test_the_page_says_why_a_job_file_is_in_no_plan(
    client: Client, owner: User, text: str, stored: str | None, parameters: dict[str, Any], reason: str
) -> None:
    run = run_of_job_file(owner, text, stored, **parameters)

    page = read(client.get(f"/runs/{run.id}/again/"))

    assert reason in page.text
    assert page.links["raw output"] == f"{run.get_absolute_url()}#raw"
    assert client.get(f"/runs/{run.id}/again/plan.toml").status_code == 404
    client.force_login(owner)
    assert reason in read(client.get(f"/plans/new/?again={run.id}")).text


@pytest.mark.parametrize("path", ["again/", "again/plan.toml", "others/"])
def test_a_run_that_is_not_to_be_seen_is_404(client: Client, owner: User, path: str) -> None:
    private = store_run(owner, visibility="private")
    client.force_login(make_user("eve"))

    for run_id in (private.id, unknown_id()):
        assert client.get(f"/runs/{run_id}/{path}").status_code == 404


@pytest.mark.parametrize("label", ["it's", "a\\", 'say "x'])
def test_options_that_no_plan_has_leave_the_directory(client: Client, owner: User, label: str) -> None:
    device = image()
    device["file_system"]["mkfs_command"] = ["mkfs.ext4", "-F", "-L", label]
    run = store_run(owner, workload=workload(), target=device)

    (plan_target,) = read_plan(client.get(f"/runs/{run.id}/again/plan.toml").content.decode()).plan.targets

    assert plan_target.kind == "directory"


@pytest.mark.parametrize("said", ["x", ["x"], None, {"slug": 5}, {"slug": "a/b c"}, {"slug": "<script>"}], ids=repr)
def test_an_article_that_is_none_breaks_no_page(client: Client, owner: User, said: Any) -> None:
    run = store_run(owner, workload=workload(), extra={"publication": said})

    assert "Run this again" in read(client.get(f"/runs/{run.id}/again/")).text

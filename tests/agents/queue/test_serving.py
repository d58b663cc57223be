"""`serve` with absent, faulty or hostile servers: accepted answers, waiting times, and stored state."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchagent import inventory
from benchagent.config import Config
from benchagent.errors import PlanError, QueueRefused
from benchagent.measuring.execution import Setting
from benchagent.queue.job import FAILED, FINISHED, HeldJob, Job, JobLost, JobOutcome, NoAnswer, Queue
from benchagent.queue.reporting import JobProgress
from benchagent.queue.serving import LONGEST_PAUSE, Agent, carry_out, finish_left_over, read_served, serve
from benchagent.server.client import Client
from benchagent.spool.store import Spool
from tests.agents.spool.test_campaigns import QUICK, Told
from tests.agents.support.server import HangUp, Say, Server, serving

JOB_ID, LEASE = "5ff04b2e-6a5c-4c0d-8a0f-3a6a3a1d0c01", "0b9f6f6e-2b1e-4a9a-9a57-6a7f3f1f0a02"
ANSWER = {"job_id": JOB_ID, "lease": LEASE, "plan": "x", "files": {}, "visibility": "private", "report_every": 20}
JOB = Job(JOB_ID, LEASE, "x", {}, "private", 20.0)
MACHINE = {"name": "epyc-2", "machine_id": "5a" * 32}


class Enough(Exception):
    """Ends an endless loop."""


def queue_of(server: Server) -> Queue:
    return Queue(Client(server.url, "secret", QUICK), MACHINE)


def agent_of(server: Server, base: Path) -> Agent:
    source = inventory.Source()
    setting = Setting(Spool(base / "spool"), base / "work", source, inventory.environment(source), MACHINE)
    return Agent(setting, Config(), Client(server.url, "secret", QUICK), Told(), HeldJob(base / "job.json"))


def test_a_job_is_what_the_server_says_in_the_form_it_has_to_have() -> None:
    with serving(Say(200, ANSWER)) as server:
        job = queue_of(server).claim()

    assert job == JOB
    assert json.loads(server.received[0].document)["machine_id"] == "5a" * 32
    assert server.received[0].headers["Authorization"] == "Bearer secret"


def test_no_job_is_none() -> None:
    with serving(Say(204)) as server:
        assert queue_of(server).claim() is None


@pytest.mark.parametrize(
    "change",
    [
        {"job_id": "../../runs"},
        {"job_id": 7},
        {"lease": None},
        {"plan": ["rm"]},
        {"files": {"a": 1}},
        {"files": ["a"]},
        {"visibility": "root"},
        {"report_every": "soon"},
        {"report_every": None},
        {"report_every": 10**400},
    ],
)
def test_an_answer_in_another_form_is_no_job(change: dict[str, Any]) -> None:
    with (
        serving(Say(200, {**ANSWER, **change})) as server,
        pytest.raises(QueueRefused, match="no BenchDB server sends"),
    ):
        queue_of(server).claim()


@pytest.mark.parametrize(("said", "kept"), [(0, 1.0), (-5, 1.0), (1e9, 60.0), (30, 30.0), (math.nan, 60.0)])
def test_a_server_makes_nobody_report_without_pause_or_never(said: float, kept: float) -> None:
    with serving(Say(200, {**ANSWER, "report_every": said})) as server:
        job = queue_of(server).claim()

    assert job is not None
    assert job.report_every == kept


@pytest.mark.parametrize(
    "answer", [Say(401, {}), Say(403, {}), Say(404, {}), Say(302), Say(422, {"error": {"message": "x"}})]
)
def test_what_only_a_person_can_mend_ends_serving(answer: Say, tmp_path: Path) -> None:
    with serving(answer) as server, pytest.raises(QueueRefused):
        serve(agent_of(server, tmp_path), 1.0, sleep=lambda seconds: None)


@pytest.mark.parametrize("answer", [HangUp(), Say(500), Say(503, {}), Say(429, {}), Say(200, b"")])
def test_a_server_that_is_away_is_asked_more_and_more_rarely(answer: Any, tmp_path: Path) -> None:
    pauses: list[float] = []

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 12:
            raise Enough

    with serving(answer) as server, pytest.raises(Enough):
        serve(agent_of(server, tmp_path), 1.0, sleep=sleep)

    longest = [min(2.0**i, LONGEST_PAUSE) for i in range(1, 13)]
    assert all(most / 2 <= pause <= most for pause, most in zip(pauses, longest, strict=True))


def test_between_two_questions_the_pause_varies(tmp_path: Path) -> None:
    pauses: list[float] = []

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 20:
            raise Enough

    with serving(Say(204)) as server, pytest.raises(Enough):
        serve(agent_of(server, tmp_path), 10.0, sleep=sleep)

    assert all(8.0 <= pause <= 12.0 for pause in pauses)
    assert len(set(pauses)) > 1


@pytest.mark.parametrize("names", [("a", "a/b"), ("a/b", "a")])
def test_files_that_cannot_lie_beside_each_other_are_refused_with_the_plan(
    tmp_path: Path, names: tuple[str, str]
) -> None:
    (tmp_path / "target").mkdir()
    mixes = [
        f'[[workloads]]\nname = "w{i}"\ntool = "fsload"\ncommand = "mix"\nprofile = "{name}"\n'
        for i, name in enumerate(names)
    ]
    plan = 'name = "x"\n[[targets]]\nkind = "directory"\n' + "".join(mixes)
    job = replace(JOB, plan=plan, files=dict.fromkeys(names, "text"))
    with serving() as server:
        agent = replace(agent_of(server, tmp_path), config=Config(directories=(str(tmp_path / "target"),)))

    with pytest.raises(PlanError, match="cannot be kept on this machine"):
        read_served(agent, job)


@pytest.mark.parametrize(
    ("workload", "fault"),
    [
        ('job_file = "a.fio"', "workload fio: line 2: 'exec_prerun=id'; a queued plan may not have the option"),
        ('jobs = "[a]\\nfilename=/dev/sda"', "workload fio: line 2: 'filename=/dev/sda'"),
        ('jobs = "[a]"\noutside = ["/"]', "workload fio: outside is"),
        ('job_file = "absent.fio"', "job_file: cannot read absent.fio"),
        ('job_file = "good.fio"', None),
    ],
)
def test_job_files_of_fio_are_checked_before_they_are_kept(tmp_path: Path, workload: str, fault: str | None) -> None:
    (tmp_path / "target").mkdir()
    plan = f'name = "x"\n[[targets]]\nkind = "directory"\n[[workloads]]\ntool = "fio"\n{workload}\n'
    job = replace(JOB, plan=plan, files={"a.fio": "[a]\nexec_prerun=id\n", "good.fio": "[a]\nrw=read\nsize=1m\n"})
    with serving() as server:
        agent = replace(agent_of(server, tmp_path), config=Config(directories=(str(tmp_path / "target"),)))
    if fault is None:
        assert [file.name for file in read_served(agent, job).workloads[0].files] == ["good.fio"]
        return
    with pytest.raises(PlanError) as caught:
        read_served(agent, job)
    assert fault in str(caught.value)


def test_the_server_hears_why_every_point_was_skipped(tmp_path: Path) -> None:
    target = f'name = "x"\n[[targets]]\nkind = "directory"\npath = "{tmp_path}/none"\n'
    plan = target + '[[workloads]]\ntool = "bonnie++"\nfiles = 1024\n'
    with serving(Say(401, {})) as server:
        agent = replace(agent_of(server, tmp_path), config=Config(directories=(str(tmp_path),)))
        with pytest.raises(QueueRefused):
            carry_out(agent, replace(JOB, plan=plan))

    left = agent.held.read()

    assert left is not None
    assert left[2] is not None
    assert left[2].outcome == FAILED
    assert left[2].reason.endswith(f"every point was skipped, each with a reason.\n{tmp_path}/none is not a directory")


@pytest.mark.parametrize("outcome", [None, JobOutcome(FINISHED, "", LEASE)])
def test_a_job_left_over_is_told_until_the_server_hears_it(tmp_path: Path, outcome: JobOutcome | None) -> None:
    with serving(Say(503), Say(200, {"state": "waiting"})) as server:
        agent = agent_of(server, tmp_path)
        agent.held.take(JOB)
        if outcome is not None:
            agent.held.settle(JOB, outcome)
        with pytest.raises(NoAnswer):
            finish_left_over(agent)
        assert agent.held.read() == (JOB_ID, LEASE, outcome)
        finish_left_over(agent)
        finish_left_over(agent)

    reports = [json.loads(request.document) for request in server.received]
    assert [report["outcome"] for report in reports] == [outcome.outcome if outcome else "given_back"] * 2
    assert server.received[0].path == f"/api/v1/queue/{JOB_ID}/finish"
    assert agent.held.read() is None


def test_a_job_that_somebody_else_has_is_forgotten(tmp_path: Path) -> None:
    with serving(Say(409, {"error": {"code": "lease_lost", "message": "x"}})) as server:
        agent = agent_of(server, tmp_path)
        agent.held.take(JOB)
        finish_left_over(agent)
        with pytest.raises(JobLost):
            agent.queue.report(JOB, {}, None)

    assert agent.held.read() is None


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"job_id": 1}', '{"job_id": "a", "lease": "b", "outcome": {"x": 1}}']
)
def test_a_damaged_note_of_a_job_hinders_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "job.json").write_text(text)
    with serving(Say(204)) as server:
        serve(agent_of(server, tmp_path), 1.0, once=True)

    assert not (tmp_path / "job.json").exists()


def test_progress_is_what_was_heard_last() -> None:
    told = Told()
    progress = JobProgress(told)
    progress.event("announced", campaign_id=LEASE, points=2)
    progress.event("point_started", point="a/b", round="1")
    progress.event("point_finished", point="a/b", round="1")
    progress.tick(12.5, 1.5)

    assert progress.snapshot() == {"point": "a/b", "round": "1", "points_done": 1, "left": 12.5, "share": 1.0}
    progress.event("round_finished", round="1")
    assert progress.snapshot()["points_done"] == 0
    assert progress.snapshot()["rounds_done"] == 1
    assert progress.campaign_id == LEASE
    assert told.kinds == ["announced", "point_started", "point_finished", "round_finished"]

"""A queued plan from the API to the runs: a real server with its worker, and a real agent that serves."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from benchdb.embedded.stack import PROJECT
from tests.support.html import parse
from tests.support.signals import signalled
from tests.system.server import PATIENCE, Server

pytestmark = pytest.mark.needs("cc", package="gcc")

TINY = """name = "tiny"
rounds = 2

[[targets]]
kind = "directory"

[[workloads]]
tool = "fsload"
file_sizes = ["256 KiB"]
record_sizes = ["64 KiB"]
tests = ["write", "read"]
"""
# Takes minutes: what is stopped in the middle.
ENDLESS = TINY.replace("rounds = 2", "rounds = 1000000\nmin_rounds = 1000000")
# Past the API, straight into the database: what a server in the wrong hands would send.
HOSTILE = """
from benchdb.catalog.models import Machine
from benchdb.plans.models import Job
machine = Machine.objects.get(name={machine!r})
for plan in {plans!r}:
    print(Job.objects.create(owner=machine.owner, machine=machine, plan_name="x", plan_text=plan).pk)
"""


class Agent:
    """An agent with a state directory and a config file of its own, and one directory it may measure in."""

    def __init__(self, server: Server, base: Path, name: str) -> None:
        self.server, self.name, self.state, self.target = server, name, base / "state", base / "target"
        self.target.mkdir(parents=True)
        self.state.mkdir()
        (self.state / "config.toml").write_text(f'[targets]\ndirectories = ["{self.target}"]\n')
        self.environment = {
            **os.environ,
            "PYTHONPATH": str(PROJECT / "agents"),
            "BENCHAGENT_STATE": str(self.state),
            "BENCHAGENT_SERVER": server.url,
            "BENCHAGENT_TOKEN": server.manage(
                "token", "ada", "--create-owner", "--scope", "upload", "--scope", "serve"
            ),
        }
        self.person = server.manage("token", "ada", "--scope", "queue", "--scope", "read")

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "benchagent", "serve", "--machine-name", self.name, "--json", *arguments]

    def once(self) -> list[dict[str, Any]]:
        """Serve until nothing waits; the events."""
        done = subprocess.run(
            self.command("--once"), env=self.environment, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    @contextmanager
    def serving(self) -> Iterator[subprocess.Popen[str]]:
        """Serve in the background; killed at the end if it still runs."""
        command = self.command("--every", "0.2 s")
        with subprocess.Popen(
            command, env=signalled(self.environment), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            try:
                yield process
            finally:
                process.kill()

    def queue(self, plan: str) -> str:
        """Queue a plan for this machine by the API; the job's id."""
        body = json.dumps({"plan": plan, "machines": [self.name], "visibility": "public"}).encode()
        status, answer = self.server.request("api/v1/queue", "POST", self.person, body)
        assert status == 201, answer
        (job,) = json.loads(answer)["jobs"]
        return str(job["id"])

    def job(self, job_id: str) -> dict[str, Any]:
        status, answer = self.server.request(f"api/v1/queue/{job_id}", secret=self.person)
        assert status == 200, answer
        found: dict[str, Any] = json.loads(answer)
        return found

    def until(self, job_id: str, wanted: Any) -> dict[str, Any]:
        """The job as soon as it is as `wanted` says."""
        end = time.monotonic() + PATIENCE
        while not wanted(job := self.job(job_id)):
            assert time.monotonic() < end, job
            time.sleep(0.1)
        return job

    def campaign(self, job: dict[str, Any]) -> dict[str, Any]:
        status, answer = self.server.request(f"api/v1/campaigns/{job['campaign_id']}", secret=self.person)
        assert status == 200, answer
        found: dict[str, Any] = json.loads(answer)
        return found


@pytest.fixture(scope="module")
def agent(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Agent:
    made = Agent(server, tmp_path_factory.mktemp("serve"), "epyc-7")
    assert [event["event"] for event in made.once()] == ["events", "listening"]  # from now on the machine is known
    return made


def test_a_queued_plan_is_measured_uploaded_and_finished(agent: Agent) -> None:
    job_id = agent.queue(TINY)

    events = [event["event"] for event in agent.once()]

    assert [
        each for each in events if each in ("claimed", "announced", "campaign_sent", "uploaded", "job_finished")
    ] == [
        "claimed",
        "announced",
        "campaign_sent",
        "uploaded",
        "campaign_sent",
        "job_finished",
    ]
    job = agent.job(job_id)
    assert (job["state"], job["reason"]) == ("finished", None)
    campaign = agent.campaign(job)
    assert (campaign["state"], campaign["tally"], campaign["plan"]) == ("finished", {"finished": 1}, "tiny")
    (point,) = campaign["points"]
    assert (point["id"], point["rounds"]) == ("directory/fsload", 2)
    page = parse(agent.server.request(f"campaigns/{job['campaign_id']}/")[1].decode())
    assert [cell.text for cell in page.tables["points"][1]][1:] == ["finished 2 rounds"]
    assert os.listdir(agent.target) == []
    assert not (agent.state / "job.json").exists()


def test_what_the_agent_does_not_allow_is_refused_and_touches_nothing(agent: Agent, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    attacks = {
        TINY.replace('kind = "directory"', f'kind = "directory"\npath = "{elsewhere}"'): "directories",
        TINY.replace('kind = "directory"', 'kind = "directory"\npath = "/etc"'): "directories",
        TINY.replace('kind = "directory"', 'kind = "image"\nsize = "64 MiB"\nfile_system = "ext4"'): "images = true",
        TINY.replace('tool = "fsload"', 'tool = "sh"'): "tool is 'sh'",
        TINY + 'command = "rm -rf /"\n': "command is 'rm -rf /'",
        "a = " + "[" * 20_000: "nested too deeply",
        "x" * 100_000: "characters",
    }
    program = HOSTILE.format(machine=agent.name, plans=list(attacks))
    jobs = agent.server.manage("shell", "--no-imports", "-c", program).split()
    agent.once()
    for job_id, why in zip(jobs, attacks.values(), strict=True):
        job = agent.job(job_id)
        assert (job["state"], job["campaign_id"]) == ("refused", None)
        assert why in job["reason"]
    assert os.listdir(elsewhere) == os.listdir(agent.target) == []


def test_a_running_plan_shows_its_progress_and_stops_when_it_is_cancelled(agent: Agent) -> None:
    with agent.serving() as process:
        job_id = agent.queue(ENDLESS)
        job = agent.until(job_id, lambda job: (job["progress"] or {}).get("rounds_done"))
        assert job["state"] == "running"
        assert job["progress"]["point"] == "directory/fsload"
        assert agent.campaign(job)["tally"] == {"running": 1}

        agent.server.request(f"api/v1/queue/{job_id}/cancel", "POST", agent.person, b"{}")

        job = agent.until(job_id, lambda job: job["state"] != "running")
        assert (job["state"], job["reason"]) == ("cancelled", "It was cancelled.")
        campaign = agent.campaign(job)
        assert (campaign["state"], campaign["tally"]) == ("stopped", {"finished": 1})  # its rounds are kept
        again = agent.queue(TINY)  # it goes on serving
        agent.until(again, lambda job: job["state"] == "finished")
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 128 + signal.SIGTERM
    assert os.listdir(agent.target) == []


def test_an_agent_that_is_told_to_stop_gives_its_plan_back(agent: Agent) -> None:
    with agent.serving() as process:
        job_id = agent.queue(ENDLESS)
        agent.until(job_id, lambda job: (job["progress"] or {}).get("rounds_done"))
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 128 + signal.SIGTERM

    job = agent.job(job_id)
    assert (job["state"], job["reason"]) == ("waiting", "Stopped by SIGTERM.")
    agent.server.request(f"api/v1/queue/{job_id}/cancel", "POST", agent.person, b"{}")
    assert [event["event"] for event in agent.once()][-1] != "claimed"


def test_the_next_start_of_a_killed_agent_gives_its_plan_back_and_ends_its_campaign(agent: Agent) -> None:
    with agent.serving() as process:
        job_id = agent.queue(ENDLESS)
        killed = agent.until(job_id, lambda job: (job["progress"] or {}).get("rounds_done"))
        process.kill()
        process.wait()
    agent.server.request(f"api/v1/queue/{job_id}/cancel", "POST", agent.person, b"{}")
    assert agent.job(job_id)["state"] == "running"

    agent.once()

    assert agent.job(job_id)["state"] == "cancelled"
    agent.queue(TINY)
    agent.once()
    campaign = agent.campaign(killed)
    assert (campaign["state"], campaign["tally"]) == ("killed", {"finished": 1})  # the rounds before the kill were kept

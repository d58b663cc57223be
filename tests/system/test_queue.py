"""A queued plan from the API to the runs: a real server with its worker, and a real agent that serves."""

import os
import signal
from pathlib import Path

import pytest

from tests.support.html import parse
from tests.system.agent import TINY, Agent
from tests.system.server import PATIENCE, Server

pytestmark = pytest.mark.needs("cc", package="gcc")

# Takes minutes, for tests that stop it.
ENDLESS = TINY.replace("rounds = 2", "rounds = 1000000\nmin_rounds = 1000000")
# Stored directly in the database, as a server in the wrong hands would send it.
HOSTILE = """
from benchdb.catalog.models import Machine
from benchdb.plans.models import Job
machine = Machine.objects.get(name={machine!r})
for plan in {plans!r}:
    print(Job.objects.create(owner=machine.owner, machine=machine, plan_name="x", plan_text=plan).pk)
"""


@pytest.fixture(scope="module")
def agent(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Agent:
    # With a different owner, so that the machine's name in public runs of other tests stays the same.
    made = Agent(server, tmp_path_factory.mktemp("serve"), "epyc-7", owner="eve")
    assert [event["event"] for event in made.once()] == ["events", "listening"]  # makes the machine known
    return made


def test_a_queued_plan_is_measured_uploaded_and_finished(agent: Agent) -> None:
    job_id = agent.queue(TINY)

    events = [event["event"] for event in agent.once()]

    assert [
        name for name in events if name in ("claimed", "announced", "campaign_sent", "uploaded", "job_finished")
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
        assert (job["state"], job["progress"]["point"]) == ("running", "directory/fsload")
        assert agent.campaign(job)["tally"] == {"running": 1}

        agent.server.request(f"api/v1/queue/{job_id}/cancel", "POST", agent.person, b"{}")

        job = agent.until(job_id, lambda job: job["state"] != "running")
        assert (job["state"], job["reason"]) == ("cancelled", "It was cancelled.")
        campaign = agent.campaign(job)
        assert (campaign["state"], campaign["tally"]) == ("stopped", {"finished": 1})  # its rounds are kept
        again = agent.queue(TINY)  # the agent continues to serve
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
    assert (campaign["state"], campaign["tally"]) == ("killed", {"finished": 1})  # rounds before the kill were kept

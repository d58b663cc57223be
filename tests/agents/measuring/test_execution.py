"""The campaign documents of `run`: announced before the first round, and ended in every case."""

import json
import signal
from typing import Any

import pytest

from benchagent.spool.campaigns import Campaigns
from benchagent.spool.store import PENDING, SENT
from benchdb.ingest.contract import CampaignDocument, validate_campaign
from tests.agents.measuring.test_run import DIRECTORY, Agent, agent, events, kinds
from tests.agents.support.server import HangUp, Say, serving
from tests.support.waiting import wait_until

pytestmark = pytest.mark.needs("cc", package="gcc")
__all__ = ["agent"]  # the fixture

STORED = Say(201, {"url": "/runs/1", "state": "received"})
FSLOAD = """
[[workloads]]
tool = "fsload"
file_sizes = ["64 KiB"]
record_sizes = ["4 KiB"]
tests = ["write"]

[[workloads]]
name = "check"
tool = "maintenance"
tests = ["remount"]
"""


def token(agent: Agent) -> str:
    path = agent.state.parent / "token"
    path.write_text("secret\n")
    return str(path)


def documents(agent: Agent, which: str, state: str) -> list[CampaignDocument]:
    """The campaign documents of the spool, checked by the server's contract."""
    spool = getattr(Campaigns(agent.spool), which)
    return [validate_campaign(spool.read(state, each))[0] for each in spool.ids(state)]


def test_a_campaign_is_announced_with_what_is_skipped_and_ended_after_its_runs(agent: Agent) -> None:
    with serving(STORED) as server:
        done = agent.run(
            "rounds = 1\n" + DIRECTORY + FSLOAD, "--json", "--server", server.url, "--token-file", token(agent)
        )
    assert done.returncode == 0, done.stderr

    told = [
        kind
        for kind in kinds(events(done.stdout))
        if kind in ("announced", "campaign_sent", "point_started", "uploaded")
    ]
    assert told == ["announced", "campaign_sent", "point_started", "uploaded", "campaign_sent"]
    first, last = [validate_campaign(campaign.document) for campaign in server.campaigns]
    assert first[1] == last[1]  # the same except for its end
    announced, over = first[0], last[0]
    assert (announced.ended, announced.plan.name) == (None, "test")
    assert "record_sizes" in announced.plan.text
    points = {point.id: (point.state, point.reason) for point in announced.points}
    assert (points["directory/fsload"], points["directory/check"][0]) == (("planned", None), "skipped")
    assert points["directory/check"][1]
    assert over.ended is not None
    assert (over.ended.state, over.ended.measured, over.ended.skipped, over.ended.missing) == ("finished", 1, 1, 0)
    (run,) = agent.documents("sent").values()
    assert run.campaign is not None
    assert run.campaign.id == announced.campaign_id


def test_without_a_server_both_documents_wait_for_the_next_upload(agent: Agent) -> None:
    done = agent.run("rounds = 1\n" + DIRECTORY + FSLOAD, "--json")
    assert done.returncode == 0, done.stderr
    (announced,), (over,) = documents(agent, "announcements", PENDING), documents(agent, "ends", PENDING)
    assert announced.campaign_id == over.campaign_id
    status = json.loads(agent("status", "--json").stdout)
    assert (status["campaigns"], status["counts"]["pending"]) == (2, 1)

    with serving(STORED) as server:
        sent = agent("upload", "--server", server.url, "--token-file", token(agent))

    assert sent.returncode == 0, sent.stderr
    assert (len(server.received), len(server.campaigns)) == (1, 2)
    assert len(documents(agent, "ends", SENT)) == 1
    assert json.loads(agent("status", "--json").stdout)["campaigns"] == 0


def test_what_breaks_off_at_the_announcement_is_tried_again_at_the_end(agent: Agent) -> None:
    with serving(STORED) as server:
        server.of_campaigns = HangUp()
        start = agent.start(
            "run",
            agent.plan("rounds = 1\n" + DIRECTORY + FSLOAD),
            "--directory",
            str(agent.directory),
            "--json",
            "--server",
            server.url,
            "--token-file",
            token(agent),
        )
        with start as process:
            assert process.stdout is not None
            for line in process.stdout:
                if '"unannounced"' in line:
                    server.of_campaigns = Say(201, {"url": "/campaigns/1/"})
            assert process.wait() == 0

    assert len(documents(agent, "announcements", SENT)) == len(documents(agent, "ends", SENT)) == 1


def test_a_campaign_that_is_stopped_says_so(agent: Agent) -> None:
    plan = agent.plan("rounds = 1000000\n" + DIRECTORY + FSLOAD)
    with agent.start("run", plan, "--directory", str(agent.directory), "--json") as process:
        assert process.stdout is not None
        wait_until(lambda: '"round_finished"' in process.stdout.readline())
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=120)

    (over,) = documents(agent, "ends", PENDING)
    assert over.ended is not None
    assert (over.ended.state, over.ended.reason, over.ended.measured) == ("stopped", "Stopped by SIGTERM.", 1)


def test_a_plan_of_which_nothing_can_be_measured_is_a_campaign_too(agent: Agent) -> None:
    assert agent.run("rounds = 1\n" + DIRECTORY + FSLOAD.split("\n\n")[1]).returncode == 10
    (over,) = documents(agent, "ends", PENDING)
    assert over.ended is not None
    assert (over.ended.state, over.ended.skipped) == ("failed", 1)


def test_private_names_stay_here(agent: Agent) -> None:
    home: Any = agent.environment.get("HOME", "/root")
    agent.run(f"rounds = 1\n# kept in {home}/plans by 00:1b:21:aa:bb:cc\n" + DIRECTORY + FSLOAD)

    (announced,) = documents(agent, "announcements", PENDING)
    assert "00:1b:21:aa:bb:cc" not in announced.plan.text
    assert str(agent.directory) not in json.dumps(announced.model_dump(mode="json"))

"""The campaign documents of a spool: kept, delivered around the runs, and ended by the next start after a kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from benchagent.campaigns import Campaigns, deliver
from benchagent.client import Client, NotNow, Patience
from benchagent.spool import PENDING, REJECTED, SENT
from benchdb.ingest.contract import validate_campaign
from tests.agents.server import HangUp, Say, serving
from tests.support.campaigns import campaign_document, ended, skipped
from tests.support.documents import encoded

AGENTS = Path(__file__).parents[2] / "agents"
QUICK = Patience(attempts=1)
# Announces a campaign and waits to be killed.
ANNOUNCER = """
import json, pathlib, sys, time
from benchagent.campaigns import Campaigns
campaigns = Campaigns(pathlib.Path(sys.argv[1]))
campaigns.announce(json.loads(sys.argv[2]))
print("announced", flush=True)
time.sleep(600)
"""


class Told:
    """A reporter that remembers."""

    def __init__(self) -> None:
        self.events: list[tuple[str, dict[str, Any]]] = []

    def event(self, kind: str, **facts: Any) -> None:
        self.events.append((kind, facts))

    def tick(self, left: float | None, share: float) -> None:
        """Nothing to remember."""

    @property
    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.events]


@pytest.fixture
def campaigns(tmp_path: Path) -> Campaigns:
    return Campaigns(tmp_path / "spool")


def test_an_announcement_and_its_end_wait_side_by_side(campaigns: Campaigns, tmp_path: Path) -> None:
    sent = campaign_document()
    campaigns.announce(sent)
    campaigns.end(ended(sent))

    assert campaigns.waiting() == 2
    assert [json.loads(each) for each in campaigns.documents()] == [sent, ended(sent)]
    assert list((tmp_path / "spool" / "running").iterdir()) == []


def test_they_are_delivered_and_settled(campaigns: Campaigns) -> None:
    sent = campaign_document()
    campaigns.announce(sent)
    told = Told()
    with serving(Say(500)) as server:
        assert deliver(campaigns.announcements, Client(server.url, "secret", QUICK), told) == 0
        campaigns.end(ended(sent))
        assert deliver(campaigns.ends, Client(server.url, "secret", QUICK), told) == 0

    assert [each.path for each in server.campaigns] == [f"/api/v1/campaigns/{sent['campaign_id']}"] * 2
    assert [json.loads(each.document) for each in server.campaigns] == [sent, ended(sent)]
    assert campaigns.waiting() == 0
    assert campaigns.ends.ids(SENT) == [sent["campaign_id"]]
    assert told.kinds == ["campaign_sent"] * 2


@pytest.mark.parametrize("status", [404, 405])
def test_a_server_that_knows_no_campaigns_is_told_of_once(campaigns: Campaigns, status: int) -> None:
    campaigns.announce(campaign_document())
    told = Told()
    with serving(Say(500)) as server:
        server.of_campaigns = Say(status, {"error": {"code": "x", "message": "There is nothing here."}})
        for _ in range(2):
            assert deliver(campaigns.announcements, Client(server.url, "secret", QUICK), told) == 0

    assert told.kinds == ["campaigns_unknown"]
    assert len(campaigns.announcements.ids(REJECTED)) == 1
    campaigns.reopen()
    assert campaigns.waiting() == 1


def test_a_refused_one_is_told_counted_and_kept(campaigns: Campaigns) -> None:
    campaigns.announce(campaign_document())
    told = Told()
    with serving(Say(500)) as server:
        server.of_campaigns = Say(409, {"error": {"code": "conflict", "message": "Another campaign is stored."}})
        assert deliver(campaigns.announcements, Client(server.url, "secret", QUICK), told) == 1

    assert told.events[0][1]["why"] == "Another campaign is stored."
    assert len(campaigns.announcements.ids(REJECTED)) == 1


@pytest.mark.parametrize("answer", [HangUp(), Say(503), Say(401, {}), Say(200, b"<html>")])
def test_what_the_server_does_not_decide_waits(campaigns: Campaigns, answer: Any) -> None:
    campaigns.announce(campaign_document())
    with serving(Say(500)) as server:
        server.of_campaigns = answer
        with pytest.raises(NotNow):
            deliver(campaigns.announcements, Client(server.url, "secret", QUICK), Told())

    assert campaigns.waiting() == 1


def test_a_campaign_that_goes_on_is_not_taken_for_dead(campaigns: Campaigns, tmp_path: Path) -> None:
    sent = campaign_document()
    campaigns.announce(sent)

    assert campaigns.end_killed() == []
    assert Campaigns(tmp_path / "spool").end_killed() == []
    campaigns.end(ended(sent))
    assert Campaigns(tmp_path / "spool").end_killed() == []
    assert len(campaigns.ends.ids(PENDING)) == 1


def test_the_next_start_ends_what_was_killed(tmp_path: Path) -> None:
    sent = skipped(campaign_document(), 3, "no such tool")
    command = [sys.executable, "-c", ANNOUNCER, str(tmp_path / "spool"), json.dumps(sent)]
    environment = {**os.environ, "PYTHONPATH": str(AGENTS)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as agent:
        assert agent.stdout is not None
        assert agent.stdout.readline() == "announced\n"
        campaigns = Campaigns(tmp_path / "spool")
        assert campaigns.end_killed() == []
        agent.send_signal(signal.SIGKILL)

    assert campaigns.end_killed() == [sent["campaign_id"]]
    assert campaigns.end_killed() == []
    (end,) = [json.loads(campaigns.ends.read(PENDING, each)) for each in campaigns.ends.ids(PENDING)]
    document, digest = validate_campaign(encoded(end))
    assert document.ended is not None
    assert (document.ended.state, document.ended.skipped, document.ended.missing) == ("killed", 1, 3)
    assert digest == validate_campaign(encoded(sent))[1]  # the same campaign

"""The campaign documents of a spool: kept, and delivered around the runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchagent.server.client import Client, NotNow, Patience
from benchagent.spool.campaigns import Campaigns
from benchagent.spool.delivering import deliver
from benchagent.spool.store import REJECTED, SENT
from tests.agents.support.server import HangUp, Say, serving
from tests.support.campaigns import campaign_document, ended

QUICK = Patience(attempts=1)


class Told:
    """A reporter that stores its messages."""

    def __init__(self) -> None:
        self.events: list[tuple[str, dict[str, Any]]] = []

    def event(self, kind: str, **facts: Any) -> None:
        self.events.append((kind, facts))

    def tick(self, left: float | None, share: float) -> None:
        """Do nothing."""

    @property
    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.events]


@pytest.fixture
def campaigns(tmp_path: Path) -> Campaigns:
    return Campaigns(tmp_path / "spool")


def test_an_announcement_and_its_end_wait_side_by_side(campaigns: Campaigns) -> None:
    sent = campaign_document()
    campaigns.announce(sent)
    campaigns.end(ended(sent))

    assert campaigns.waiting() == 2
    assert [json.loads(document) for document in campaigns.documents()] == [sent, ended(sent)]


def test_they_are_delivered_and_settled(campaigns: Campaigns) -> None:
    sent = campaign_document()
    campaigns.announce(sent)
    told = Told()
    with serving(Say(500)) as server:
        assert deliver(campaigns.announcements, Client(server.url, "secret", QUICK), told) == 0
        campaigns.end(ended(sent))
        assert deliver(campaigns.ends, Client(server.url, "secret", QUICK), told) == 0

    assert [request.path for request in server.campaigns] == [f"/api/v1/campaigns/{sent['campaign_id']}"] * 2
    assert [json.loads(request.document) for request in server.campaigns] == [sent, ended(sent)]
    assert campaigns.waiting() == 0
    assert campaigns.ends.ids(SENT) == [sent["campaign_id"]]
    assert [(kind, facts["over"]) for kind, facts in told.events] == [("campaign_sent", False), ("campaign_sent", True)]


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

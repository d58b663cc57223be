"""The next start keeps the results of killed agents, once and with their original ids."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from typing import Any

import pytest

from benchagent.documents.ids import uuid7
from benchagent.documents.records import PointRecord
from benchagent.spool import rounds_file as shelf_module
from benchagent.spool.campaigns import Campaigns
from benchagent.spool.killed_agents import keep_killed
from benchagent.spool.rounds_file import Shelf, StoredRounds, beginning
from benchagent.spool.running_files import Running, RunningFile
from benchagent.spool.store import PENDING, SENT, Spool
from tests.agents.spool.test_campaigns import Told
from tests.agents.spool.test_rounds_file import PLAN, frame, measured
from tests.support.campaigns import campaign_document, ended
from tests.texts import missing_in


class Campaign:
    """An announced campaign: two rounds of its first point are measured, none of its second."""

    def __init__(self, spool: Spool) -> None:
        self.announced = campaign_document() | {"campaign_id": uuid7()}
        self.id = self.announced["campaign_id"]
        shelf = Shelf()
        self.records = [PointRecord(point, StoredRounds(shelf, point.id)) for point in PLAN.points()]
        self.frame = replace(frame(), campaign_id=self.id)
        self.file: RunningFile = Running(spool.directory).create(self.id, beginning(self.frame, self.records))
        shelf.open(self.file)
        Campaigns(spool.directory).announce(self.announced)
        for number in (0, 2):
            self.records[0].rounds.append(measured(number))

    def kill(self) -> Campaign:
        """Release the lock, as the kernel does for a killed process."""
        self.file.release()
        return self

    def ended(self, spool: Spool) -> dict[str, Any]:
        found = json.loads(Campaigns(spool.directory).ends.read(PENDING, self.id))["ended"]
        assert isinstance(found, dict)
        return found


def kept(spool: Spool) -> Told:
    told = Told()
    keep_killed(spool, told)
    return told


def left(spool: Spool) -> list[str]:
    return os.listdir(spool.directory / "running")


def test_its_rounds_become_documents_and_its_campaign_ends(spool: Spool) -> None:
    campaign = Campaign(spool).kill()

    assert kept(spool).kinds == ["spooled", "campaign_killed"]

    (run_id,) = spool.ids(PENDING)
    document = json.loads(spool.read(PENDING, run_id))
    assert (run_id, document["campaign"]["id"]) == (campaign.records[0].run_id, campaign.id)
    assert (len(document["rounds"]), document["protocol"]["ended_by"]) == (2, "stopped")
    ended = campaign.ended(spool)
    assert {key: ended[key] for key in ("state", "measured", "failed", "skipped", "missing")} == {
        "state": "killed",
        "measured": 1,
        "failed": 0,
        "skipped": 0,
        "missing": 1,
    }
    assert left(spool) == []
    assert kept(spool).kinds == []


def test_two_campaigns_and_one_that_goes_on(spool: Spool) -> None:
    killed = [Campaign(spool).kill() for _ in range(2)]
    alive = Campaign(spool)

    assert sorted(kept(spool).kinds) == ["campaign_killed"] * 2 + ["spooled"] * 2
    assert spool.ids(PENDING) == sorted(campaign.records[0].run_id for campaign in killed)
    assert left(spool) == [alive.id]
    alive.records[0].rounds.append(measured(3))
    assert len(alive.records[0].rounds) == 3


@pytest.mark.parametrize("state", [PENDING, SENT])
def test_a_kill_in_the_middle_of_keeping_keeps_nothing_twice(spool: Spool, state: str) -> None:
    """The document exists, and the agent was killed before it could write the end of the campaign."""
    campaign = Campaign(spool).kill()
    run_id = campaign.records[0].run_id
    spool.add(run_id, {"made": "before"})
    if state == SENT:
        spool.settle(run_id, SENT, {})

    assert kept(spool).kinds == ["campaign_killed"]
    assert json.loads(spool.read(state, run_id)) == {"made": "before"}
    assert campaign.ended(spool)["measured"] == 1
    assert left(spool) == []


def test_it_is_the_same_document_whoever_makes_it(spool: Spool) -> None:
    Campaign(spool).kill()
    (path,) = (spool.directory / "running").iterdir()
    data = path.read_bytes()
    kept(spool)
    (run_id,) = spool.ids(PENDING)
    first = spool.read(PENDING, run_id)
    spool.path(PENDING, run_id).unlink()
    Running(spool.directory).create(path.name, data).release()
    assert kept(spool).kinds == ["spooled"]
    assert spool.read(PENDING, run_id) == first


def test_a_campaign_that_had_told_its_end_is_not_ended_again(spool: Spool) -> None:
    campaign = Campaign(spool).kill()
    Campaigns(spool.directory).end(ended(campaign.announced))
    assert kept(spool).kinds == ["spooled"]
    assert campaign.ended(spool)["state"] == "finished"
    assert left(spool) == []


def test_a_round_that_was_cut_off_is_said(spool: Spool) -> None:
    campaign = Campaign(spool).kill()
    os.truncate(campaign.file.path, campaign.file.path.stat().st_size - 1)
    assert kept(spool).kinds == ["torn", "spooled", "campaign_killed"]
    assert len(json.loads(spool.read(PENDING, campaign.records[0].run_id))["rounds"]) == 1


def test_another_version_is_named_and_keeps_its_rounds(spool: Spool, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(shelf_module, "__version__", "9.9")
        campaign = Campaign(spool).kill()
    before = campaign.file.path.read_bytes()

    for _ in range(2):
        [(kind, facts)] = kept(spool).events
        assert kind == "unrecovered"
        assert not missing_in(facts["why"], "of version 9.9; this is ", "`benchagent upload` of that version")
    assert campaign.file.path.read_bytes() == before
    assert Campaigns(spool.directory).ends.ids(PENDING) == []


def test_what_others_may_have_written_is_not_read(spool: Spool) -> None:
    campaign = Campaign(spool).kill()
    campaign.file.path.chmod(0o660)
    [(kind, facts)] = kept(spool).events
    assert (kind, spool.ids(PENDING)) == ("unrecovered", [])
    assert campaign.id in facts["why"]
    campaign.file.path.chmod(0o600)
    assert kept(spool).kinds == ["spooled", "campaign_killed"]


@pytest.mark.parametrize("data", [b"something else", b"{}\n", b"\x80\x05."])
def test_a_file_that_is_none_of_ours_stays(spool: Spool, data: bytes) -> None:
    Running(spool.directory).create("x", data).release()
    assert kept(spool).kinds == ["unrecovered"]
    assert left(spool) == ["x"]


def test_one_document_that_cannot_be_made_costs_no_other(spool: Spool) -> None:
    """Its rounds stay in the file, and the campaign has ended nevertheless."""
    campaign = Campaign(spool)
    bad, good = campaign.records
    good.rounds.append(measured(5))
    bad.state_before = {"fill": float("nan")}
    shelf = bad.rounds._shelf  # type: ignore[union-attr]
    shelf.note([bad])
    campaign.kill()

    told = kept(spool)

    assert told.kinds == ["spooled", "campaign_killed", "unrecovered"]
    assert "ValueError" in told.events[-1][1]["why"]
    assert spool.ids(PENDING) == [good.run_id]
    assert left(spool) == [campaign.id]
    assert kept(spool).kinds == ["unrecovered"]


def test_an_agent_from_before_left_an_empty_file(spool: Spool) -> None:
    announced = campaign_document()
    Campaigns(spool.directory).announce(announced)
    Running(spool.directory).create(announced["campaign_id"], b"").release()
    assert kept(spool).kinds == ["campaign_killed"]
    assert left(spool) == []

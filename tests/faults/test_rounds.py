"""Kill the agent (-9) in the middle of a plan: the next start delivers the finished rounds, whatever else happens."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchdb.ingest.contract import validate_campaign
from tests.agents.support.server import Say, Server, serving
from tests.faults.agent import DONE, PLAN, UNDECIDED, Agent
from tests.faults.test_kills import PATIENCE
from tests.ingest.sent import sent_run
from tests.support.waiting import wait_until

pytestmark = [
    pytest.mark.needs("root", package=None),
    pytest.mark.needs("loop devices", package=None),
    pytest.mark.needs("cc", package="gcc"),
]
STORED = Say(201, {"url": "/runs/1", "state": "received"})


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(STORED) as found:
        yield found


@pytest.fixture
def killed(base: Path, server: Server) -> Iterator[Agent]:
    """An agent that was killed in its third round, or a later one."""
    agent = Agent(base, server.url, "secret", lambda event: None)
    (base / "plan.toml").write_text(PLAN.replace("rounds = 2", "rounds = 1000"))
    agent.measure()
    wait_until(lambda: max(agent.heard.values(), default=0) >= 3, PATIENCE)
    agent.kill()
    assert agent.documents("pending") == {}
    yield agent
    assert agent.finish("clean") == DONE, agent.last_words()


def test_the_next_upload_delivers_the_finished_rounds(killed: Agent, server: Server) -> None:
    assert killed.finish_upload() == DONE, killed.last_words()

    documents = killed.documents()
    received = {run.run_id: run for run in (sent_run(upload.document) for upload in server.received)}
    rounds = {run.campaign.point: len(run.rounds) for run in received.values() if run.campaign}
    assert set(map(str, received)) == set(documents)
    assert len(rounds) == len(documents) == 5
    assert (min(rounds.values()) >= 2, max(rounds.values()) >= 3) == (True, True)
    assert killed.lost(documents.values()) == {}
    assert {document["protocol"]["ended_by"] for document in documents.values()} == {"stopped"}
    ended = validate_campaign(server.campaigns[-1].document)[0].ended
    assert ended is not None
    assert (ended.state, ended.measured, ended.failed, ended.skipped, ended.missing) == ("killed", 5, 0, 0, 0)
    assert os.listdir(killed.spool / "running") == []
    assert killed.finish("clean") == DONE
    assert set(killed.documents()) == set(documents)


def test_an_agent_that_serves_delivers_them_before_it_asks_for_work(killed: Agent, server: Server) -> None:
    server.script = [*[STORED] * 5, Say(204, b"")]
    assert killed.finish_serving() == DONE, killed.last_words()
    assert [each.path.rpartition("/")[0] for each in server.received] == ["/api/v1/runs"] * 5 + ["/api/v1/queue"]
    assert killed.lost(killed.documents().values()) == {}


def test_clean_keeps_them_too_and_what_cannot_be_sent_waits(killed: Agent, server: Server) -> None:
    assert killed.finish("clean") == DONE, killed.last_words()
    documents = killed.documents("pending")
    assert killed.lost(documents.values()) == {}
    server.script = [Say(401, {})]
    assert killed.finish_upload() == UNDECIDED
    assert killed.documents("pending") == documents


def test_a_kill_while_they_are_kept_keeps_nothing_twice(killed: Agent) -> None:
    """Each new start is killed as soon as it has written anything; together they keep each point once."""
    pending, seen = killed.spool / "pending", set[str]()
    while killed.process is None:
        before = os.listdir(pending)
        killed.start("clean")
        wait_until(lambda before=before: set(os.listdir(pending)) - set(before) or killed.ended(), PATIENCE)
        if killed.process is None:
            break
        killed.kill()
        assert seen <= set(killed.documents("pending"))
        seen = set(killed.documents("pending"))
    documents = killed.documents("pending")
    assert seen <= set(documents)
    assert len({document["campaign"]["point"] for document in documents.values()}) == len(documents) == 5
    assert killed.lost(documents.values()) == {}

"""Kill agent, server and worker (-9) at random instants: every finished round is stored once, and nothing remains.

`make test-faults` does this a hundred times (BENCHDB_KILLS), the test suite five times. The instants follow from a
seed, which is printed; BENCHDB_SEED=… repeats the order of the strikes, but what happens between them varies.
"""

import os
import random
import time
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.rows import dict_row

from benchdb.embedded.config import database_url
from tests.faults.agent import DONE, Agent
from tests.faults.leftovers import left, snapshot
from tests.faults.siege import Siege, Steps
from tests.faults.stack import Stack
from tests.faults.watch import watching
from tests.ingest.sent import values_by_result
from tests.support.waiting import wait_until

pytestmark = [
    pytest.mark.needs("root", package=None),
    pytest.mark.needs("loop devices", package=None),
    pytest.mark.needs("cc", package="gcc"),
]

KILLS = int(os.environ.get("BENCHDB_KILLS", "5"))
SEED = int(os.environ.get("BENCHDB_SEED") or random.SystemRandom().randrange(10**9))
PATIENCE = 120.0  # seconds

STORED = """
SELECT run.id::text, state.state,
       (SELECT count(*) FROM runs_parse AS parse WHERE parse.run_id = run.id),
       (SELECT count(*) FROM runs_result AS result WHERE result.run_id = run.id),
       (SELECT count(*) FROM runs_result AS result WHERE result.run_id = run.id
         AND coalesce(result.values, result.singles::float8[]) IS NOT NULL),
       (SELECT count(*) FROM runs_summary AS summary WHERE summary.run_id = run.id),
       (SELECT count(*) FROM runs_artifact AS artifact WHERE artifact.run_id = run.id)
FROM runs_run AS run JOIN runs_runstate AS state ON state.run_id = run.id
"""


def test_every_finished_round_is_stored_once_and_nothing_is_left(
    base: Path, stack: Stack, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = Steps()
    agent = Agent(base, stack.server.url.rstrip("/"), stack.secret, steps)
    before = snapshot(base)
    duration = first_run(agent)
    with watching(agent.spool, steps) as watch:
        watch.seen.update(agent.documents())
        siege = Siege(stack, agent, steps, random.Random(SEED), duration)
        for number in range(1, KILLS + 1):
            say(f"{number}/{KILLS}, seed {SEED}: {siege.strike()}", capsys)
        finish(agent)

    assert agent.finish("clean") == DONE
    end = time.monotonic() + PATIENCE
    while left(base, before) and time.monotonic() < end:  # another test may have devices of its own for a while
        time.sleep(0.1)
    assert left(base, before) == {}
    documents = agent.documents()
    assert set(documents) == watch.seen
    assert agent.lost(documents.values()) == {}
    assert os.listdir(agent.spool / "running") == []
    for state in ("pending", "rejected"):
        for folder in ("", "campaigns", "ends"):
            assert os.listdir(agent.spool / folder / state) == []
    wait_until(lambda: all_ready(stack), PATIENCE, lambda: unready(stack))
    assert sorted(whole(row) for row in stored(stack)) == sorted(
        (
            run_id,
            1,
            len(values_by_result(document)),
            len(document["artifacts"]),
        )
        for run_id, document in documents.items()
    )
    announced = agent.documents("campaigns/sent")
    assert set(campaigns(stack)) == set(announced)
    assert None not in campaigns(stack).values()
    assert {document["campaign"]["id"] for document in documents.values()} <= set(announced)
    say(f"{len(documents)} runs are stored, each once and whole; killed were {dict(siege.struck)}", capsys)


def say(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Add words to the report of a failure, and print them at once if the output is visible."""
    print(words)
    if "BENCHDB_KILLS" in os.environ:
        with capsys.disabled():
            print(f"\n{words}", end="", flush=True)


def first_run(agent: Agent) -> float:
    """The time of an undisturbed run in seconds."""
    started = time.monotonic()
    agent.measure()
    wait_until(agent.ended, PATIENCE)
    assert len(agent.documents()) >= 3, agent.last_words()
    return time.monotonic() - started


def finish(agent: Agent) -> None:
    """Let the agent end undisturbed, measure everything in a last run, and send what waits."""
    wait_until(agent.ended, PATIENCE)
    agent.measure()
    wait_until(agent.ended, PATIENCE)
    assert agent.finish_upload() == DONE, agent.last_words()


def stored(stack: Stack) -> list[tuple[str, str, int, int, int, int, int]]:
    with psycopg.connect(database_url(stack.server.var)) as connection:
        return connection.execute(STORED).fetchall()


def all_ready(stack: Stack) -> bool:
    stack.keep_up()
    return {row[1] for row in stored(stack)} == {"ready"}


def unready(stack: Stack) -> str:
    """The runs that are not ready, and the latest log lines of the server."""
    with psycopg.connect(database_url(stack.server.var), row_factory=dict_row) as connection:
        rows = connection.execute("SELECT * FROM runs_runstate WHERE state != 'ready'").fetchall()
    return "\n".join([*map(str, rows), stack.last_words()])


def campaigns(stack: Stack) -> dict[str, dict[str, Any] | None]:
    """The stored ends of all campaigns by their ids."""
    with psycopg.connect(database_url(stack.server.var)) as connection:
        return dict(connection.execute("SELECT id::text, ended FROM plans_campaign").fetchall())


def whole(row: tuple[str, str, int, int, int, int, int]) -> tuple[str, int, int, int]:
    """The run's id and the counts of its parses, results and artifacts; each measured result has its summary."""
    run_id, _, parses, results, measured, summaries, artifacts = row
    assert summaries == measured, run_id
    return run_id, parses, results, artifacts

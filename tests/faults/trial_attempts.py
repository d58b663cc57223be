"""A run whose statistics repeatedly end their worker fails with that reason and does not block others."""

import json
from collections.abc import Callable

import psycopg
import pytest

from benchdb.embedded.config import database_url
from benchdb.runs.store.summaries import MOST_ATTEMPTS
from tests.faults.stack import Program, Stack
from tests.support.documents import large_document
from tests.support.waiting import wait_until
from tests.system.server import PATIENCE

ATTEMPTS = "SELECT attempts FROM runs_runstate WHERE run_id = %s"
FREE = "SELECT FROM runs_runstate WHERE run_id = %s FOR UPDATE SKIP LOCKED"


def master(worker: Program) -> None:
    """Kill the worker with all its processes; the next sweep finds the run."""
    worker.kill()
    worker.start()


def child(worker: Program) -> None:
    """Kill the computing process, as the kernel does if memory runs out; the message returns at once."""
    for process in worker.children():
        process.kill()


@pytest.mark.parametrize("kill", [master, child])
def test_it_is_not_tried_for_ever(
    stack: Stack, kill: Callable[[Program], None], record_property: Callable[[str, str], None]
) -> None:
    deadly, other = large_document(visibility="public"), large_document(visibility="public")
    address = database_url(stack.server.var)
    with psycopg.connect(address) as keeper, psycopg.connect(address, autocommit=True) as database:

        def computed(attempt: int) -> bool:
            """Whether a worker makes this attempt and has locked the run."""
            stack.keep_up()
            (attempts,) = database.execute(ATTEMPTS, [deadly["run_id"]]).fetchone() or (0,)
            return attempts == attempt and database.execute(FREE, [deadly["run_id"]]).rowcount == 0

        keeper.execute("LOCK TABLE runs_summary")  # blocks the statistics
        stack.server.upload(deadly, stack.secret)
        for attempt in range(1, MOST_ATTEMPTS + 1):
            wait_until(lambda attempt=attempt: computed(attempt), PATIENCE, stack.last_words)
            kill(stack.programs["worker"])
        wait_until(lambda: stack.server.state(deadly["run_id"]) == "failed", PATIENCE, stack.last_words)

    stack.keep_up()
    stack.server.upload(other, stack.secret)
    stack.server.until_ready(other["run_id"])
    status, body = stack.server.request(f"api/v1/runs/{deadly['run_id']}/state")
    assert (status, json.loads(body)["state"]) == (200, "failed")
    assert f"{MOST_ATTEMPTS} attempts ended without an answer" in json.loads(body)["failure"]
    record_property("result", f"failed with its reason after {MOST_ATTEMPTS} kills of the {kill.__name__}")

"""Kill the worker with all its processes (-9) while it computes a run's statistics: the next sweep finds the run."""

import psycopg

from benchdb.embedded.config import database_url
from tests.faults.stack import Stack
from tests.support.documents import document
from tests.support.waiting import wait_until
from tests.system.server import PATIENCE

LOCKED = "SELECT FROM runs_runstate WHERE run_id = %s AND state = 'computing' FOR UPDATE SKIP LOCKED"


def test_a_run_whose_worker_was_killed_while_it_computed_is_ready_soon(stack: Stack) -> None:
    sent = document(visibility="public")
    address = database_url(stack.server.var)
    with psycopg.connect(address) as keeper, psycopg.connect(address, autocommit=True) as database:
        keeper.execute("LOCK TABLE runs_summary")  # blocks the statistics
        stack.server.upload(sent, stack.secret)
        wait_until(lambda: stack.server.state(sent["run_id"]) == "computing", PATIENCE)
        wait_until(lambda: database.execute(LOCKED, [sent["run_id"]]).rowcount == 0, PATIENCE)
        stack.programs["worker"].kill()
    assert stack.server.state(sent["run_id"]) == "computing"

    stack.programs["worker"].start()

    stack.server.until_ready(sent["run_id"])

"""Conditions that hold once a server has recovered from faults."""

import sys
from collections import Counter

import psycopg

from benchdb.embedded.config import database_url
from tests.faults.clients import Clients
from tests.faults.stack import Stack
from tests.faults.test_kills import STORED, whole
from tests.ingest.sent import values_by_result
from tests.support.waiting import wait_until

PATIENCE = 240.0  # seconds; a database that crashed often restarts after half a minute
VALUES = "SELECT ordinal, coalesce(values, singles::float8[]) FROM runs_result WHERE run_id = %s ORDER BY ordinal"
# The address of a permalink is a hash of its content.
HALF_WRITTEN = """
from benchdb.compare.models import Permalink
from benchdb.compare.permalinks.services import address, canonical
links = Permalink.objects.all()
print([each.id for each in links if address(each.owner, each.kind, canonical(each.content)) != each.id])
"""


def everything_is_there(stack: Stack, clients: Clients) -> str:
    """Check that every acknowledged run and permalink is stored once, whole and ready. Returns their numbers."""
    assert (clients.faults, clients.stored) == ([], clients.sent.keys())
    while left := unready(stack):  # each must come soon after the one before; thousands take minutes
        wait_until(lambda left=left: unready(stack) < left, PATIENCE, stack.last_words)
    with psycopg.connect(database_url(stack.server.var)) as database:
        rows = database.execute(STORED).fetchall()
        assert sorted(whole(row) for row in rows) == sorted(
            (run_id, 1, len(values_by_result(sent)), len(sent["artifacts"])) for run_id, sent in clients.sent.items()
        )
        for run_id, sent in clients.sent.items():
            measured = list(enumerate(values_by_result(sent)))
            assert database.execute(VALUES, [run_id]).fetchall() == measured
    assert stack.server.manage("shell", "--verbosity", "0", "-c", HALF_WRITTEN) == "[]"
    for link in clients.links:
        assert stack.server.request(f"c/{link}.json")[0] == 200
    return f"{len(clients.stored)} runs and {len(clients.links)} permalinks, each once and whole"


def answered(clients: Clients) -> str:
    """The answers that clients got, the most frequent first."""
    return ", ".join(f"{count} × {what}" for what, count in Counter(clients.seen).most_common())


def unready(stack: Stack) -> int:
    """The number of runs that are not ready; very many while the database restarts."""
    stack.keep_up()
    try:
        with psycopg.connect(database_url(stack.server.var)) as database:
            found = database.execute("SELECT count(*) FROM runs_runstate WHERE state <> 'ready'").fetchone()
            return found[0] if found else 0
    except psycopg.OperationalError:
        return sys.maxsize

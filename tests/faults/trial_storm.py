"""kill -9 of every part of the server, and a broker that forgets, while twenty clients upload and share.

`make test-faults` does it BENCHDB_STRIKES times; it is no part of the suite. The instants follow from BENCHDB_SEED.
"""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from contextlib import suppress

import psutil
import psycopg
import pytest

from benchdb.embedded.config import database_url
from tests.faults.clients import Clients
from tests.faults.stack import BROKER, DATABASE, Stack
from tests.faults.test_kills import STORED, say, whole
from tests.support.waiting import wait_until

STRIKES = int(os.environ.get("BENCHDB_STRIKES", "40"))
SEED = int(os.environ.get("BENCHDB_SEED") or random.SystemRandom().randrange(10**9))
LONGEST_BETWEEN = 1.0  # seconds to a strike, from the moment when the server has stored again
UNTIL_NEXT = 5  # so many runs
PATIENCE = 240.0  # seconds; a database that crashed often is started again after half a minute
VICTIMS = ("web", "web worker", "worker", "worker's child", "beat", "broker", "database", "session", "messages")
VALUES = "SELECT ordinal, values FROM runs_result WHERE run_id = %s ORDER BY ordinal"
# The address is a hash of all that was frozen.
HALF_WRITTEN = """
from benchdb.compare.models import Permalink
from benchdb.compare.permalinks import address
print([each.id for each in Permalink.objects.all() if address(each.owner, each.kind, each.content) != each.id])
"""


def test_what_the_server_said_it_has_is_there_once_and_whole(stack: Stack, capsys: pytest.CaptureFixture[str]) -> None:
    chance, struck = random.Random(SEED), Counter[str]()
    clients = Clients(stack.server, stack.secret, SEED)
    clients.start()
    try:
        for number in range(1, STRIKES + 1):
            goal = len(clients.stored) + UNTIL_NEXT
            wait_until(
                lambda goal=goal: len(clients.stored) >= goal or bool(clients.faults), PATIENCE, stack.last_words
            )
            time.sleep(chance.uniform(0, LONGEST_BETWEEN))
            victim = VICTIMS[number - 1] if number <= len(VICTIMS) else chance.choice(VICTIMS)
            struck[victim] += strike(stack, victim, chance)
            stack.keep_up()
            say(f"{number}/{STRIKES}, seed {SEED}: {victim}; {len(clients.stored)} runs are stored", capsys)
    finally:
        clients.finish()

    assert clients.faults == []
    assert clients.stored == clients.sent.keys()
    wait_until(lambda: states(stack) == {"ready"}, PATIENCE, stack.last_words)
    with psycopg.connect(database_url(stack.server.var)) as database:
        rows = database.execute(STORED).fetchall()
        assert sorted(whole(row) for row in rows) == sorted(
            (run_id, 1, len(sent["results"]), len(sent["artifacts"])) for run_id, sent in clients.sent.items()
        )
        for run_id, sent in clients.sent.items():
            measured = [(i, each["values"]) for i, each in enumerate(sent["results"])]
            assert database.execute(VALUES, [run_id]).fetchall() == measured
    assert stack.server.manage("shell", "--verbosity", "0", "-c", HALF_WRITTEN) == "[]"
    assert clients.links
    for link in clients.links:
        assert stack.server.request(f"c/{link}.json")[0] == 200
    say(
        f"{len(clients.stored)} runs and {len(clients.links)} permalinks, each once and whole; struck: {dict(struck)};"
        f" answers: {dict(clients.seen)}",
        capsys,
    )


def strike(stack: Stack, victim: str, chance: random.Random) -> bool:
    """Whether there was something to strike at."""
    if victim == "messages":
        return stack.forget_messages()
    if victim in stack.programs:
        stack.programs[victim].kill()
        stack.programs[victim].start()
        return True
    found = {
        "web worker": stack.programs["web"].children,
        "worker's child": stack.programs["worker"].children,
        "broker": lambda: [stack.embedded(*BROKER)],
        "database": lambda: [stack.embedded(*DATABASE)],
        "session": lambda: sessions(stack),
    }[victim]()
    alive = sorted((each for each in found if each is not None), key=lambda each: each.pid)
    if not alive:
        return False
    with suppress(psutil.NoSuchProcess):
        chance.choice(alive).kill()
    return True


def sessions(stack: Stack) -> list[psutil.Process]:
    """The database's processes; when one is killed, it ends all of them and goes through its log."""
    database = stack.embedded(*DATABASE)
    return database.children() if database else []


def states(stack: Stack) -> set[str]:
    stack.keep_up()
    try:
        with psycopg.connect(database_url(stack.server.var)) as database:
            return {state for (state,) in database.execute("SELECT DISTINCT state FROM runs_runstate")}
    except psycopg.OperationalError:  # it is being started again
        return set()

"""Parts of two servers are killed (-9), hang, or lose messages, while one follows the public runs of the other.

`make test-faults` does this BENCHDB_STRIKES times; it is not in the test suite. The order follows from BENCHDB_SEED.
"""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psycopg
import pytest

from benchdb.embedded.config import database_url
from benchdb.federation.reading import SOURCES
from tests.faults.afterwards import PATIENCE
from tests.faults.followed import SOURCE, all_is_followed, everything_was_followed, last_followed, reached
from tests.faults.publishers import Publishers
from tests.faults.stack import Stack, running
from tests.faults.test_kills import say
from tests.faults.trial_storm import LONGEST_BETWEEN, SEED, STRIKES, VICTIMS, strike
from tests.support.waiting import wait_until

UNTIL_NEXT = 5  # acts of publishers
READER = "reader"
LONGEST_READING = 0.05  # seconds from the beginning of a reading to its end by a strike
BUSY = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = %s AND granted"


@pytest.fixture
def servers(base: Path) -> Iterator[tuple[Stack, Stack]]:
    """A server, and one that follows it."""
    with running(base / "a") as source, running(base / "b") as follower:
        follower.server.manage("source", "add", SOURCE, source.server.url, "ada")
        yield source, follower


def test_both_servers_have_the_same_public_runs_at_the_end(
    servers: tuple[Stack, Stack], capsys: pytest.CaptureFixture[str], record_property: Callable[[str, str], None]
) -> None:
    source, follower = servers
    chance, struck = random.Random(SEED), Counter[str]()
    targets = [(stack, name, victim) for victim in VICTIMS for stack, name in ((source, "A"), (follower, "B"))]
    targets += [(follower, "B", READER)] * 8
    publishers = Publishers(source.server, source.secret, SEED)
    publishers.start()
    try:
        for number in range(1, STRIKES + 1):
            goal, before = publishers.acts.total() + UNTIL_NEXT, last_followed(follower)
            wait_until(
                lambda goal=goal, before=before: (
                    bool(publishers.faults)
                    or (publishers.acts.total() >= goal and last_followed(follower) not in (None, before))
                ),
                PATIENCE,
                lambda: last_words(servers),
            )
            time.sleep(chance.uniform(0, LONGEST_BETWEEN))
            stack, name, victim = chance.choice(targets)
            done = kill_reader(stack, chance) if victim == READER else strike(stack, victim, chance)
            struck[f"{name}'s {victim}"] += done
            for each in servers:
                each.keep_up()
            say(f"{number}/{STRIKES}, seed {SEED}: {name}'s {victim}; {publishers.acts.total()} acts", capsys)
    finally:
        publishers.finish()

    assert publishers.faults == []
    wait_until(lambda: all_is_followed(source, follower), PATIENCE, lambda: last_words(servers))
    summary = everything_was_followed(source, follower, publishers.runs)
    acts = ", ".join(f"{count} × {act}" for act, count in sorted(publishers.acts.items()))
    times = ", ".join(f"{count} × {victim}" for victim, count in sorted(struck.items()) if count)
    words = f"{summary}; acts: {acts}; struck {struck.total()} times ({times})"
    record_property("result", words)
    say(words, capsys)


def kill_reader(follower: Stack, chance: random.Random) -> bool:
    """Kill the worker's process that reads the source, soon after it has begun. Returns whether it was running."""
    with suppress(psycopg.OperationalError), psycopg.connect(database_url(follower.server.var), autocommit=True) as db:
        end = time.monotonic() + 10
        while time.monotonic() < end:
            if db.execute(BUSY, [SOURCES]).fetchone() != (0,):
                time.sleep(chance.uniform(0, LONGEST_READING))
                children = follower.programs["worker"].children()
                for child in children:
                    with suppress(ProcessLookupError):
                        os.kill(child.pid, 9)
                return bool(children)
            follower.keep_up()
    return False


def last_words(servers: tuple[Stack, Stack]) -> str:
    """Where both servers stand."""
    source, follower = servers
    return f"reached: {reached(follower)}\nA: {source.last_words()}\nB: {follower.last_words()}"

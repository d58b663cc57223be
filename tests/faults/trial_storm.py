"""Parts of the server are killed (-9), hang, or lose messages, while twenty clients upload and share.

`make test-faults` does this BENCHDB_STRIKES times; it is not in the test suite. The instants follow from BENCHDB_SEED.
"""

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

import psutil
import pytest

from tests.faults.afterwards import PATIENCE, answered, everything_is_there
from tests.faults.clients import Clients
from tests.faults.stack import BROKER, DATABASE, Stack
from tests.faults.test_kills import say
from tests.support.waiting import wait_until

STRIKES = int(os.environ.get("BENCHDB_STRIKES", "40"))
SEED = int(os.environ.get("BENCHDB_SEED") or random.SystemRandom().randrange(10**9))
LONGEST_BETWEEN = 1.0  # seconds to a strike, after the server has stored runs again
LONGEST_HANG = 6.0  # seconds
UNTIL_NEXT = 5  # runs
KILLED = ("web", "web worker", "worker", "worker's child", "beat", "broker", "database", "session")
HANG = ("broker hangs", "database hangs", "worker hangs")
VICTIMS = (*KILLED, *HANG, "messages")


def test_what_the_server_said_it_has_is_there_once_and_whole(
    stack: Stack, capsys: pytest.CaptureFixture[str], record_property: Callable[[str, str], None]
) -> None:
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

    assert clients.links
    summary = everything_is_there(stack, clients)
    times = ", ".join(f"{count} × {victim}" for victim, count in sorted(struck.items()))
    words = f"{summary}; struck {struck.total()} times ({times}); answers: {answered(clients)}"
    record_property("result", words)
    say(words, capsys)


def strike(stack: Stack, victim: str, chance: random.Random) -> bool:
    """Strike at a part of the server. Returns whether it was running."""
    if victim == "messages":
        return stack.forget_messages()
    if victim in HANG:
        return hang(stack, victim.removesuffix(" hangs"), chance)
    if victim in stack.programs:
        stack.programs[victim].kill()
        stack.programs[victim].start()
        return True
    processes = {
        "web worker": stack.programs["web"].children,
        "worker's child": stack.programs["worker"].children,
        "broker": lambda: [stack.embedded(*BROKER)],
        "database": lambda: [stack.embedded(*DATABASE)],
        "session": lambda: sessions(stack),
    }[victim]()
    alive = sorted((process for process in processes if process is not None), key=lambda process: process.pid)
    if not alive:
        return False
    with suppress(psutil.NoSuchProcess):
        chance.choice(alive).kill()
    return True


def hang(stack: Stack, name: str, chance: random.Random) -> bool:
    """Stop a part's processes for some seconds: they keep and accept connections but do not answer."""
    if name == "worker":
        worker = stack.programs["worker"]
        processes = [psutil.Process(worker.process.pid), *worker.children()] if worker.process.poll() is None else []
    else:
        server = stack.embedded(*(BROKER if name == "broker" else DATABASE))
        processes = [server, *server.children()] if server else []
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.send_signal(signal.SIGSTOP)
    time.sleep(chance.uniform(1, LONGEST_HANG))
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.send_signal(signal.SIGCONT)
    return bool(processes)


def sessions(stack: Stack) -> list[psutil.Process]:
    """The database's processes; if one is killed, it ends all of them and replays its log."""
    database = stack.embedded(*DATABASE)
    return database.children() if database else []

"""The disk of a whole server fills up while twenty clients upload, and has room again; not in the test suite.

It contains database, broker, archive and logs. Uploads without room are refused with 503, acknowledged ones stay, and
everything continues by itself once there is room.
"""

from __future__ import annotations

import errno
import itertools
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchdb.embedded.config import PROJECT, manage
from tests.faults.afterwards import PATIENCE, answered, everything_is_there
from tests.faults.clients import Clients
from tests.faults.stack import Stack, running
from tests.faults.test_kills import say
from tests.support.waiting import wait_until

pytestmark = pytest.mark.needs("root", package=None)
SIZE = "400m"
TIMES = 3
REFUSED = 20  # requests until there is room again
UNTIL_NEXT = 10  # runs


@pytest.fixture
def disk(base: Path) -> Iterator[Path]:
    """A small file system."""
    mount = base / "var"
    mount.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=755", "none", str(mount)], check=True)
    yield mount
    subprocess.run(["umount", str(mount)], check=True)


def fill(filler: Path) -> None:
    """Fill the disk."""
    with filler.open("ab", buffering=0) as file, pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        file.writelines(itertools.repeat(bytes(1 << 16)))


def test_what_was_acknowledged_stays_and_the_rest_comes_later(
    disk: Path, capsys: pytest.CaptureFixture[str], record_property: Callable[[str, str], None]
) -> None:
    filler = disk / "filler"
    with running(disk) as stack:
        clients = Clients(stack.server, stack.secret, seed=1)
        clients.start()
        try:
            for number in range(1, TIMES + 1):
                until_stored(stack, clients, UNTIL_NEXT)
                fill(filler)
                archive(stack)
                refused = clients.seen["503"] + REFUSED
                wait_until(lambda refused=refused: refill(filler) and clients.seen["503"] >= refused, PATIENCE)
                assert stack.server.request("healthz")[0] == 200
                filler.unlink()
                say(f"{number}/{TIMES}: {clients.seen['503']} refused, {len(clients.stored)} stored", capsys)
        finally:
            filler.unlink(missing_ok=True)
            clients.finish()
        summary = everything_is_there(stack, clients)
        assert archive(stack) == 0
        for sent in clients.sent.values():
            for artifact in sent["artifacts"]:
                path = f"api/v1/runs/{sent['run_id']}/artifacts/{artifact['name']}"
                assert stack.server.request(path) == (200, artifact["data"].encode())
    words = f"{summary}, raw output too; the disk was full {TIMES} times; answers: {answered(clients)}"
    record_property("result", words)
    say(words, capsys)


def until_stored(stack: Stack, clients: Clients, more: int) -> None:
    goal = len(clients.stored) + more
    wait_until(lambda: len(clients.stored) >= goal or bool(clients.faults), PATIENCE, stack.last_words)
    assert clients.faults == []


def refill(filler: Path) -> bool:
    """Fill space that was freed meanwhile: a database that restarts deletes its old files."""
    if os.statvfs(filler.parent).f_bavail:
        fill(filler)
    return True


def archive(stack: Stack) -> int:
    """Move raw output out of the database while there is room. Returns the exit code."""
    command, environment = manage("archive", "--older-than", "0"), stack.server.environment
    return subprocess.run(command, env=environment, cwd=PROJECT, capture_output=True, check=False).returncode

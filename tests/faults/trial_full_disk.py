"""The disk of a whole server fills up while twenty clients upload, and has room again; not in the test suite.

It is an ext4 of its own with database, broker, archive and logs. Uploads without room are refused with 503,
acknowledged ones stay, and everything continues by itself; no living process is started again.
"""

import errno
import itertools
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchdb.embedded.config import PROJECT, manage
from tests.faults.afterwards import PATIENCE, answered, everything_is_there
from tests.faults.clients import Clients
from tests.faults.stack import Stack, running
from tests.faults.test_kills import say
from tests.support.documents import document, encoded
from tests.support.waiting import wait_until

pytestmark = pytest.mark.needs("root", package=None)
SIZE = 600 << 20  # bytes
TIMES = int(os.environ.get("BENCHDB_FILLS", "3"))
LEFT = (0, 1 << 18, 1 << 20)  # bytes that the uploads themselves fill, in turn
REFUSED = 20  # requests until there is room again
UNTIL_NEXT = 10  # runs


@pytest.fixture
def disk(base: Path) -> Iterator[Path]:
    """A small ext4 without blocks that are reserved for root."""
    mount, image = base / "var", base / "image"
    mount.mkdir()
    image.touch()
    os.truncate(image, SIZE)
    subprocess.run(["mkfs.ext4", "-q", "-m", "0", str(image)], check=True)
    subprocess.run(["mount", "-o", "loop", str(image), str(mount)], check=True)
    mount.chmod(0o755)
    yield mount
    subprocess.run(["umount", str(mount)], check=True)


def fill(filler: Path, left: int = 0) -> None:
    """Fill the disk but for so many bytes."""
    with filler.open("ab", buffering=0) as file, pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        file.writelines(itertools.repeat(bytes(1 << 16)))
    os.truncate(filler, max(0, filler.stat().st_size - left))


def test_what_was_acknowledged_stays_and_the_rest_comes_later(
    disk: Path, capsys: pytest.CaptureFixture[str], record_property: Callable[[str, str], None]
) -> None:
    filler, waits, others = disk / "filler", list[float](), dict[str, dict[str, Any]]()
    with running(disk) as stack:
        other = stack.server.manage("token", "grace", "--create-owner")
        clients = Clients(stack.server, stack.secret, seed=1)
        clients.start()
        try:
            until_stored(stack, clients, UNTIL_NEXT)
            for number, left in zip(range(1, TIMES + 1), itertools.cycle(LEFT)):
                fill(filler, left)
                archive(stack)
                before = clients.seen["503"]
                wait_until(lambda before=before: refill(filler, clients.seen["503"] - before) >= REFUSED, PATIENCE)
                assert stack.server.request("healthz")[0] == 200
                filler.unlink()
                begun = time.monotonic()
                until_stored(stack, clients, UNTIL_NEXT)
                others |= until_computed(stack, other)
                waits.append(time.monotonic() - begun)
                say(f"{number}/{TIMES}: {len(clients.stored)} stored, well after {waits[-1]:.0f} s", capsys)
        finally:
            filler.unlink(missing_ok=True)
            clients.finish()
        clients.sent, clients.stored = clients.sent | others, clients.stored | others.keys()
        summary = everything_is_there(stack, clients)
        assert archive(stack) == 0
        for sent in clients.sent.values():
            for artifact in sent["artifacts"]:
                path = f"api/v1/runs/{sent['run_id']}/artifacts/{artifact['name']}"
                assert stack.server.request(path) == (200, artifact["data"].encode())
    words = (
        f"{summary}, raw output too; the disk was full {TIMES} times; from room until ten more runs were stored and "
        f"one was ready: at most {max(waits):.0f} s; {answered(clients)}"
    )
    record_property("result", words)
    say(words, capsys)


def until_stored(stack: Stack, clients: Clients, more: int) -> None:
    goal = len(clients.stored) + more
    wait_until(lambda: len(clients.stored) >= goal or bool(clients.faults), PATIENCE, stack.last_words)
    assert clients.faults == []


def until_computed(stack: Stack, secret: str) -> dict[str, dict[str, Any]]:
    """Wait until a new run is ready, and return it. Another account's does not wait for all runs of the clients."""
    sent = document(visibility="public")
    path = f"api/v1/runs/{sent['run_id']}"
    wait_until(lambda: stack.server.request(path, "PUT", secret, encoded(sent))[0] < 300, PATIENCE, stack.last_words)
    # A worker may end a moment after there is room again.
    wait_until(
        lambda: stack.keep_up() or b'"ready"' in stack.server.request(f"{path}/state")[1], PATIENCE, stack.last_words
    )
    return {sent["run_id"]: sent}


def refill(filler: Path, refused: int) -> int:
    """Fill space that was freed meanwhile, once an upload was refused; returns how many were.

    A database that restarts deletes its old files.
    """
    if refused and os.statvfs(filler.parent).f_bavail:
        fill(filler)
    return refused


def archive(stack: Stack) -> int:
    """Move raw output out of the database while there is room. Returns the exit code."""
    command, environment = manage("archive", "--older-than", "0"), stack.server.environment
    return subprocess.run(command, env=environment, cwd=PROJECT, capture_output=True, check=False).returncode

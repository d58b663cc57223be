"""The embedded Redis-protocol server, which is Celery's broker and Django's cache."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from benchdb.embedded.config import PROJECT, VALKEY_SUPERUSER, Paths, redis_url
from benchdb.embedded.directories import private_directory, socket_directory
from benchdb.embedded.errors import ServiceError
from benchdb.embedded.supervisor.process import Service

from .binaries import valkey_server

SETTINGS = {
    "port": "0",  # Unix socket only
    "unixsocketperm": "700",
    "daemonize": "no",
    # A write each second, so that a power cut loses at most a second of messages. That is enough: a run's state is in
    # PostgreSQL, and the sweep finds every run whose task was lost.
    "appendonly": "yes",
    "appendfsync": "everysec",
    "save": "",
    # If memory is short, a new message is refused; any other policy would drop a queued one.
    "maxmemory-policy": "noeviction",
    "maxmemory": "256mb",
    "loglevel": "warning",
}

ORPHAN_SECONDS = 10
FILES = "appendonlydir"  # the server's own name for the directory of its files
# The last words of a server, Valkey or Redis, that cannot read its files; it ignores a file that is only too short.
DAMAGED = re.compile(
    r"(Bad file format|Unexpected end of file|Unrecoverable error|Unknown command .*|Error)"
    r" reading the append only file"
    r"|AOF MANIFEST|AOF manifest|AOF loading aborted|Unrecoverable error, aborting|rdb file reading failure"
)
CRASHES = {signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL}
# The rules of the two users. Here they need no password: only this user of the system can connect to the socket, and
# may do anything to the server anyway. They exist so that code that works here also works with passwords elsewhere.
USERS = PROJECT / "deploy" / "redis" / "users.acl"


def valkey_service(paths: Paths) -> Service:
    """The broker for `paths`. Raises ServiceError."""
    private_directory(paths.valkey)
    socket_directory(paths)
    users = paths.valkey / "users.acl"
    settings = {
        **SETTINGS,
        "dir": str(paths.valkey),
        "unixsocket": str(paths.valkey_socket),
        "aclfile": str(users),
    }
    return Service(
        name="valkey",
        command=[valkey_server(), *(word for name, value in settings.items() for word in (f"--{name}", value))],
        prepare=lambda: _prepare(paths, users),
        ready=lambda: _ready(paths),
        repair=lambda code, lines: _move_damaged(paths, code, lines),
        directory=paths.valkey,
        stop_signal=signal.SIGTERM,
        orphan_signal=signal.SIGTERM,
    )


def _prepare(paths: Paths, users: Path) -> None:
    _end_orphan(paths)
    rules = re.sub(r"\b[A-Z]+_PASSWORD\b", "nopass", USERS.read_text())
    users.write_text(f"{rules}user {VALKEY_SUPERUSER} on nopass ~* &* +@all\n")


def _move_damaged(paths: Paths, code: int, lines: Sequence[str]) -> str:
    """Move files that the server could not read aside, so that it starts empty. Returns what was done.

    Bytes at random may also crash the server.
    """
    files = paths.valkey / FILES
    if not files.exists() or not (-code in CRASHES or any(DAMAGED.search(line) for line in lines)):
        return ""
    aside = files.with_name(f"{FILES}.damaged-{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}")
    files.rename(aside)
    return (
        f"its file is damaged and was moved to {aside}. It starts empty: the sweep finds the unfinished work in the "
        "database, and rate limits begin anew"
    )


@contextmanager
def _client(paths: Paths) -> Iterator[redis.Redis]:
    # No retries: callers poll, or need the answer at once.
    client = redis.from_url(redis_url(paths.var, VALKEY_SUPERUSER), socket_timeout=5, retry=Retry(NoBackoff(), 0))
    try:
        yield client
    finally:
        client.close()


def _ready(paths: Paths) -> bool:
    """Whether the server answers and has read its file."""
    try:
        with _client(paths) as client:
            client.ping()
    except (
        redis.ConnectionError,
        redis.TimeoutError,
    ):  # or BusyLoadingError, a subclass, while it reads its file
        return False
    return True


def _end_orphan(paths: Paths) -> None:
    """End a server that outlived a killed supervisor, since two servers would write to the same file."""
    if not _ready(paths):
        return
    with _client(paths) as client, suppress(redis.ConnectionError):  # it may be ending already
        client.shutdown()
    end = time.monotonic() + ORPHAN_SECONDS
    while _ready(paths):
        if time.monotonic() > end:
            raise ServiceError(f"A server that was left behind still answers at {paths.valkey_socket}. End it first.")
        time.sleep(0.05)

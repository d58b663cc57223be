"""The server of the demo: `manage.py up` as a child, its output in a log file."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from django.conf import settings

from benchdb.embedded.privileges import launcher

START_SECONDS = 120
STOP_SECONDS = 60
PORT = 8000
LAST_LINES = 20


class ServerFailed(Exception):
    """The server did not start, or stopped; the text has the end of its log."""


@contextmanager
def server(port: int | None, log: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Start everything, give its address (without a slash at its end), and stop everything at the end.

    With no port named 8000 is taken, or a free one where 8000 is in use. Raises ServerFailed.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    readable, writable = os.pipe()
    with log.open("wb") as output, os.fdopen(readable, "rb") as ready:
        process = _start(_free_port() if port is None else port, output, writable)
        try:
            answered, _, _ = select.select([ready], [], [], START_SECONDS)
            address = ready.readline().decode().strip() if answered else ""
        except BaseException:
            stop(process)
            raise
    try:
        if not address:
            raise ServerFailed(f"The server did not start:\n{last_lines(log)}")
        yield address.rstrip("/"), process
    finally:
        stop(process)


def stop(process: subprocess.Popen[bytes]) -> None:
    """SIGTERM, which lets the supervisor stop its children; SIGKILL where that takes too long."""
    if process.poll() is not None:
        return
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def last_lines(log: Path) -> str:
    """The end of the log, for an error message."""
    return "\n".join(log.read_text(errors="replace").splitlines()[-LAST_LINES:])


def _free_port() -> int:
    """8000 where it can be had, else 0, which lets the server take any."""
    try:
        socket.create_server(("127.0.0.1", PORT)).close()
    except OSError:
        return 0
    return PORT


def _start(port: int, output: IO[bytes], ready: int) -> subprocess.Popen[bytes]:
    """`manage.py up`, which writes its address to the descriptor `ready` once it answers."""
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "up", "--port", str(port)]
    try:
        # A session of its own: Ctrl-C goes to the demo, which stops the server after the agent. Where the demo is
        # killed, the kernel tells the server to stop.
        return subprocess.Popen(
            [*launcher(signal.SIGTERM), *command, "--ready-fd", str(ready)],
            stdout=output,
            stderr=subprocess.STDOUT,
            pass_fds=[ready],
            start_new_session=True,
        )
    finally:
        os.close(ready)

"""The server of the demo: `manage.py up` as a child, its output in a log file."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from benchdb.embedded.background import started
from benchdb.embedded.config import manage

PORT = 8000
LAST_LINES = 20


class ServerFailed(Exception):
    """The server did not start, or stopped; the message has the end of its log."""


@contextmanager
def server(port: int | None, log: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Run the server during the block; yields its address (without trailing slash) and process.

    Without a port the server takes 8000, or a free port if 8000 is in use. Raises ServerFailed.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    command = manage("up", "--port", str(_free_port() if port is None else port))
    environment = {**os.environ, "BENCHDB_VAR": str(settings.VAR_DIR)}
    # A session of its own: Ctrl-C goes to the demo, which stops the server after the agent.
    with log.open("w") as output, started(command, output, environment, own_session=True) as (address, process):
        if not address:
            raise ServerFailed(f"The server did not start:\n{last_lines(log)}")
        yield address.rstrip("/"), process


def last_lines(log: Path) -> str:
    """The end of the log, for an error message."""
    return "\n".join(log.read_text(errors="replace").splitlines()[-LAST_LINES:])


def _free_port() -> int:
    """8000 if it is free, else 0 for any free port."""
    try:
        socket.create_server(("127.0.0.1", PORT)).close()
    except OSError:
        return 0
    return PORT

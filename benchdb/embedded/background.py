"""Runs the services beside a Python program, for the test suite and the demo."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from benchdb.embedded.supervisor.privileges import launcher

from .config import PROJECT, manage
from .errors import ServiceError

STOP_SECONDS = 60


@contextmanager
def services(var: Path, *, durable: bool = True) -> Iterator[None]:
    """PostgreSQL and the broker in `var` for the duration of the block. Raises ServiceError.

    Their supervisor is a separate process, which the kernel ends together with the calling thread.
    """
    command = [sys.executable, "-m", "benchdb.embedded", "--var", str(var)]
    with _running([*command, *([] if durable else ["--forgetful"])]):
        yield


@contextmanager
def server(*arguments: str, environment: Mapping[str, str] = os.environ) -> Iterator[str]:
    """`manage.py up` with these arguments for the duration of the block; yields the address. Raises ServiceError."""
    with _running(manage("up", *arguments), environment) as url:
        yield url


@contextmanager
def _running(command: Sequence[str], environment: Mapping[str, str] = os.environ) -> Iterator[str]:
    with tempfile.TemporaryFile("w+") as output, started(command, output, environment) as (line, _):
        if not line:
            output.seek(0)
            raise ServiceError(output.read().strip())
        yield line


@contextmanager
def started(
    command: Sequence[str], output: IO[str], environment: Mapping[str, str], *, own_session: bool = False
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Run a command, which writes one line to `--ready-fd` when it is ready, for the duration of the block.

    Yields that line ("" if the command ended before) and the process, whose output goes to `output`. With
    `own_session` a Ctrl-C in the terminal does not reach the command.
    """
    reader, writer = os.pipe()
    with open(reader) as ready:
        try:
            child = subprocess.Popen(
                [*launcher(signal.SIGTERM), *command, "--ready-fd", str(writer)],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                pass_fds=[writer],
                env=environment,
                cwd=PROJECT,
                start_new_session=own_session,
            )
        finally:
            os.close(writer)
        try:
            yield ready.readline().strip(), child
        finally:
            _stop(child)


def _stop(child: subprocess.Popen[bytes]) -> None:
    """Send SIGTERM, so that a supervisor can stop its children, then SIGKILL after STOP_SECONDS."""
    child.terminate()
    try:
        child.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()

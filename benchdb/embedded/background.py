"""Running the services beside a Python program: the test suite and the demo."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchdb.embedded.errors import ServiceError
from benchdb.embedded.privileges import launcher
from benchdb.embedded.stack import PROJECT, manage


@contextmanager
def services(var: Path, *, durable: bool = True) -> Iterator[None]:
    """PostgreSQL and the broker in `var`, for as long as the block runs. Raises ServiceError.

    They run under a supervisor in a process of its own, which ends when the calling thread does, however it does: the
    kernel sees to it.
    """
    command = [sys.executable, "-m", "benchdb.embedded", "--var", str(var)]
    with _running([*command, *([] if durable else ["--forgetful"])]):
        yield


@contextmanager
def server(*arguments: str, environment: Mapping[str, str] = os.environ) -> Iterator[str]:
    """`manage.py up` with these arguments, for as long as the block runs. Gives the address. Raises ServiceError."""
    with _running(manage("up", *arguments), environment) as url:
        yield url


@contextmanager
def _running(command: Sequence[str], environment: Mapping[str, str] = os.environ) -> Iterator[str]:
    """Start a command that writes one line to `--ready-fd` when it is ready; give that line; stop it in the end."""
    reader, writer = os.pipe()
    with open(reader) as ready, tempfile.TemporaryFile("w+") as output:
        try:
            child = subprocess.Popen(
                [*launcher(signal.SIGTERM), *command, "--ready-fd", str(writer)],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                pass_fds=[writer],
                env=environment,
                cwd=PROJECT,
            )
        finally:
            os.close(writer)
        try:
            line = ready.readline().strip()
            if not line:
                child.wait()
                output.seek(0)
                raise ServiceError(output.read().strip())
            yield line
        finally:
            child.terminate()
            child.wait()

"""The supervisor's side of `benchdb.embedded.application`: asks that process for others, and hears how they end."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from signal import Signals
from typing import IO

from benchdb.embedded.errors import ServiceError


@dataclass(frozen=True)
class Program:
    """What a forked process is to run: Python's arguments, such as `-m gunicorn`, and what belongs to it."""

    name: str
    arguments: Sequence[str]
    environment: Mapping[str, str]
    orphan_signal: int
    # The numbers that its open file descriptors have here and must have there.
    descriptors: Sequence[int]


@dataclass(frozen=True)
class Facts:
    """What the supervisor needs of the settings, which only the application reads."""

    broker: str
    processes: int  # of a worker, unless the command line says otherwise
    queues: Mapping[str, str]  # by the name of the worker


class Application:
    """The socket between the supervisor and the process that has imported the application.

    Both ends stay open while that process is replaced: what is asked in the meantime is answered by the next one.
    """

    def __init__(self) -> None:
        self._ours, self._theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._ours.setblocking(False)
        self.facts: Facts  # known as soon as the application is ready

    @property
    def descriptor(self) -> int:
        """The end for the application."""
        return self._theirs.fileno()

    def close(self) -> None:
        """Close both ends."""
        self._ours.close()
        self._theirs.close()

    def is_ready(self) -> bool:
        """Whether the application was imported since the last call; its facts are known then."""
        try:
            self.facts = Facts(**json.loads(self._ours.recv(65536)))
        except BlockingIOError:
            return False
        return True

    async def fork(self, program: Program) -> Fork:
        """Start a program in a fork of the application. Raises ServiceError if there is none, and OSError."""
        request = json.dumps(asdict(program)).encode()
        (reports, report), (output, written) = os.pipe(), os.pipe()
        lines = asyncio.StreamReader()
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(lines), os.fdopen(reports, "rb")
        )
        try:
            try:
                socket.send_fds(self._ours, [request], [report, written, *program.descriptors])
            finally:
                os.close(report)
                os.close(written)
            line = await lines.readline()
            if not line:
                raise ServiceError("the application has ended, or could not fork")
        except BaseException:
            transport.close()
            os.close(output)
            raise
        return Fork(int(line), os.fdopen(output, "rb"), lines)


class Fork:
    """A running fork of the application; it has what `Process` needs of a child."""

    def __init__(self, pid: int, output: IO[bytes], reports: asyncio.StreamReader) -> None:
        self.pid = pid
        self.stdout = output
        self._reports = reports

    def send_signal(self, number: Signals) -> None:
        """Send a signal, unless the process has ended."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    async def exit_code(self) -> int:
        """Wait for its end. If the application was killed, the kernel has killed the fork too."""
        line = await self._reports.readline()
        return int(line) if line else -signal.SIGKILL

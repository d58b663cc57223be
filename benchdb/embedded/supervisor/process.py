"""A child process of the supervisor: its description, start and stop."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from signal import Signals
from threading import Thread

from .forks import Application, Fork, Program
from .logs import ServiceLog
from .privileges import Account, launcher

# Longer lines are logged in pieces, so that a child that never ends its line uses no memory.
LINE_BYTES = 16 * 1024
# The time that processes outside the group (PostgreSQL's backends) may hold the log pipe after their master's death.
STRAGGLER_SECONDS = 5


@dataclass(frozen=True)
class Service:
    """A program with instructions to start, watch and stop it."""

    name: str
    command: Sequence[str | Path]
    account: Account | None = None
    # Called in a thread before every start, to remove remains of a killed predecessor.
    prepare: Callable[[], None] = lambda: None
    # Called in a thread until it returns true. A service without it is ready as soon as it runs.
    ready: Callable[[], bool] = lambda: True
    ready_seconds: float = 60
    # Called in a thread with exit code and last lines if it ends before it is ready. Returns what was repaired, after
    # which it starts once more; empty if there is nothing to repair.
    repair: Callable[[int, Sequence[str]], str] = lambda code, lines: ""
    # Called in a thread every few seconds while it runs: whether there was a sign of life. A service without one for
    # `silent_seconds` is stopped and started again.
    alive: Callable[[], bool] = lambda: True
    silent_seconds: float = 120
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    directory: Path | None = None
    # Open file descriptors that the child inherits under their numbers.
    descriptors: Sequence[int] = ()
    stop_signal: Signals = signal.SIGTERM
    stop_seconds: float = 10
    # Sent by the kernel if the supervisor is killed; it must end the service soon in any state.
    orphan_signal: Signals = signal.SIGTERM
    # If set, this application forks the process instead of starting a new one. The command must be Python's.
    application: Application | None = None


class Process:
    """A running child. Create it with `start`, inside the event loop of the main thread."""

    def __init__(self, service: Service, child: subprocess.Popen[bytes] | Fork, log: ServiceLog) -> None:
        self._service = service
        self._child = child
        self._pump = asyncio.create_task(_pump(child, log))
        # Resolves to the exit code, negative for a signal, once the whole process group is gone.
        self.ended = asyncio.create_task(self._wait())

    @classmethod
    async def start(cls, service: Service, log: ServiceLog) -> Process:
        """Start the child in a session of its own, so that a Ctrl-C in the terminal reaches only the supervisor."""
        await asyncio.to_thread(service.prepare)
        child = await _forked(service, service.application) if service.application else _started(service)
        return cls(service, child, log)

    @property
    def pid(self) -> int:
        """The process id of the child and of its process group."""
        return self._child.pid

    async def stop(self, hurry: asyncio.Event) -> bool:
        """Stop the child; kill it if it takes too long or `hurry` is set. Returns False if it was killed."""
        if self.ended.done():
            return True
        self._child.send_signal(self._service.stop_signal)
        impatience = asyncio.create_task(hurry.wait())
        await asyncio.wait({self.ended, impatience}, timeout=self._service.stop_seconds, return_when="FIRST_COMPLETED")
        impatience.cancel()
        if self.ended.done():
            return True
        self._kill_group()
        await self.ended
        return False

    async def _wait(self) -> int:
        code = await _exit_code(self._child)
        # Workers of gunicorn or Celery whose master was killed would hold the port or the queue.
        self._kill_group()
        await asyncio.wait({self._pump}, timeout=STRAGGLER_SECONDS)
        self._pump.cancel()
        return code

    def _kill_group(self) -> None:
        with suppress(ProcessLookupError):  # no process is left, as expected
            os.killpg(self._child.pid, signal.SIGKILL)


def _started(service: Service) -> subprocess.Popen[bytes]:
    """A new process. Not in a thread: the kernel sends the orphan signal when the starting thread ends."""
    return subprocess.Popen(
        [*launcher(service.orphan_signal, service.account), *service.command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=service.environment,
        cwd=service.directory,
        pass_fds=service.descriptors,
        start_new_session=True,
    )


async def _forked(service: Service, application: Application) -> Fork:
    _, *arguments = map(str, service.command)
    return await application.fork(
        Program(service.name, arguments, service.environment, service.orphan_signal, service.descriptors)
    )


async def _exit_code(child: subprocess.Popen[bytes] | Fork) -> int:
    """Wait for the child only. In some versions, asyncio's own processes wait for all processes that hold the pipe."""
    if isinstance(child, Fork):
        return await child.exit_code()
    loop = asyncio.get_running_loop()
    code: asyncio.Future[int] = loop.create_future()
    Thread(target=lambda: loop.call_soon_threadsafe(code.set_result, child.wait()), daemon=True).start()
    return await code


async def _pump(child: subprocess.Popen[bytes] | Fork, log: ServiceLog) -> None:
    """Write the child's output to its log, line by line, until the last process that holds the pipe has ended.

    Only the beginning of a very long line is written: PostgreSQL logs slow statements with their values, which may be a
    document of 100 MB and would displace all other lines.
    """
    assert child.stdout is not None
    reader = asyncio.StreamReader()
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), child.stdout
    )
    try:
        rest, cut = b"", False  # the line that has not ended, and whether its beginning is already in the log
        while chunk := await reader.read(LINE_BYTES):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines[cut:]:
                log.write(line.decode(errors="replace").rstrip())
            cut = cut and not lines
            if len(rest) > LINE_BYTES:
                if not cut:
                    log.write(f"{rest[:LINE_BYTES].decode(errors='replace')} … (the rest of this line is not logged)")
                rest, cut = b"", True
        if rest and not cut:
            log.write(rest.decode(errors="replace").rstrip())
    finally:
        transport.close()


def describe_exit(code: int) -> str:
    """An exit code in words."""
    return f"was ended by signal {-code} ({signal.strsignal(-code)})" if code < 0 else f"ended with exit code {code}"

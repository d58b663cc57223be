"""Starts services in order, restarts what crashes, and stops everything in reverse order.

No library does this: honcho starts everything at once and ends everything when one child ends. circus (with ZeroMQ,
Tornado and TCP control ports) and supervisor (with a configuration file and a daemon) have a start order but no
readiness checks, so the web server would start before the database answers. None of the three ends its children when
it is itself killed. This file and `process.py` are enough.
"""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path

from benchdb.embedded.errors import ServiceError

from .logs import ServiceLog, Terminal
from .process import Process, Service, describe_exit

# The interval of readiness checks of a starting service.
READY_POLL_SECONDS = 0.02
# The longest interval between signs of life of a running service.
ALIVE_POLL_SECONDS = 15
FIRST_DELAY_SECONDS = 0.5
LONGEST_DELAY_SECONDS = 30
# A service that ran this long before it crashed starts again with the first delay.
STEADY_SECONDS = 60
# Ctrl-C reaches the whole process group, and our parent may send its own signal too; both count as one request.
SAME_WISH_SECONDS = 1


class Supervisor:
    """The parent of all services of one var directory. Use `supervise` to run one."""

    def __init__(self, log_directory: Path, terminal: Terminal | None) -> None:
        self._log_directory = log_directory
        self._terminal = terminal
        self._logs: dict[str, ServiceLog] = {}
        self._groups: list[list[_Keeper]] = []
        # Receives the exception of the first service that cannot be kept running.
        self.failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        # Set by a second Ctrl-C: services that still run are killed.
        self.hurry = asyncio.Event()

    def say(self, message: str) -> None:
        """Log a message of the supervisor itself."""
        self.log("benchdb").write(message)

    def log(self, name: str) -> ServiceLog:
        """The log of the named service."""
        if name not in self._logs:
            self._logs[name] = ServiceLog(name, self._log_directory, self._terminal)
        return self._logs[name]

    async def start(self, services: Sequence[Service]) -> None:
        """Start these services at once and keep them running; return when all are ready.

        If a service ends or takes too long before it was ready for the first time, `failed` gets a ServiceError.
        """
        keepers = [_Keeper(self, service) for service in services]
        self._groups.append(keepers)
        for keeper in keepers:
            await keeper.ready.wait()

    async def run(self, service: Service) -> None:
        """Run a program that ends by itself. Raises ServiceError unless its exit code is 0."""
        log = self.log(service.name)
        process = await Process.start(service, log)
        try:
            code = await asyncio.shield(process.ended)
        finally:
            await process.stop(self.hurry)
        if code != 0:
            raise ServiceError(_failure(service, describe_exit(code), log))

    async def stop(self) -> None:
        """Stop the groups in reverse order of their start, the services of one group at once."""
        for group in reversed(self._groups):
            await asyncio.gather(*(keeper.stop() for keeper in group))
        for log in self._logs.values():
            log.close()


class _Keeper:
    """Keeps one service running."""

    def __init__(self, supervisor: Supervisor, service: Service) -> None:
        self._supervisor = supervisor
        self._service = service
        self._log = supervisor.log(service.name)
        self._process: Process | None = None
        # Set when the service is ready for the first time.
        self.ready = asyncio.Event()
        self._task = asyncio.create_task(self._keep())
        self._task.add_done_callback(self._report_failure)

    async def stop(self) -> None:
        """Stop the service for good."""
        self._task.cancel()
        await asyncio.wait({self._task})
        if self._process and not await self._process.stop(self._supervisor.hurry):
            self._supervisor.say(f"{self._service.name} did not stop in time and was killed")

    def _report_failure(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) and not self._supervisor.failed.done():
            self._supervisor.failed.set_exception(error)

    async def _keep(self) -> None:
        delay: float = FIRST_DELAY_SECONDS
        while True:
            started = time.monotonic()
            ending = await self._live()
            if not self.ready.is_set():
                raise ServiceError(_failure(self._service, ending, self._log))
            if time.monotonic() - started > STEADY_SECONDS:
                delay = FIRST_DELAY_SECONDS
            self._supervisor.say(f"{self._service.name} {ending}; starting it again in {delay:g} s")
            await asyncio.sleep(delay)
            delay = min(2 * delay, LONGEST_DELAY_SECONDS)

    async def _live(self, *, repaired: bool = False) -> str:
        """Run the service once, from start to end. Returns a description of its end.

        If it ends before it is ready, what can be repaired is repaired, and it is started once more.
        """
        self._log.begin()
        try:
            self._process = await Process.start(self._service, self._log)
        except (ServiceError, OSError) as error:
            return f"did not start: {error}"
        starting = asyncio.create_task(self._until_ready())
        try:
            await asyncio.wait(
                {starting, self._process.ended}, timeout=self._service.ready_seconds, return_when="FIRST_COMPLETED"
            )
        finally:
            starting.cancel()
        if self._process.ended.done():
            code = self._process.ended.result()
            if not repaired and (words := await self._repair(code)):
                self._supervisor.say(f"{self._service.name} {describe_exit(code)}; {words}")
                return await self._live(repaired=True)
            return describe_exit(code)
        if not starting.done():
            await self._process.stop(self._supervisor.hurry)
            return f"was not ready after {self._service.ready_seconds:g} s"
        starting.result()
        self.ready.set()
        return await self._until_end(self._process)

    async def _repair(self, code: int) -> str:
        try:
            return await asyncio.to_thread(self._service.repair, code, self._log.last_lines())
        except OSError as error:
            self._supervisor.say(f"{self._service.name} was not repaired: {error}")
            return ""

    async def _until_end(self, process: Process) -> str:
        """Wait until the service ends, or stop it if it gives no sign of life. Returns a description of its end."""
        watching = asyncio.create_task(self._until_silent())
        try:
            await asyncio.wait({watching, process.ended}, return_when="FIRST_COMPLETED")
        finally:
            watching.cancel()
        if process.ended.done():
            return describe_exit(process.ended.result())
        watching.result()
        self._supervisor.say(f"{self._service.name} gave no sign of life for {self._service.silent_seconds:g} s")
        await process.stop(self._supervisor.hurry)
        return "was stopped"

    async def _until_silent(self) -> None:
        seen = time.monotonic()
        while time.monotonic() - seen < self._service.silent_seconds:
            await asyncio.sleep(min(ALIVE_POLL_SECONDS, self._service.silent_seconds / 4))
            if await asyncio.to_thread(self._service.alive):
                seen = time.monotonic()

    async def _until_ready(self) -> None:
        while not await asyncio.to_thread(self._service.ready):
            await asyncio.sleep(READY_POLL_SECONDS)


def _failure(service: Service, ending: str, log: ServiceLog) -> str:
    """An error message with the service's last lines."""
    quoted = "\n".join(f"  {line}" for line in log.last_lines())
    return f"{service.name} {ending}." + (f" Its last words, from {log.path}:\n{quoted}" if quoted else "")


def supervise(
    main: Callable[[Supervisor], Coroutine[None, None, int]],
    log_directory: Path,
    terminal: Terminal | None,
    *,
    stop_on_interrupt: bool = True,
) -> int:
    """Run `main` with a supervisor until it returns or a signal ends it; then stop every service.

    Returns main's exit code, 0 after a signal. Without `stop_on_interrupt`, Ctrl-C is left to a program in the
    foreground. Raises the exceptions of `main`, and ServiceError for a service that does not start. Call it in the
    main thread.
    """

    async def run() -> int:
        supervisor = Supervisor(log_directory, terminal)
        task = asyncio.create_task(main(supervisor))
        _handle_signals(supervisor, task, stop_on_interrupt)
        try:
            ends: set[asyncio.Future[int] | asyncio.Future[None]] = {task, supervisor.failed}
            await asyncio.wait(ends, return_when="FIRST_COMPLETED")
            if supervisor.failed.done():
                task.cancel()
                await asyncio.wait({task})
                supervisor.failed.result()
            return 0 if task.cancelled() else task.result()
        finally:
            await supervisor.stop()

    return asyncio.run(run())


def _handle_signals(supervisor: Supervisor, task: asyncio.Task[int], stop_on_interrupt: bool) -> None:
    """Handle signals: the first ends `task`, a later one kills the services that have not stopped."""
    loop = asyncio.get_running_loop()
    first: float | None = None

    def on_signal() -> None:
        nonlocal first
        if first is None:
            first = loop.time()
            task.cancel()
        elif loop.time() - first > SAME_WISH_SECONDS:
            supervisor.hurry.set()

    loop.add_signal_handler(signal.SIGTERM, on_signal)
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # under nohup this program must outlive the terminal
        loop.add_signal_handler(signal.SIGHUP, on_signal)
    loop.add_signal_handler(signal.SIGINT, on_signal if stop_on_interrupt else lambda: None)

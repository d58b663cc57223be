"""The implementation of `manage.py services`: lock the var directory, supervise services, run a command."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from signal import SIGTERM

from benchdb.embedded.services.binaries import postgres_program
from benchdb.embedded.supervisor.lock import hold
from benchdb.embedded.supervisor.logs import Terminal
from benchdb.embedded.supervisor.privileges import launcher
from benchdb.embedded.supervisor.supervisor import Supervisor, supervise

from .config import DATABASE, ROLE, Paths
from .errors import ServiceError
from .stack import embedded_services


def notify(descriptor: int | None, message: str) -> None:
    """Report readiness to the program that started this one, through its pipe."""
    if descriptor is not None:
        os.write(descriptor, message.encode() + b"\n")
        os.close(descriptor)


def services(
    paths: Paths,
    terminal: Terminal | None,
    *,
    command: Sequence[str] = (),
    durable: bool = True,
    ready_fd: int | None = None,
) -> int:
    """Run the embedded database and broker until a signal, or for as long as `command` runs. Returns its exit code."""

    async def main(supervisor: Supervisor) -> int:
        started = await asyncio.to_thread(embedded_services, paths, durable=durable)
        if not started and not command:
            raise ServiceError("Nothing to start: DATABASE_URL and REDIS_URL name servers that run elsewhere.")
        await supervisor.start(started)
        notify(ready_fd, "ready")
        if command:
            return await _run_command(command, paths)
        supervisor.say(f"{' and '.join(service.name for service in started)} ready in {paths.var}; Ctrl-C stops them")
        psql = postgres_program("psql")
        supervisor.say(f"look inside: {psql} --host {paths.postgres_sockets} --user {ROLE} {DATABASE}")
        await asyncio.Event().wait()
        return 0

    with hold(paths, "manage.py services"):
        return supervise(main, paths.log, terminal, stop_on_interrupt=not command)


async def _run_command(command: Sequence[str], paths: Paths) -> int:
    """Run a program in the foreground, on this terminal; a SIGTERM to this process ends it."""
    environment = {**os.environ, "BENCHDB_VAR": str(paths.var)}
    child = await asyncio.create_subprocess_exec(*launcher(SIGTERM), *command, env=environment)
    try:
        code = await child.wait()
    except asyncio.CancelledError:
        child.terminate()
        await child.wait()
        raise
    return code if code >= 0 else 128 - code  # as shells report signals

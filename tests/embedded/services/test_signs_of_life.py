"""A real worker that hangs: the supervisor sees it and starts another one."""

import asyncio
import dataclasses
import os
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event

import psutil
import pytest
from django.conf import settings

from benchdb.celery import app, waiting_messages
from benchdb.embedded.services.celery import worker_service
from benchdb.embedded.supervisor.forks import Facts
from benchdb.embedded.supervisor.process import Service
from benchdb.embedded.supervisor.supervisor import Supervisor, supervise
from tests.embedded.conftest import PATIENCE

# A worker whose signs come with each heartbeat, and which counts as stuck after a second.
HASTY = """
from benchdb import celery
from celery.__main__ import main
celery.HEARTBEAT_SECONDS, celery.progress.longest_seconds = 0, 1
main()
"""
TASK = "benchdb.compare.tasks.redact_deleted"  # ends at once


@pytest.fixture
def watched() -> Event:
    """Set from the moment when the supervisor may find the worker silent: a busy machine delays answers before."""
    return Event()


@pytest.fixture
def service(watched: Event) -> Service:
    """A worker that only this test's messages reach."""
    whole = worker_service(Facts(settings.REDIS_URL, 1, {"worker": app.conf.task_default_queue}), "worker", 1)
    return dataclasses.replace(
        whole, silent_seconds=1, stop_seconds=1, alive=lambda: not watched.is_set() or whole.alive()
    )


async def until(condition: Callable[[], bool]) -> None:
    """Wait for a condition."""
    async with asyncio.timeout(2 * PATIENCE):
        while not await asyncio.to_thread(condition):
            await asyncio.sleep(0.1)


def worker_of(parent: int) -> psutil.Process | None:
    """The worker's main process."""
    for child in psutil.Process(parent).children():
        if "--hostname" in child.cmdline():
            return child
    return None


async def replaced(first: psutil.Process) -> None:
    """Wait until the supervisor has started another worker."""
    await until(lambda: (now := worker_of(os.getpid())) is not None and now.pid != first.pid)


def test_a_worker_that_is_silent_is_replaced(service: Service, watched: Event, tmp_path: Path) -> None:
    async def main(supervisor: Supervisor) -> int:
        await supervisor.start([service])
        first = worker_of(os.getpid())
        assert first is not None
        first.suspend()
        watched.set()
        await replaced(first)
        return 0

    assert supervise(main, tmp_path, None) == 0
    assert "worker gave no sign of life for 1 s" in (tmp_path / "benchdb.log").read_text()


def test_a_worker_that_is_stuck_is_replaced_and_its_messages_are_taken(
    service: Service, watched: Event, tmp_path: Path
) -> None:
    async def main(supervisor: Supervisor) -> int:
        hasty = dataclasses.replace(service, command=[sys.executable, "-c", HASTY, *service.command[3:]])
        await supervisor.start([hasty])
        first = worker_of(os.getpid())
        assert first is not None
        (process,) = first.children()
        process.suspend()  # the worker itself still runs
        for _ in range(3):
            app.send_task(TASK)
        await until(lambda: "no task has begun for 1 s" in (tmp_path / "worker.log").read_text())
        watched.set()
        await replaced(first)
        watched.clear()
        await until(lambda: not waiting_messages(app.conf.task_default_queue))
        return 0

    assert supervise(main, tmp_path, None) == 0

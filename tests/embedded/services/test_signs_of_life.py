"""A real worker that hangs: the supervisor sees it and starts another one."""

from __future__ import annotations

import asyncio
import dataclasses
import os
from collections.abc import Callable
from pathlib import Path
from threading import Event

import psutil
import pytest

from benchdb.celery import app, waiting_messages
from benchdb.embedded.services import celery
from benchdb.embedded.services.celery import SignsOfLife, worker_service
from benchdb.embedded.supervisor.process import Service
from benchdb.embedded.supervisor.supervisor import Supervisor, supervise
from tests.embedded.conftest import PATIENCE

TASK = "benchdb.compare.tasks.redact_deleted"  # ends at once


@pytest.fixture
def watched() -> Event:
    """Set from the moment when the supervisor may find the worker silent: a busy machine delays answers before."""
    return Event()


@pytest.fixture
def service(watched: Event) -> Service:
    """A worker that only this test's messages reach."""
    whole = worker_service(app, "worker", app.conf.task_default_queue, 1)
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
        if "celery" in " ".join(child.cmdline()):
            return child
    return None


def test_a_worker_that_is_stuck_or_silent_is_found_and_replaced(
    service: Service, watched: Event, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = str(service.command[list(service.command).index("--hostname") + 1])
    signs = SignsOfLife(app, name, app.conf.task_default_queue, stuck_seconds=1)

    async def main(supervisor: Supervisor) -> int:
        await supervisor.start([service])
        first = worker_of(os.getpid())
        assert first is not None
        assert signs.seen()
        (process,) = first.children()
        process.suspend()  # the worker itself still answers
        for _ in range(3):
            app.send_task(TASK)
        await until(lambda: not signs.seen())
        process.resume()
        await until(lambda: signs.seen() and not waiting_messages(app.conf.task_default_queue))
        first.suspend()
        monkeypatch.setattr(celery, "ANSWER_SECONDS", 1)
        watched.set()
        await until(lambda: (now := worker_of(os.getpid())) is not None and now.pid != first.pid)
        return 0

    assert supervise(main, tmp_path, None) == 0
    assert "worker gave no sign of life for 1 s" in (tmp_path / "benchdb.log").read_text()

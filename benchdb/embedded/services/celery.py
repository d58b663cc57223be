"""Celery's services: the workers, which run tasks, and beat, which sends periodic ones."""

from __future__ import annotations

import os
import signal
import socket
import sys
import weakref

import redis

from benchdb.embedded.config import PROJECT
from benchdb.embedded.supervisor.forks import Application, Facts
from benchdb.embedded.supervisor.process import Service
from benchdb.signs_of_life import PIPE

CELERY = (sys.executable, "-m", "celery", "--quiet", "--app")
# The worker finishes its task before it stops; a task that takes longer runs again after the next start.
WARM_SHUTDOWN_SECONDS = 20
ANSWER_SECONDS = 5
# One for a large import, one for a large page or file, and one for all that is small; an idle one has 16 MB of its own.
FILES, FILES_PROCESSES = "files-worker", 3


def worker_services(
    facts: Facts, processes: int | None = None, application: Application | None = None
) -> list[Service]:
    """The worker of statistics and periodic tasks, with `processes` processes, and that of files."""
    most = processes or facts.processes
    return [
        worker_service(facts, name, FILES_PROCESSES if name == FILES else most, application) for name in facts.queues
    ]


def worker_service(facts: Facts, name: str, processes: int, application: Application | None = None) -> Service:
    """The Celery worker of this name with `processes` processes."""
    signs = SignsOfLife(facts.broker)
    return Service(
        name=name,
        command=[
            *(*CELERY, "benchdb", "worker"),
            # The name is unique, so that questions reach this worker and no other worker of a shared broker.
            *("--queues", facts.queues[name], "--hostname", f"{name}-{os.getpid()}@{socket.gethostname()}"),
            *("--concurrency", str(processes), "--loglevel", "INFO"),
            # Mingle and gossip query other workers at the start and wait a second for answers that we do not need.
            *("--without-mingle", "--without-gossip"),
        ],
        environment={**os.environ, PIPE: signs.path},
        prepare=signs.forget,
        ready=signs.given,
        alive=signs.given_or_excused,
        directory=PROJECT,
        stop_signal=signal.SIGTERM,
        stop_seconds=WARM_SHUTDOWN_SECONDS,
        # Even a cold shutdown would wait for the broker, which is gone too. The task is not lost: its acknowledgement
        # comes late, and the sweep finds its run. The worker's processes get the same signal from the kernel.
        orphan_signal=signal.SIGKILL,
        application=application,
    )


class SignsOfLife:
    """The pipe into which a worker writes while it does its work (`benchdb/signs_of_life.py`)."""

    def __init__(self, broker: str) -> None:
        self._broker = broker
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._reader, False)
        for descriptor in (self._reader, self._writer):
            weakref.finalize(self, os.close, descriptor)

    @property
    def path(self) -> str:
        """The file that the worker opens, which also one that is started again can do."""
        return f"/proc/{os.getpid()}/fd/{self._writer}"

    def given(self) -> bool:
        """Whether the worker has given a sign since the last call."""
        try:
            return bool(os.read(self._reader, 1 << 16))
        except BlockingIOError:
            return False

    def forget(self) -> None:
        """Forget the signs of a predecessor."""
        self.given()

    def given_or_excused(self) -> bool:
        """The same; also true if the broker does not answer, since the worker is not to blame."""
        return self.given() or not _answers(self._broker)


def _answers(broker: str) -> bool:
    """Whether the broker answers."""
    try:
        with redis.from_url(broker, socket_timeout=ANSWER_SECONDS, socket_connect_timeout=ANSWER_SECONDS) as client:
            return bool(client.ping())
    except (redis.RedisError, OSError):
        return False


def beat_service(application: Application | None = None) -> Service:
    """Celery beat, the only process that sends periodic tasks."""
    return Service(
        name="beat",
        command=[*CELERY, "benchdb.beat", "beat", "--pidfile", "", "--loglevel", "INFO"],
        directory=PROJECT,
        stop_signal=signal.SIGTERM,
        orphan_signal=signal.SIGKILL,
        application=application,
    )

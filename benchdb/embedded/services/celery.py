"""Celery's services: the workers, which run tasks, and beat, which sends periodic ones."""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from dataclasses import dataclass, field

from celery import Celery
from django.conf import settings
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from benchdb.celery import files_queue, waiting_messages, workers
from benchdb.embedded.config import PROJECT
from benchdb.embedded.supervisor.process import Service

CELERY = (sys.executable, "-m", "celery", "--quiet", "--app")
# Celery prints ten lines for every worker of root; they warn of pickled messages, which we do not accept.
QUIET = {"PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges"}
# The worker finishes its task before it stops; a task that takes longer runs again after the next start.
WARM_SHUTDOWN_SECONDS = 20
PING_SECONDS = 0.5
ANSWER_SECONDS = 5
FILES_PROCESSES = 2  # a long import of one account takes one of them; an idle process has 16 MB of its own
# No task takes longer, by Celery's time limit; a process that is killed for it is replaced within the minute.
LONGEST_TASK_SECONDS = settings.CELERY_TASK_TIME_LIMIT + 60


def worker_services(app: Celery, processes: int) -> list[Service]:
    """The worker of statistics and periodic tasks, with `processes` processes, and that of files, with two at most."""
    most = {files_queue(): min(processes, FILES_PROCESSES)}
    return [worker_service(app, name, queue, most.get(queue, processes)) for name, queue in workers().items()]


def worker_service(app: Celery, service: str, queue: str, processes: int) -> Service:
    """A Celery worker for one queue with `processes` processes."""
    # Unique, so that the ping below reaches this worker and no other worker of a shared broker.
    name = f"{service}-{os.getpid()}@{socket.gethostname()}"
    signs = SignsOfLife(app, name, queue)
    return Service(
        name=service,
        command=[
            *(*CELERY, "benchdb", "worker"),
            *("--queues", queue, "--hostname", name, "--concurrency", str(processes), "--loglevel", "INFO"),
            # Mingle and gossip query other workers at the start and wait a second for answers that we do not need.
            *("--without-mingle", "--without-gossip"),
        ],
        environment={**os.environ, **QUIET},
        ready=lambda: _answers(app, name),
        alive=signs.seen,
        directory=PROJECT,
        stop_signal=signal.SIGTERM,
        stop_seconds=WARM_SHUTDOWN_SECONDS,
        # Even a cold shutdown would wait for the broker, which is gone too. The task is not lost: its acknowledgement
        # comes late, and the sweep finds its run. The worker's processes get the same signal from the kernel.
        orphan_signal=signal.SIGKILL,
    )


def _answers(app: Celery, name: str) -> bool:
    """Whether the worker of this name answers; false while the broker restarts."""
    try:
        return bool(app.control.ping(destination=[name], timeout=PING_SECONDS, limit=1))
    except (OperationalError, RedisError, OSError):
        return False


@dataclass
class SignsOfLife:
    """Watches a worker: it must answer, and begin tasks while messages wait.

    The second is needed because a worker can answer although its processes are stuck. After a full disk, hundreds of
    runs once waited for good.
    """

    app: Celery
    worker: str
    queue: str
    stuck_seconds: float = LONGEST_TASK_SECONDS
    _begun: int = -1
    _progress: float = field(default_factory=time.monotonic)

    def seen(self) -> bool:
        """Whether the worker is alive; true if the broker does not answer, since the worker is not to blame."""
        try:
            answers = self.app.control.inspect(destination=[self.worker], timeout=ANSWER_SECONDS, limit=1).stats()
            waiting = waiting_messages(self.queue)
        except (OperationalError, RedisError, OSError):
            return True
        if not answers:
            return False
        begun = sum(answers[self.worker]["total"].values())
        if begun != self._begun or not waiting:
            self._begun, self._progress = begun, time.monotonic()
        return time.monotonic() - self._progress < self.stuck_seconds


def beat_service() -> Service:
    """Celery beat, the only process that sends periodic tasks."""
    return Service(
        name="beat",
        command=[*CELERY, "benchdb.beat", "beat", "--pidfile", "", "--loglevel", "INFO"],
        directory=PROJECT,
        stop_signal=signal.SIGTERM,
        orphan_signal=signal.SIGKILL,
    )

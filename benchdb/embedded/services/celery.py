"""Celery as services: the worker that computes and the beat that sends periodic tasks."""

from __future__ import annotations

import os
import signal
import socket
import sys

from celery import Celery
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from benchdb.embedded.config import PROJECT
from benchdb.embedded.supervisor.process import Service

CELERY = (sys.executable, "-m", "celery", "--quiet", "--app", "benchdb")
# Ten lines for every worker that root starts. What they warn of, pickled messages, is not accepted.
QUIET = {"PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges"}
# A task in progress is finished before the worker stops; one that takes longer is done again after the next start.
WARM_SHUTDOWN_SECONDS = 20
PING_SECONDS = 0.5


def worker_service(app: Celery, processes: int) -> Service:
    """A Celery worker with `processes` processes."""
    # Unique, so that the ping below reaches this worker and not another one of a shared broker.
    name = f"worker-{os.getpid()}@{socket.gethostname()}"
    return Service(
        name="worker",
        command=[
            *CELERY,
            "worker",
            *("--hostname", name, "--concurrency", str(processes), "--loglevel", "INFO"),
            # These ask the other workers at the start and wait a second for answers that nothing here needs.
            *("--without-mingle", "--without-gossip"),
        ],
        environment={**os.environ, **QUIET},
        ready=lambda: _answers(app, name),
        directory=PROJECT,
        stop_signal=signal.SIGTERM,
        stop_seconds=WARM_SHUTDOWN_SECONDS,
        # Even a cold shutdown would wait for the broker, which is gone too. The task is not lost: it is acknowledged
        # late, and the sweep looks for its run. The worker's processes ask the kernel for the same signal.
        orphan_signal=signal.SIGKILL,
    )


def _answers(app: Celery, name: str) -> bool:
    """Whether the worker of this name answers; not while the broker is being started again."""
    try:
        return bool(app.control.ping(destination=[name], timeout=PING_SECONDS, limit=1))
    except (OperationalError, RedisError, OSError):
        return False


def beat_service() -> Service:
    """The one process that sends the periodic tasks."""
    return Service(
        name="beat",
        command=[*CELERY, "beat", "--pidfile", "", "--loglevel", "INFO"],
        directory=PROJECT,
        stop_signal=signal.SIGTERM,
        orphan_signal=signal.SIGKILL,
    )

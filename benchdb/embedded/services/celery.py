"""Celery's services: the worker, which runs tasks, and beat, which sends periodic ones."""

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
# Celery prints ten lines for every worker of root; they warn of pickled messages, which we do not accept.
QUIET = {"PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges"}
# The worker finishes its task before it stops; a task that takes longer runs again after the next start.
WARM_SHUTDOWN_SECONDS = 20
PING_SECONDS = 0.5


def worker_service(app: Celery, processes: int) -> Service:
    """A Celery worker with `processes` processes."""
    # Unique, so that the ping below reaches this worker and no other worker of a shared broker.
    name = f"worker-{os.getpid()}@{socket.gethostname()}"
    return Service(
        name="worker",
        command=[
            *CELERY,
            "worker",
            *("--hostname", name, "--concurrency", str(processes), "--loglevel", "INFO"),
            # Mingle and gossip query other workers at the start and wait a second for answers that we do not need.
            *("--without-mingle", "--without-gossip"),
        ],
        environment={**os.environ, **QUIET},
        ready=lambda: _answers(app, name),
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


def beat_service() -> Service:
    """Celery beat, the only process that sends periodic tasks."""
    return Service(
        name="beat",
        command=[*CELERY, "beat", "--pidfile", "", "--loglevel", "INFO"],
        directory=PROJECT,
        stop_signal=signal.SIGTERM,
        orphan_signal=signal.SIGKILL,
    )

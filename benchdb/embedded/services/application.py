"""The application process as a service: it imports the server once, and the others are its forks."""

from __future__ import annotations

import os
import signal
import sys

from benchdb.embedded.config import PROJECT
from benchdb.embedded.supervisor.forks import Application
from benchdb.embedded.supervisor.process import Service

ENVIRONMENT = {
    # Threads do not survive a fork, and would not make it quicker: several processes share the processors anyway.
    "OPENBLAS_NUM_THREADS": "1",
    # Celery prints ten lines for every worker of root; they warn of pickled messages, which we do not accept.
    "PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges",
    # At its import prometheus_client looks whether it counts for several processes. The web server sets the directory.
    "PROMETHEUS_MULTIPROC_DIR": "",
}


def application_service(application: Application) -> Service:
    """The process behind `application`."""
    return Service(
        name="application",
        command=[sys.executable, "-m", "benchdb.embedded.application", str(application.descriptor)],
        ready=application.is_ready,
        environment={**os.environ, **ENVIRONMENT},
        directory=PROJECT,
        descriptors=[application.descriptor],
        orphan_signal=signal.SIGKILL,
    )

"""Settings of gunicorn that its command line does not have."""

from __future__ import annotations

import os
import shutil
import socket
import struct
import tempfile
from pathlib import Path
from signal import SIGKILL

import scipy
from billiard.util import set_pdeathsig
from django.conf import settings
from django.urls import get_resolver
from gunicorn import glogging
from gunicorn.arbiter import Arbiter
from gunicorn.http import message

from benchdb.celery import limit_memory
from benchdb.logs import as_json

from . import web_front, web_memory

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchdb.settings")

# The workers share one import of the application, for half the start time and half the memory.
preload_app = True
# Defaults; `manage.py up` overrides them on the command line.
workers = settings.WEB_PROCESSES
threads = web_front.CLIENTS
timeout = 120
control_socket_disable = True
# By default gunicorn accepts path and scheme from headers of local clients, and a local proxy forwards headers of
# everybody. BENCHDB_TLS and BENCHDB_PROXIES configure which headers Django trusts; none sets the path.
forwarder_headers = ""
secure_scheme_headers: dict[str, str] = {}

STACK_BYTES = 8 << 20  # reserved for each thread, and mostly unused

# A client that sends or takes nothing for so long is left.
STALLED_SECONDS = 15

# The address of a comparison of 200 runs has 9,000 bytes. gunicorn's default limit is 8,190; without any limit it would
# read as long as a client sends.
limit_request_line = message.MAX_REQUEST_LINE = 64 * 1024

# Heartbeats and metrics are files that processes change all the time: on a disk kept busy by a benchmark a worker would
# seem dead, and on a full one SIGBUS ends it, because files of metrics are mapped. Uploads fill other directories.
MEMORY = worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


if settings.LOG == "json":

    class logger_class(glogging.Logger):  # type: ignore[misc]  # noqa: N801 - gunicorn's name, and it has no types
        """Writes gunicorn's own lines in the application's format."""

        def setup(self, cfg: object) -> None:
            """Set up as usual, with our formatter."""
            super().setup(cfg)
            for handler in self.error_log.handlers:
                handler.setFormatter(as_json())


def _metrics_directory() -> str:
    """A new directory in which this server's processes count requests; directories of dead servers are removed.

    prometheus_client reads the variable at its import, which happens when the application is loaded.
    """
    for left in Path(MEMORY or tempfile.gettempdir()).glob("benchdb-metrics-*"):
        if not Path("/proc", left.name.split("-")[2]).exists():
            shutil.rmtree(left, ignore_errors=True)  # it may be another user's
    return tempfile.mkdtemp(prefix=f"benchdb-metrics-{os.getpid()}-", dir=MEMORY)


METRICS = os.environ["PROMETHEUS_MULTIPROC_DIR"] = _metrics_directory()


def on_exit(server: Arbiter) -> None:
    """Remove the directory of metrics."""
    shutil.rmtree(METRICS, ignore_errors=True)  # remaining files do no harm


def when_ready(server: Arbiter) -> None:
    """Import lazily loaded modules, views and statistics, before the workers are forked."""
    assert get_resolver().url_patterns
    assert scipy.special
    web_memory.prepare()
    # Linux copies these options of a listening socket to its connections. Python has no other timeout for the headers,
    # and its timeout for sending would limit a whole answer.
    for listener in server.LISTENERS:
        for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            listener.sock.setsockopt(socket.SOL_SOCKET, option, struct.pack("@ll", STALLED_SECONDS, 0))


def pre_request(worker: object, request: message.Request) -> None:
    """Let the front answer `Expect: 100-continue`; gunicorn would ask for a body that the front is about to refuse."""
    request._expected_100_continue = False


def post_fork(server: Arbiter, worker: object) -> None:
    """End with the master; without this a worker notices the master's death only after its current request."""
    set_pdeathsig(SIGKILL)
    if os.getppid() != server.pid:  # it died before the kernel was asked
        os._exit(1)
    # Two large requests at once; orjson, which does not check all of its allocations, must not come near the limit.
    limit_memory(settings.TASK_MEMORY_BYTES + (web_front.CLIENTS + web_front.WORKERS) * STACK_BYTES)

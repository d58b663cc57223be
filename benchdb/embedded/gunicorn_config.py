"""What gunicorn cannot be told on its command line."""

from __future__ import annotations

import ctypes
import gc
import os
import shutil
import tempfile
from pathlib import Path
from signal import SIGKILL
from typing import Any

import scipy
from billiard.util import set_pdeathsig
from django.conf import settings
from django.urls import get_resolver
from gunicorn import glogging
from gunicorn.http import message

from benchdb.logs import as_json

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchdb.settings")

# The application is imported once and shared by the workers: half the time at the start, and half the memory.
preload_app = True
# Unless the command line says other numbers, as that of `manage.py up` does.
workers = settings.WEB_PROCESSES
threads = 4
timeout = 120
control_socket_disable = True
# By default it lets whoever connects from this machine, as a proxy does for everybody, say under which path and by
# which scheme it runs. What a proxy may say, Django is told by BENCHDB_TLS and BENCHDB_PROXIES; paths by nobody.
forwarder_headers = ""
secure_scheme_headers: dict[str, str] = {}

# A page of 10,000 cells makes a million objects and hardly a cycle; to look for some while they were all there took a
# third of its time. So that is done between requests, and within one only where it leaves a great many.
FEW_OBJECTS, MANY_OBJECTS = 1_000, 1_000_000
COLLECTIONS_BETWEEN = 200  # after so many what outlived its request is looked through too

# A comparison of 200 runs names them in its address, in 9,000 bytes; gunicorn takes 8,190 unless told, or any number,
# and then reads on for as long as a client sends.
limit_request_line = message.MAX_REQUEST_LINE = 64 * 1024


if settings.LOG == "json":

    class logger_class(glogging.Logger):  # type: ignore[misc]  # noqa: N801 - gunicorn's name, and it has no types
        """Writes gunicorn's own lines as the application's."""

        def setup(self, cfg: Any) -> None:
            """Set up as usual, but for the look of lines."""
            super().setup(cfg)
            for handler in self.error_log.handlers:
                handler.setFormatter(as_json())


def _metrics_directory() -> str:
    """Where the processes of this server count requests; what servers that were killed left is removed.

    prometheus_client wants to know it before it is imported, which is when the application is loaded.
    """
    for left in Path(tempfile.gettempdir()).glob("benchdb-metrics-*"):
        if not Path("/proc", left.name.split("-")[2]).exists():
            shutil.rmtree(left, ignore_errors=True)  # it may be another user's
    return tempfile.mkdtemp(prefix=f"benchdb-metrics-{os.getpid()}-")


METRICS = os.environ["PROMETHEUS_MULTIPROC_DIR"] = _metrics_directory()


def on_exit(server: Any) -> None:
    """Leave nothing behind."""
    shutil.rmtree(METRICS, ignore_errors=True)  # what is left there harms nobody


def when_ready(server: Any) -> None:
    """Import before the workers are forked what is left to first use: the views, and the statistics behind them."""
    assert get_resolver().url_patterns
    assert scipy.stats
    gc.freeze()
    gc.set_threshold(MANY_OBJECTS, 20, 20)
    _keep_freed_memory()


def post_request(worker: Any, request: Any, environ: Any, response: Any) -> None:
    """Look for cycles once the answer is sent, when hardly an object of the request is left to look through."""
    young, _, collections = gc.get_count()
    if young > FEW_OBJECTS:
        gc.collect(2 if collections > COLLECTIONS_BETWEEN else 1)


def _keep_freed_memory() -> None:
    """Let glibc keep what a request freed for the next one: to give it back and ask for it again took a twentieth of an
    upload. At most 32 MiB, in one arena: threads that wait for Python's lock anyway gain nothing from arenas of their
    own, and what one freed is still in the processor's cache. Another C library, as musl, has no such option.
    """
    trim_threshold, mmap_threshold, arena_max = -1, -3, -8  # mallopt(3), M_TRIM_THRESHOLD and so on
    if (mallopt := getattr(ctypes.CDLL(None), "mallopt", None)) is not None:
        mallopt(arena_max, 1)
        mallopt(trim_threshold, 32 << 20)
        mallopt(mmap_threshold, 8 << 20)


def post_fork(server: Any, worker: Any) -> None:
    """End with the master: by themselves, workers that serve a request notice its death only after that."""
    set_pdeathsig(SIGKILL)
    if os.getppid() != server.pid:  # it died before the kernel was asked
        os._exit(1)

"""The Celery application: statistics and everything else that takes longer than a request may."""

import os
import resource
from pathlib import Path
from typing import Any

from celery import Celery
from celery.signals import worker_process_init
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchdb.settings")

app = Celery("benchdb")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_process_init.connect
def limit_memory(**_: Any) -> None:
    """Let a task that takes too much memory fail with MemoryError, which says why; the kernel would kill in silence.

    Counted from here, because libraries reserve memory by the number of processors, and use little of it.
    """
    pages = int(Path("/proc/self/statm").read_text().split()[5])  # data and stack, see proc_pid_statm(5)
    limit = pages * resource.getpagesize() + settings.TASK_MEMORY_BYTES
    resource.setrlimit(resource.RLIMIT_DATA, (limit, resource.getrlimit(resource.RLIMIT_DATA)[1]))

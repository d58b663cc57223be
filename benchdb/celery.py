"""The Celery application: statistics and everything else that takes longer than a request may."""

from __future__ import annotations

import logging.config
import os
import resource
import time
from pathlib import Path
from typing import Any

from amqp.exceptions import ChannelError
from celery import Celery
from celery.signals import before_task_publish, heartbeat_sent, setup_logging, task_prerun, worker_process_init
from django.conf import settings
from kombu.exceptions import OperationalError
from redis import RedisError
from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars

from .absence import Absence
from .broker import be_done_either_way

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchdb.settings")

be_done_either_way()
app = Celery("benchdb")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

log = logging.getLogger(__name__)
SEEN_SECONDS = 10  # a worker's heart beats every two
_noted = 0.0
_broker = Absence("the broker", OperationalError, seconds=5)


def hand_over(task: str, *arguments: str, priority: int = 0) -> None:
    """Ask a worker for a task, once what it works on is committed.

    A broker that is away, hangs or takes nothing loses nothing and stops nobody: every task has a sweep, which finds in
    the database what is left to do.
    """
    try:
        with _broker.asking():
            app.send_task(task, arguments, priority=priority, retry=False)
    except OperationalError as error:
        log.warning("%s%s waits for the next sweep: the broker does not take it (%s)", task, arguments, error)


@worker_process_init.connect
def limit_memory(**_: Any) -> None:
    """Let a task that takes too much memory fail with MemoryError, which says why; the kernel would kill in silence.

    Counted from here, because libraries reserve memory by the number of processors, and use little of it.
    """
    pages = int(Path("/proc/self/statm").read_text().split()[5])  # data and stack, see proc_pid_statm(5)
    limit = pages * resource.getpagesize() + settings.TASK_MEMORY_BYTES
    resource.setrlimit(resource.RLIMIT_DATA, (limit, resource.getrlimit(resource.RLIMIT_DATA)[1]))


@heartbeat_sent.connect
def note_worker(**_: Any) -> None:
    """Note that this worker lives, at most every `SEEN_SECONDS`."""
    global _noted
    from . import seen  # the cache is there when Django is

    if time.monotonic() - _noted < SEEN_SECONDS:
        return
    _noted = time.monotonic()
    try:
        seen.note(seen.WORKER)
    except RedisError as error:  # the worker waits for the broker, which is on the same server, and says so itself
        log.warning("nobody is told that this worker lives: %s", error)


@before_task_publish.connect
def send_request_id(headers: dict[str, Any], **_: Any) -> None:
    """Let the lines of a task name the request that it came from."""
    if request_id := get_contextvars().get("request_id"):
        headers["request_id"] = request_id


@task_prerun.connect
def name_task(task_id: str, task: Any, **_: Any) -> None:
    """Let every line that is logged while a task is done name it."""
    clear_contextvars()
    bind_contextvars(task=task.name, task_id=task_id)
    if request_id := task.request.get("request_id"):
        bind_contextvars(request_id=request_id)


if settings.LOG == "json":  # Celery's own lines too; plain ones it writes with the process in front

    @setup_logging.connect
    def write_as_the_server_does(**_: Any) -> None:
        """Take Django's configuration in place of Celery's."""
        logging.config.dictConfig(settings.LOGGING)


def waiting_messages() -> int:
    """Messages that no worker has taken yet. Raises RedisError or kombu's OperationalError."""
    with app.connection_for_read() as connection:
        try:
            found = connection.default_channel.queue_declare(app.conf.task_default_queue, passive=True)
        except ChannelError:  # Redis has no empty lists
            return 0
        return int(found.message_count)

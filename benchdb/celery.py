"""The Celery application, which runs statistics and all other work that is too long for a request."""

from __future__ import annotations

import gc
import logging.config
import os
import random
import resource
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from amqp.exceptions import ChannelError
from celery import Celery, Task
from celery.exceptions import SoftTimeLimitExceeded
from celery.signals import (
    before_task_publish,
    heartbeat_sent,
    setup_logging,
    task_prerun,
    worker_before_create_process,
    worker_process_init,
    worker_ready,
)
from celery.worker import state
from django.conf import settings
from django.db import Error
from django.db import connection as database
from kombu.exceptions import OperationalError
from redis import RedisError
from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars

from . import heartbeats, signs_of_life
from .connections.broker import install_releasing_qos
from .connections.circuit_breaker import CircuitBreaker

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchdb.settings")

install_releasing_qos()
app = Celery("benchdb")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

log = logging.getLogger(__name__)
# The tasks that read or make files, some of them for minutes. They have a queue and a worker of their own, so that they
# do not delay statistics. They have one priority: while pictures came first, four accounts could stop all imports.
FILE_TASKS = frozenset(
    {
        "benchdb.exports.tasks.make",
        "benchdb.exports.tasks.prepare_card",
        "benchdb.ingest.tasks.continue_imports",
    }
)
HEARTBEAT_SECONDS = 10  # Celery's heartbeat comes every two
TURNS = 0x1B09  # the first number of the advisory locks of tasks that may take long
_recorded_at = 0.0
# No task takes longer, by Celery's time limit; a process that is killed for it is replaced within the minute.
progress = signs_of_life.TaskProgress(settings.CELERY_TASK_TIME_LIMIT + 60)
_broker = CircuitBreaker("the broker", OperationalError, seconds=5)


def files_queue() -> str:
    """The name of the queue of `FILE_TASKS`. It begins as the broker's rules require (deploy/redis/users.acl)."""
    return f"{app.conf.task_default_queue}-files"


def _route(name: str, *_: object, **__: object) -> dict[str, str] | None:
    return {"queue": files_queue()} if name in FILE_TASKS else None


app.conf.task_routes = (_route,)


def hand_over(task: str, *arguments: str, priority: int = 0) -> None:
    """Queue a task for a worker; call this after the commit of the data that the task works on.

    If the broker is away, hangs or refuses messages, nothing is lost and no caller is held up: every task has a sweep,
    which looks in the database for unfinished work.
    """
    try:
        with _broker.attempt():
            app.send_task(task, arguments, priority=priority, retry=False)
    except OperationalError as error:
        log.warning("%s%s waits for the next sweep: the broker does not take it (%s)", task, arguments, error)


@app.task
def sweep_in_turn() -> int:
    """Run the sweeps that may take long one after another; 0 at once while another process does so. Idempotent.

    So they hold one process; those of a worker are else all taken, because periodic tasks come before statistics. The
    order is random, so that one that hangs or kills its process is not always before the same others. Returns the sum
    of what they return. Raises ExceptionGroup of their defects, after the others had their turn.
    """
    done, failures = 0, list[Exception]()
    with turn("sweeps") as is_ours:
        for name in random.sample(settings.LONG_SWEEPS, len(settings.LONG_SWEEPS) if is_ours else 0):
            with collected(failures):
                done += app.tasks[name]()
    if failures:
        raise ExceptionGroup("sweeps", failures)
    return done


@contextmanager
def collected(failures: list[Exception]) -> Iterator[None]:
    """Keep a defect for the end of a sweep, so that all others have their turn."""
    try:
        yield
    except SoftTimeLimitExceeded:
        raise
    except Exception as error:
        failures.append(error)


@contextmanager
def turn(work: str) -> Iterator[bool]:
    """Whether no other process is inside this block for such work, which may take long.

    The lock is of a connection of its own, which ends with the process; PostgreSQL may notice the end of a connection
    later than the next task begins.
    """
    with closing(database.copy()) as own, own.cursor() as cursor:
        own.set_autocommit(False)
        cursor.execute("SELECT WHERE pg_try_advisory_xact_lock(%s, hashtext(%s))", (TURNS, work))
        try:
            yield cursor.rowcount == 1
        finally:
            with suppress(Error):
                own.rollback()


@worker_before_create_process.connect
def share_memory(**_: object) -> None:
    """Keep the cycle collector of the next process away from all objects that it shares with this one.

    The collector writes into each object that it looks at, and so the kernel copied them all: 80 MB for each process.
    """
    gc.collect()
    gc.freeze()


@worker_process_init.connect
def limit_memory(more: int = 0, **_: object) -> None:
    """Limit memory, so that a greedy task fails with MemoryError; without a limit the kernel kills it without a reason.

    A web process may have `more`: it has many threads, and works on several requests.

    The limit is added to the size at the start, because libraries reserve memory for each processor and use little.
    """
    pages = int(Path("/proc/self/statm").read_text().split()[5])  # data and stack, see proc_pid_statm(5)
    limit = pages * resource.getpagesize() + more + settings.TASK_MEMORY_BYTES
    resource.setrlimit(resource.RLIMIT_DATA, (limit, resource.getrlimit(resource.RLIMIT_DATA)[1]))


@worker_ready.connect
def give_first_sign(**_: object) -> None:
    """Tell the supervisor that this worker takes messages."""
    signs_of_life.give()


@heartbeat_sent.connect
def record_heartbeat(**_: object) -> None:
    """Record that the worker of each queue that this process consumes lives, at most every `HEARTBEAT_SECONDS`."""
    global _recorded_at
    if time.monotonic() - _recorded_at < HEARTBEAT_SECONDS:
        return
    _recorded_at = time.monotonic()
    consumed = app.amqp.queues.consume_from
    try:
        for name, queue in workers().items():
            if queue in consumed:
                heartbeats.record(name)
        if progress.is_made(state.all_total_count[0], lambda: any(map(waiting_messages, consumed))):
            signs_of_life.give()
        else:
            log.warning("messages wait, and no task has begun for %s s", progress.longest_seconds)
    except (
        RedisError,
        OperationalError,
    ) as error:  # the worker itself logs that the broker is away
        log.warning("this worker's sign of life was not stored: %s", error)


@before_task_publish.connect
def send_request_id(headers: dict[str, object], **_: object) -> None:
    """Send the id of the current request with the task, for its log lines."""
    if request_id := get_contextvars().get("request_id"):
        headers["request_id"] = request_id


@task_prerun.connect
def name_task(task_id: str, task: Task, **_: object) -> None:
    """Bind the names of task and request to every line logged while the task runs."""
    clear_contextvars()
    bind_contextvars(task=task.name, task_id=task_id)
    if request_id := task.request.get("request_id"):
        bind_contextvars(request_id=request_id)


if settings.LOG == "json":  # Celery's own lines too; plain lines stay Celery's, which begin with the process

    @setup_logging.connect
    def write_as_the_server_does(**_: object) -> None:
        """Use Django's logging configuration in place of Celery's."""
        logging.config.dictConfig(settings.LOGGING)


def workers() -> dict[str, str]:
    """The queue of each worker, by the worker's name."""
    return {heartbeats.WORKER: app.conf.task_default_queue, heartbeats.FILES_WORKER: files_queue()}


def waiting_messages(name: str) -> int:
    """The number of messages in a queue that no worker has taken yet. Raises RedisError or kombu's OperationalError."""
    with app.connection_for_read() as connection:
        try:
            queue = connection.default_channel.queue_declare(name, passive=True)
        except ChannelError:  # Redis has no empty lists
            return 0
        return int(queue.message_count)

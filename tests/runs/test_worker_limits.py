"""Limits of time and memory for one task of the worker."""

import os
import subprocess
import sys

from benchdb.celery import app
from benchdb.embedded.config import PROJECT

PROGRAM = """
import django
django.setup()
from benchdb.celery import limit_memory
limit_memory()
kept = bytearray(32 << 20)
try:
    bytearray(128 << 20)
except MemoryError:
    print("refused")
"""


COPIED = """
import gc, os
from pathlib import Path
import django
django.setup()
from benchdb.celery import app, share_memory
app.loader.import_default_modules()

def own():
    return int(Path("/proc/self/smaps_rollup").read_text().partition("Private_Dirty:")[2].split()[0])

if {shares}:
    share_memory()
if os.fork():
    os.wait()
else:
    before = own()
    gc.collect()
    print(own() - before, flush=True)
    os._exit(0)
"""


def copied(*, shares: bool) -> int:
    """The KiB that a process of the worker copies when it collects garbage."""
    path = os.pathsep.join([str(PROJECT), str(PROJECT / "agents")])
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "benchdb.settings", "PYTHONPATH": path}
    program = [sys.executable, "-c", COPIED.format(shares=shares)]
    return int(subprocess.run(program, env=environment, capture_output=True, text=True, check=True).stdout)


def test_processes_of_a_worker_share_what_was_imported_before_them() -> None:
    assert copied(shares=True) < copied(shares=False) / 8


def test_a_task_that_wants_too_much_memory_gets_an_error_it_can_report() -> None:
    path = os.pathsep.join([str(PROJECT), str(PROJECT / "agents")])
    settings = {"DJANGO_SETTINGS_MODULE": "benchdb.settings", "BENCHDB_TASK_MEMORY": "96", "PYTHONPATH": path}

    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env={**os.environ, **settings}, capture_output=True, text=True, check=False
    )

    assert (done.stdout, done.returncode) == ("refused\n", 0), done.stderr


def test_a_task_ends_before_the_broker_gives_its_message_to_another() -> None:
    conf = app.conf

    assert 0 < conf.task_soft_time_limit < conf.task_time_limit < conf.broker_transport_options["visibility_timeout"]


def test_no_task_is_without_these_limits() -> None:
    app.loader.import_default_modules()
    tasks = [task for name, task in app.tasks.items() if name.startswith("benchdb.")]

    assert len(tasks) >= 5
    assert all(task.acks_late and task.reject_on_worker_lost for task in tasks)
    assert all((task.time_limit or app.conf.task_time_limit) <= app.conf.task_time_limit for task in tasks)
    assert app.conf.worker_max_memory_per_child > 0

"""`python -m benchdb.embedded.application FD`: imports the application once, and forks the processes that run it.

The web server, the workers, beat and the migrations need the same 200 MB of modules. Forks share them, and start in no
time. The supervisor asks for each over a socket (`supervisor/forks.py`) and is told how it ended. This process has no
threads and no connections, so that its forks begin without any; the kernel ends them when it dies.
"""

from __future__ import annotations

import gc
import json
import os
import runpy
import select
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

import django
import scipy
from billiard.util import set_pdeathsig
from django.conf import settings
from django.urls import get_resolver
from django.utils.module_loading import import_string

from benchdb.celery import app, workers

from .supervisor.forks import Facts, Program

# The modules of the programs that are started here, which would import them one by one.
PROGRAMS = (
    *("celery.apps.beat", "celery.apps.worker", "celery.bin.celery", "celery.concurrency.prefork"),
    *("celery.worker.consumer", "django.core.management.commands.migrate", "gunicorn.app.wsgiapp"),
    *("gunicorn.workers.gthread", "whitenoise.storage"),
)
LONGEST_REQUEST = 1 << 20
MOST_DESCRIPTORS = 8


def main() -> None:
    """Serve the supervisor; in a fork, run its program. Without an argument, only import, which compiles."""
    _name("application")
    _import_everything()
    if not sys.argv[1:]:
        return
    supervisor = socket.socket(fileno=int(sys.argv[1]))
    facts = Facts(settings.REDIS_URL, settings.WORKER_PROCESSES, workers())
    with suppress(ConnectionError):  # the supervisor has ended, and this process is about to
        supervisor.send(json.dumps(asdict(facts)).encode())
    _run(_serve(supervisor))


def _import_everything() -> None:
    django.setup()
    app.loader.import_default_modules()
    app.finalize()
    assert get_resolver().url_patterns
    assert scipy.special
    for name in settings.MIDDLEWARE:
        import_string(name)
    for name in PROGRAMS:
        import_module(name)
    gc.collect()
    gc.freeze()  # a collector that looks at these objects in a fork would copy them


def _serve(supervisor: socket.socket) -> Sequence[str]:
    """Fork for each request. Returns only in a fork, what it is to run."""
    running: dict[int, tuple[int, int]] = {}  # by pidfd: the process id, and where its end is reported
    parent = os.getpid()
    while True:
        readable, _, _ = select.select([supervisor.fileno(), *running], [], [])
        for pidfd in running.keys() & readable:
            _report(*running.pop(pidfd))
            os.close(pidfd)
        if supervisor.fileno() not in readable:
            continue
        request, (report, *own), _, _ = socket.recv_fds(supervisor, LONGEST_REQUEST, MOST_DESCRIPTORS)
        pid = _fork()
        if pid == 0:
            for other in (supervisor.detach(), report, *running, *(pipe for _, pipe in running.values())):
                os.close(other)
            program = Program(**json.loads(request))
            _become(program, parent, own)
            return program.arguments
        for descriptor in own:
            os.close(descriptor)
        if pid is None:
            os.close(report)  # the supervisor tries again
            continue
        running[os.pidfd_open(pid)] = pid, report
        try:
            os.write(report, b"%d\n" % pid)
        except BrokenPipeError:  # the supervisor has given up in the meantime
            os.kill(pid, signal.SIGKILL)


def _fork() -> int | None:
    """The process id of a fork, 0 in the fork; None if the system has no room for it, which must not end the others."""
    try:
        return os.fork()
    except OSError as error:
        print(f"no fork: {error}", file=sys.stderr)
        return None


def _report(pid: int, report: int) -> None:
    """Tell the supervisor the exit code of a fork, negative for a signal."""
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    with suppress(BrokenPipeError):
        os.write(report, b"%d\n" % code)
    os.close(report)


def _become(program: Program, parent: int, descriptors: Sequence[int]) -> None:
    """Give this fork what a new process has: its session, name, environment and descriptors."""
    os.setsid()
    set_pdeathsig(program.orphan_signal)
    if os.getppid() != parent:  # it died before the kernel was asked
        os._exit(1)
    output, *others = descriptors
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.close(output)
    for received, wanted in zip(others, program.descriptors, strict=True):
        if received != wanted:
            os.dup2(received, wanted)
            os.close(received)
    os.environ.clear()
    os.environ.update(program.environment)
    _name(program.name)


def _name(name: str) -> None:
    """Name this process for `top` and `pstree`: all forks have one command line."""
    Path("/proc/self/comm").write_text(name)


def _run(arguments: Sequence[str]) -> None:
    """Run what Python would run with these arguments."""
    if arguments[0] == "-m":
        sys.argv = list(arguments[1:])
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = list(arguments)
        runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    main()

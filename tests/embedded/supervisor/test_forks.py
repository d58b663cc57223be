"""Forks of the real application: what they have, and how their end is reported."""

import asyncio
import json
import os
import socket
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from benchdb.embedded.errors import ServiceError
from benchdb.embedded.services.application import application_service
from benchdb.embedded.supervisor.forks import Application
from benchdb.embedded.supervisor.process import Process, Service
from benchdb.embedded.supervisor.supervisor import Supervisor, supervise

SHOW = """
import json, os, random, sys, threading
print(json.dumps({
    "arguments": sys.argv[1:],
    "name": open("/proc/self/comm").read().strip(),
    "leader": os.getpid() == os.getsid(0),
    "threads": open("/proc/self/status").read().partition("Threads:")[2].split()[0],
    "files": {int(fd): os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd")
              if os.path.exists(f"/proc/self/fd/{fd}")},
    "environment": dict(os.environ),
    "loaded": "benchdb.runs.models" in sys.modules,
    "random": random.random(),
}))
"""

Work = Callable[[Supervisor], Coroutine[None, None, None]]
Run = Callable[[Work], None]


@pytest.fixture
def application() -> Iterator[Application]:
    with closing(Application()) as application:
        yield application


@pytest.fixture
def run(
    application: Application, tmp_path: Path
) -> Callable[[Callable[[Supervisor], Coroutine[None, None, None]]], None]:
    """Runs a coroutine with a supervisor under which the application is ready."""

    def run_it(work: Work) -> None:
        async def main(supervisor: Supervisor) -> int:
            await supervisor.start([application_service(application)])
            await work(supervisor)
            return 0

        assert supervise(main, tmp_path, None) == 0

    return run_it


ENDS = {
    "raise SystemExit(7)": r"fork ended with exit code 7\.",
    "import os; os.kill(os.getpid(), 9)": r"fork was ended by signal 9 \(Killed\)\.",
    "1 / 0": r"(?s)fork ended with exit code 1\..*ZeroDivisionError",
}


def test_a_fork_has_the_application_and_nothing_that_belongs_to_others_and_its_end_is_reported(
    application: Application, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "show.py").write_text(SHOW)
    environment = {"PATH": os.environ["PATH"], "ONLY": "this"}

    async def work(supervisor: Supervisor) -> None:
        command = [sys.executable, str(tmp_path / "show.py"), "--ready"]
        with socket.create_server(("127.0.0.1", 0)) as listener:
            waits = Service("waits", [sys.executable, str(tmp_path / "waits.py")], application=application)
            (tmp_path / "waits.py").write_text("import time\nprint('here', flush=True)\ntime.sleep(3600)")
            await supervisor.start([waits])
            for name in ("one", "two"):
                service = Service(
                    name, command, environment=environment, descriptors=[listener.fileno()], application=application
                )
                await supervisor.run(service)
                shown[name] = json.loads(supervisor.log(name).last_lines()[-1])
            handed.append(listener.fileno())
        for end, expected in ENDS.items():
            (tmp_path / "fork.py").write_text(end)
            fork = Service("fork", [sys.executable, str(tmp_path / "fork.py")], application=application)
            with pytest.raises(ServiceError, match=expected):
                await supervisor.run(fork)

    shown: dict[str, dict] = {}
    handed: list[int] = []
    run(work)
    one, two = shown["one"], shown["two"]
    assert (one["arguments"], one["name"], one["leader"], one["threads"]) == (["--ready"], "one", True, "1")
    assert one["loaded"]
    assert one["environment"] == environment
    files = {int(number): link.partition(":")[0] for number, link in one["files"].items()}
    assert files == {0: "/dev/null", 1: "pipe", 2: "pipe", handed[0]: "socket"}
    assert one["random"] != two["random"]


def test_a_fork_ends_with_the_application_and_the_next_one_starts_it_again(
    application: Application, run: Run, tmp_path: Path
) -> None:
    (tmp_path / "fork.py").write_text("import time\nprint('runs', flush=True)\ntime.sleep(3600)")

    async def work(supervisor: Supervisor) -> None:
        fork = Service("fork", [sys.executable, str(tmp_path / "fork.py")], application=application, stop_seconds=120)
        first = await Process.start(fork, supervisor.log("fork"))
        parent = int(Path(f"/proc/{first.pid}/stat").read_text().rpartition(")")[2].split()[1])
        os.kill(parent, 9)
        assert await first.ended == -9
        second = await asyncio.wait_for(Process.start(fork, supervisor.log("fork")), 120)  # waits for the next one
        assert await second.stop(supervisor.hurry)

    run(work)
    assert "application was ended by signal 9" in (tmp_path / "benchdb.log").read_text()

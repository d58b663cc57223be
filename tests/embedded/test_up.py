"""`manage.py up`, `services` and `migrate`: the real programs."""

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import psycopg
import pytest

from benchdb.embedded.background import server, services
from benchdb.embedded.config import PROJECT, Paths, manage
from benchdb.embedded.database import MIGRATION_LOCK
from benchdb.embedded.errors import ServiceError
from benchdb.embedded.supervisor.lock import holder
from tests.embedded.conftest import PATIENCE, Connect, processes_in
from tests.embedded.processes import APPLICATION
from tests.embedded.processes import services as services_of
from tests.support.waiting import wait_until
from tests.texts import missing_in

FORKS = {"web", "worker", "files-worker", "beat"}

pytestmark = pytest.mark.usefixtures("own_services")


@pytest.fixture
def environment(paths: Paths, own_services: None) -> Mapping[str, str]:
    """The environment of a command that works in `paths`."""
    return {**os.environ, "BENCHDB_VAR": str(paths.var)}


def run(environment: Mapping[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(manage(*arguments), env=environment, cwd=PROJECT, capture_output=True, text=True, check=False)


def status(url: str) -> int:
    with urllib.request.urlopen(f"{url}healthz", timeout=PATIENCE) as answer:
        return int(answer.status)


def first_line(url: str, length: int) -> str:
    """The status line of the answer to an address of this length."""
    with (
        socket.create_connection(("127.0.0.1", urlsplit(url).port or 0), timeout=PATIENCE) as client,
        client.makefile() as answer,
    ):
        client.sendall(f"GET /healthz?{'x' * length} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        return answer.readline().strip()


def family(paths: Paths) -> list[psutil.Process]:
    """The supervisor and all its descendants."""
    supervisor = holder(paths)
    assert supervisor
    process = psutil.Process(supervisor.pid)
    return [process, *process.children(recursive=True)]


def until_replaced(paths: Paths, killed: psutil.Process, *others: str) -> dict[str, psutil.Process]:
    """Wait until this service and the others run again, in other processes. Returns all services."""
    names, supervisor = {killed.name(), *others}, family(paths)[0].pid
    before = {name: services_of(supervisor)[name] for name in names}
    killed.kill()

    def replaced() -> bool:
        now = services_of(supervisor)
        return all(name in now and now[name] != before[name] for name in names)

    wait_until(replaced, PATIENCE, lambda: f"{names} did not come back")
    return services_of(supervisor)


def test_everything_runs_comes_back_and_stops(paths: Paths, environment: Mapping[str, str]) -> None:
    with server("--port", "0", environment=environment) as url:
        assert status(url) == 200
        assert first_line(url, 60_000) == "HTTP/1.1 200 OK"  # an address of 200 runs with all their choices
        assert first_line(url, 70_000) == "HTTP/1.1 414 URI Too Long"  # the server stops reading
        supervisor = family(paths)[0]
        running = services_of(supervisor.pid)
        assert running.keys() >= {"postgres", APPLICATION, *FORKS}

        for name in FORKS:
            running = until_replaced(paths, running[name])
        assert status(url) == 200  # the port stayed open, so no connection is refused

        # Other commands use the running services.
        other = run(environment, "services", "--exec", *manage("migrate", "--check"))
        assert (other.returncode, other.stderr) == (0, "")

        processes = family(paths)
        supervisor.send_signal(signal.SIGINT)
        supervisor.wait(PATIENCE)
        assert psutil.wait_procs(processes, timeout=PATIENCE)[1] == []
    assert holder(paths) is None
    assert processes_in(paths.var) == set()


def test_the_application_is_replaced_with_its_forks(paths: Paths, environment: Mapping[str, str]) -> None:
    with server("--port", "0", environment=environment) as url:
        application = services_of(family(paths)[0].pid)[APPLICATION]
        before = application.children(recursive=True)
        assert {process.name() for process in before} == FORKS
        after = until_replaced(paths, application, *FORKS)
        wait_until(lambda: not any(map(lives, before)), PATIENCE)
        assert {after[name].ppid() for name in FORKS} == {after[APPLICATION].pid}
        assert status(url) == 200


def test_the_supervisor_imports_nothing_of_the_application() -> None:
    code = "import benchdb.embedded.without_django, json, sys; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True)
    packages = {name.partition(".")[0] for name in json.loads(done.stdout)}
    assert packages & {"celery", "django", "kombu", "numpy", "pydantic", "scipy"} == set()


def test_nothing_outlives_a_killed_supervisor(paths: Paths, environment: Mapping[str, str]) -> None:
    with server("--port", "0", environment=environment):
        processes = family(paths)
        assert len(processes) >= 8  # with the processes of gunicorn, Celery and PostgreSQL
        processes[0].kill()
        wait_until(lambda: not any(map(lives, processes)), PATIENCE)


def lives(process: psutil.Process) -> bool:
    """Whether a process runs; a zombie, which waits for its parent, does not."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.fixture
def taken_port() -> Iterator[int]:
    """A port on which another program listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def test_a_taken_port_is_named(environment: Mapping[str, str], taken_port: int) -> None:
    with pytest.raises(ServiceError) as error, server("--port", str(taken_port), environment=environment):
        pass
    assert not missing_in(
        str(error.value), f"Port {taken_port} on 127.0.0.1 cannot be used: Address already in use.", "--port 0"
    )


def test_two_migrations_at_once_both_succeed(paths: Paths, environment: Mapping[str, str]) -> None:
    with services(paths.var):
        command = manage("migrate", "--no-input")
        both = [
            subprocess.Popen(command, env=environment, cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            for _ in range(2)
        ]
        outputs = [process.communicate()[0].decode() for process in both]
        assert [process.returncode for process in both] == [0, 0], outputs
        assert sorted("No migrations to apply" in output for output in outputs) == [False, True]


def test_a_migration_waits_while_another_one_works(
    paths: Paths, environment: Mapping[str, str], connect: Connect
) -> None:
    with services(paths.var), connect() as working:
        working.execute("SELECT pg_advisory_lock(%s)", [MIGRATION_LOCK])
        command = manage("migrate", "--no-input", "--verbosity", "0")
        waiting = subprocess.Popen(command, env=environment, cwd=PROJECT)
        until_somebody_waits(working)
        assert working.execute("SELECT to_regclass('django_migrations')").fetchone() == (None,)
        working.execute("SELECT pg_advisory_unlock(%s)", [MIGRATION_LOCK])
        assert waiting.wait() == 0


def until_somebody_waits(connection: psycopg.Connection) -> None:
    """Wait until another session has tried to get the lock; checking does not block that session."""
    query = "SELECT FROM pg_stat_activity WHERE query LIKE 'SELECT pg_try_advisory_lock%' AND state = 'idle'"
    wait_until(lambda: connection.execute(query).rowcount > 0, PATIENCE, lambda: "nobody waited for the lock")


def test_services_run_for_one_command(paths: Paths, environment: Mapping[str, str]) -> None:
    done = run(environment, "services", "--exec", "sh", "-c", "test -S $BENCHDB_VAR/run/valkey.sock && exit 7")
    assert (done.returncode, done.stdout, done.stderr) == (7, "", "")
    assert processes_in(paths.var) == set()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("services", "--exec", "no-such-command"), "CommandError: There is no command no-such-command."),
        (("migrate",), "The database is not running. Start `python manage.py up`"),
    ],
    ids=["no such command", "no services"],
)
def test_a_command_that_cannot_run_says_why(
    environment: Mapping[str, str], arguments: Sequence[str], said: str
) -> None:
    done = run(environment, *arguments)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith(said)


def test_a_directory_that_cannot_be_written_is_named(paths: Paths, environment: Mapping[str, str]) -> None:
    (paths.var / "static").touch()
    done = run(environment, "up", "--port", "0")
    assert done.returncode == 1
    assert not missing_in(
        done.stderr,
        "CommandError: prepare ended with exit code 1.",
        "The files of the pages cannot be copied: [Errno 20] Not a directory",
    )
    assert processes_in(paths.var) == set()


def test_a_server_that_is_not_ours_is_waited_for_and_named(tmp_path: Path, environment: Mapping[str, str]) -> None:
    nowhere = {**environment, "DATABASE_URL": "postgresql://nobody@127.0.0.1:9/none", "BENCHDB_DATABASE_PATIENCE": "1"}
    done = run(nowhere, "up", "--port", "0")
    assert done.returncode == 1
    assert not missing_in(done.stderr, "The database does not take connections", "Check DATABASE_URL")

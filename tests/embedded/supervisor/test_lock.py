"""At most one supervisor for each var directory."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchdb.embedded.config import Paths
from benchdb.embedded.errors import AlreadyRunning, ServiceError
from benchdb.embedded.supervisor.lock import Holder, hold, holder

HOLDING = """
import sys, time
from pathlib import Path
from benchdb.embedded.config import Paths
from benchdb.embedded.supervisor.lock import hold
with hold(Paths(Path(sys.argv[1])), "manage.py up --port 8000"):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(tmp_path / "var")


@pytest.fixture
def other(paths: Paths) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the directory."""
    command = [sys.executable, "-c", HOLDING, str(paths.var)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_nobody_holds_a_new_directory(paths: Paths) -> None:
    assert holder(paths) is None


def test_holder_is_known_while_it_holds(paths: Paths) -> None:
    with hold(paths, "manage.py services"):
        assert holder(paths) == Holder(os.getpid(), "manage.py services")
    assert holder(paths) is None


def test_second_process_is_told_who_holds_the_directory(paths: Paths, other: subprocess.Popen[str]) -> None:
    expected = rf"{paths.var} are already run by process {other.pid} \(`manage.py up --port 8000`\)"
    with pytest.raises(AlreadyRunning, match=expected), hold(paths, "manage.py services"):
        pass


def test_a_killed_holder_lets_go(paths: Paths, other: subprocess.Popen[str]) -> None:
    other.send_signal(signal.SIGKILL)
    other.wait()
    with hold(paths, "manage.py services"):
        assert holder(paths) == Holder(os.getpid(), "manage.py services")


@pytest.mark.needs("an ordinary user")
def test_another_users_directory_is_refused_in_words(paths: Paths) -> None:
    paths.var.mkdir(mode=0o500)
    with pytest.raises(ServiceError, match=rf"{paths.run} is another user's.*BENCHDB_VAR"), hold(paths, "manage.py up"):
        pass

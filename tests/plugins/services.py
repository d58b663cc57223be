"""Runs PostgreSQL and the broker for one test session.

Named in `addopts`, so that this module is imported, and the environment set, before Django reads its settings. The
session's data are in var/test-1, or in var/test-2 while another session in this checkout uses the first, and so on;
directories are reused, because a new one takes a second to make. With DATABASE_URL and REDIS_URL set, those servers are
used and nothing is started.
"""

import fcntl
import itertools
import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from benchdb.embedded.background import services
from benchdb.embedded.config import PROJECT
from benchdb.embedded.errors import ServiceError

_OURS = "BENCHDB_TEST_SESSION"


def _free_directories() -> Iterator[Path]:
    return (PROJECT / "var" / f"test-{number}" for number in itertools.count(1))


def _claim(directory: Path) -> int | None:
    """Take a test directory for the life of this process; None if another session has it. Returns the lock's file."""
    directory.mkdir(parents=True, exist_ok=True)
    file = os.open(directory / "session.lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
        return None
    return file


def _choose_directory() -> bool:
    """Set BENCHDB_VAR; False in a worker of pytest-xdist, which inherits the environment of its session."""
    if _OURS in os.environ:
        return False
    directory = next(path for path in _free_directories() if _claim(path) is not None)
    shutil.rmtree(directory / "stores", ignore_errors=True)  # of tests/support/stores/kept.py, in an earlier session
    os.environ["BENCHDB_VAR"] = str(directory)
    os.environ[_OURS] = str(os.getpid())
    return True


_claimed = _choose_directory()
_running = ExitStack()


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Start the services before the workers of pytest-xdist start."""
    elsewhere = os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL")
    if _claimed and not elsewhere and not session.config.option.collectonly:
        try:
            _running.enter_context(services(Path(os.environ["BENCHDB_VAR"]), durable=False))
        except ServiceError as error:
            pytest.exit(str(error), returncode=1)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    """Stop the services after everything else, also after the removal of the test database."""
    _running.close()

"""Fixtures for tests that run services of their own."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from benchdb.embedded.background import services
from benchdb.embedded.config import Paths, database_url
from benchdb.embedded.supervisor.process import Service
from tests.support.waiting import wait_until

PATIENCE = 60.0  # the time limit in seconds on a busy machine
Connect = Callable[[], psycopg.Connection]


@pytest.fixture
def new_paths(tmp_path: Path) -> Paths:
    """The paths of a var directory that does not exist yet."""
    return Paths(tmp_path / "new")


@pytest.fixture(scope="session")
def used_var(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A var directory in which the services have run once, because initdb is slower than everything else here."""
    var = tmp_path_factory.mktemp("used") / "var"
    with pytest.MonkeyPatch.context() as environment:
        for name in ("DATABASE_URL", "REDIS_URL"):
            environment.delenv(name, raising=False)
        with services(var):
            return var


@pytest.fixture
def paths(tmp_path: Path, used_var: Path) -> Paths:
    """The paths of a var directory in which the services have run before."""
    subprocess.run(["cp", "-a", used_var, tmp_path / "var"], check=True)
    return Paths(tmp_path / "var")


@pytest.fixture
def connect(paths: Paths) -> Connect:
    """A function that connects to the embedded database as the application does."""
    return lambda: psycopg.connect(database_url(paths.var), autocommit=True)


@pytest.fixture
def own_services(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start services even if the session uses others."""
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.delenv("REDIS_URL", raising=False)


def processes_in(directory: Path) -> set[int]:
    """The running processes with a path under `directory` in their command line or as their working directory."""
    return {int(entry.name) for entry in Path("/proc").glob("[0-9]*") if _concerns(entry, directory)}


def _concerns(entry: Path, directory: Path) -> bool:
    try:
        state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
        return state != "Z" and (
            os.fsencode(directory) in (entry / "cmdline").read_bytes()
            or (entry / "cwd").readlink().is_relative_to(directory)
        )
    except (FileNotFoundError, ProcessLookupError, PermissionError):  # ended, or another user's
        return False


def until_ready(service: Service) -> None:
    """Wait until a manually started service answers."""
    wait_until(service.ready, PATIENCE, lambda: f"{service.name} is not ready")

"""A running embedded PostgreSQL."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from benchdb.embedded.background import services
from benchdb.embedded.config import Paths, database_url
from benchdb.embedded.errors import ServiceError
from benchdb.embedded.services.postgres import postgres_service
from benchdb.embedded.supervisor.lock import holder
from benchdb.embedded.supervisor.privileges import launcher
from tests.embedded.conftest import PATIENCE, Connect, processes_in, until_ready

pytestmark = pytest.mark.usefixtures("own_services")

SAFE = {"fsync": "on", "full_page_writes": "on", "data_checksums": "on", "listen_addresses": ""}


def start_and_kill(paths: Paths) -> None:
    """Start the services in `paths` in another process and, once they run, kill their supervisor and that process."""
    program = f"""
import signal
from pathlib import Path
from benchdb.embedded.background import services
with services(Path({str(paths.var)!r})):
    print("running", flush=True)
    signal.pause()
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as starter:
        assert starter.stdout
        assert starter.stdout.readline() == "running\n"
        supervisor = holder(paths)
        assert supervisor
        os.kill(supervisor.pid, signal.SIGKILL)
        starter.kill()


def test_a_new_database_is_safe_and_private(new_paths: Paths) -> None:
    with services(new_paths.var):
        with psycopg.connect(database_url(new_paths.var)) as connection:
            settings = connection.execute("SELECT name, setting FROM pg_settings WHERE name = ANY(%s)", [list(SAFE)])
            assert dict(settings.fetchall()) == SAFE
            assert connection.execute(
                "SELECT pg_encoding_to_char(encoding), datlocprovider, datlocale, pg_get_userbyid(datdba)"
                " FROM pg_database WHERE datname = current_database()"
            ).fetchone() == ("UTF8", "b", "C.UTF-8", "benchdb")
            role = connection.execute("SELECT rolname, rolsuper FROM pg_roles WHERE rolname = current_user").fetchone()
            assert role == ("benchdb", False)
        for private in (new_paths.postgres, new_paths.postgres_sockets, new_paths.valkey_socket):
            assert private.stat().st_mode & 0o777 == 0o700
    assert processes_in(new_paths.var) == set()


def test_data_outlive_a_stop_and_a_kill(paths: Paths, connect: Connect) -> None:
    with services(paths.var), connect() as connection:
        connection.execute("CREATE TABLE kept (value int)")
        connection.execute("INSERT INTO kept VALUES (1)")
    start_and_kill(paths)
    # At once, while the remaining processes may still be stopping.
    with services(paths.var), connect() as connection:
        assert connection.execute("SELECT value FROM kept").fetchall() == [(1,)]
    assert processes_in(paths.var) == set()


def test_a_second_supervisor_is_told_who_runs(paths: Paths) -> None:
    with services(paths.var):
        first = holder(paths)
        assert first
        with pytest.raises(ServiceError, match=rf"already run by process {first.pid} "), services(paths.var):
            pass
        assert holder(paths) == first


@pytest.mark.parametrize("content", ["{pid}\n{data}\n1700000000\n5432\n", "", "garbage\n"])
def test_a_stale_pid_file_is_no_obstacle(paths: Paths, connect: Connect, content: str) -> None:
    """Process numbers repeat: the recorded process exists (it is this test) but is not a database server."""
    file = paths.postgres / "postmaster.pid"
    file.write_text(content.format(pid=os.getpid(), data=paths.postgres))
    os.chown(file, paths.postgres.stat().st_uid, paths.postgres.stat().st_gid)
    with services(paths.var), connect() as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_an_interrupted_initdb_leaves_nothing_that_looks_like_data(new_paths: Paths) -> None:
    half_made = new_paths.var / "postgres.new"
    half_made.mkdir(parents=True)
    (half_made / "PG_VERSION").write_text("18\n")
    with services(new_paths.var), psycopg.connect(database_url(new_paths.var)) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    assert not half_made.exists()


def test_data_of_another_version_are_left_alone(new_paths: Paths) -> None:
    new_paths.postgres.mkdir(parents=True)
    (new_paths.postgres / "PG_VERSION").write_text("16\n")
    with pytest.raises(ServiceError, match=r"written by PostgreSQL 16, and this BenchDB brings PostgreSQL 18.*pg_dump"):
        postgres_service(new_paths)
    assert [path.name for path in new_paths.postgres.iterdir()] == ["PG_VERSION"]


def test_other_files_in_place_of_data_are_left_alone(new_paths: Paths) -> None:
    new_paths.postgres.mkdir(parents=True)
    if os.geteuid() == 0:  # data owned by root would be refused for that reason
        shutil.chown(new_paths.postgres, "nobody")
    (new_paths.postgres / "holiday.jpg").touch()
    with pytest.raises(ServiceError, match="is not empty and holds no PostgreSQL data"):
        postgres_service(new_paths)
    assert (new_paths.postgres / "holiday.jpg").exists()


def test_a_deep_directory_has_its_sockets_elsewhere(tmp_path: Path) -> None:
    paths = Paths(tmp_path / ("deep" * 25) / "var")
    assert not paths.sockets.is_relative_to(paths.var)
    with services(paths.var), psycopg.connect(database_url(paths.var)) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    shutil.rmtree(paths.sockets)


def test_somebody_elses_socket_directory_is_refused(tmp_path: Path) -> None:
    paths = Paths(tmp_path / ("deep" * 25) / "var")
    paths.sockets.symlink_to(tmp_path)
    try:
        with pytest.raises(ServiceError, match=f"{paths.sockets} is not a directory of the user"), services(paths.var):
            pass
    finally:
        paths.sockets.unlink()


def test_a_server_left_behind_is_ended_before_the_next_one_starts(paths: Paths) -> None:
    service = postgres_service(paths)
    command = [*launcher(signal.SIGTERM, service.account), *service.command]
    with subprocess.Popen(command, env=service.environment, stderr=subprocess.DEVNULL) as left_behind:
        until_ready(service)
        service.prepare()
        assert left_behind.wait(PATIENCE) == 0

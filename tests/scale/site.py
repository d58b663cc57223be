"""A site on several servers: a database with a streaming replica, and two otherwise independent web servers."""

from __future__ import annotations

import json
import os
import re
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.client import HTTPResponse
from http.cookiejar import CookieJar
from pathlib import Path
from signal import SIGKILL
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import psutil
import psycopg

from benchdb.embedded.background import services
from benchdb.embedded.config import POSTGRES_PORT, PROJECT, SUPERUSER, Paths, database_url, redis_url
from benchdb.embedded.directories import private_directory, socket_directory
from benchdb.embedded.services.binaries import postgres_program
from benchdb.embedded.services.web import listen, url_of, web_service
from benchdb.embedded.supervisor.privileges import launcher, unprivileged_account
from benchdb.operations.postgres import address, environment, program
from tests.support.documents import Section, encoded
from tests.support.waiting import wait_until
from tests.system.server import PATIENCE, Server

KEY = "0123456789abcdef" * 4
ADA = """
import json
from django.contrib.auth.models import User
from benchdb.ingest.models import Scope
from benchdb.ingest.tokens import create_token
ada = User.objects.create_user("ada", password="PASSWORD")
print(json.dumps(create_token(ada, "agent", list(Scope))[1]))
"""
PASSWORD = uuid4().hex


@dataclass(frozen=True)
class Who:
    """A reader with a token or session, or an anonymous one with neither."""

    secret: str = ""
    session: str = ""

    def ask(self, server: Server, path: str, method: str = "GET", body: bytes | None = None) -> tuple[int, str]:
        """Status and text of an answer."""
        headers = {"Content-Type": "application/json"}
        if self.secret:
            headers["Authorization"] = f"Bearer {self.secret}"
        if self.session:
            headers["Cookie"] = f"sessionid={self.session}"
        request = urllib.request.Request(server.url + path, body, headers, method=method)
        try:
            answer: HTTPResponse | urllib.error.HTTPError = urllib.request.urlopen(request, timeout=PATIENCE)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            return answer.status or 0, answer.read().decode()

    def upload(self, server: Server, document: Section) -> str:
        """Store a document. Returns the id of its run."""
        status, text = self.ask(server, f"api/v1/runs/{document['run_id']}", "PUT", encoded(document))
        assert status == 201, text
        return str(document["run_id"])

    def sees(self, server: Server, run_id: str) -> bool:
        """Whether the list of runs has this one."""
        status, text = self.ask(server, "runs/")
        assert status == 200, text
        return run_id in text


ANYBODY = Who()


def sign_in(server: Server) -> Who:
    """Sign in `ada` with a new session."""
    cookies = CookieJar()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(cookies))
    with browser.open(f"{server.url}login/", timeout=PATIENCE) as page:
        (token,) = set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page.read().decode()))
    form = urlencode({"csrfmiddlewaretoken": token, "username": "ada", "password": PASSWORD}).encode()
    with browser.open(f"{server.url}login/", form, timeout=PATIENCE):
        (session,) = (one_cookie.value for one_cookie in cookies if one_cookie.name == "sessionid")
    return Who(session=session or "")


@dataclass(frozen=True)
class Site:
    """`patient` reads from a replica however late it is, `strict` from none that is a second late."""

    patient: Server
    strict: Server
    replica: Replica
    agent: Who
    person: Who


class Replica:
    """The streaming replica, as its administrator sees it."""

    def __init__(self, var: Path) -> None:
        self.url = database_url(var)
        self._data = Paths(var).postgres
        self._superuser = {"host": str(Paths(var).postgres_sockets), "port": POSTGRES_PORT, "user": SUPERUSER}

    def ask(self, query: str, database: str = "postgres") -> Any:
        """The only figure in the result of a query."""
        with psycopg.connect(**self._superuser, dbname=database, autocommit=True) as server:
            (found,) = server.execute(query).fetchone() or (None,)
        return found

    @contextmanager
    def behind(self) -> Iterator[None]:
        """Pause the replay."""
        self.ask("SELECT pg_wal_replay_pause()")
        wait_until(lambda: self.ask("SELECT pg_get_wal_replay_pause_state()") == "paused")
        try:
            yield
        finally:
            self.ask("SELECT pg_wal_replay_resume()")

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Stop all of its processes (SIGSTOP): connections stay open and nothing answers."""
        server = psutil.Process(int((self._data / "postmaster.pid").read_text().split()[0]))
        stopped = [server, *server.children()]
        for process in stopped:
            process.suspend()
        try:
            yield
        finally:
            for process in stopped:
                process.resume()


def copy(of: Path, var: Path) -> None:
    """Make `var` a streaming replica of the running database of another directory, with `pg_basebackup`."""
    paths, source = Paths(var), Paths(of)
    var.mkdir()
    account = unprivileged_account(source.postgres, [postgres_program("pg_basebackup"), var])
    socket_directory(paths)
    private_directory(paths.postgres, account)
    subprocess.run(
        [
            *launcher(SIGKILL, account),
            *(postgres_program("pg_basebackup"), "--write-recovery-conf", "--checkpoint=fast", "--no-sync"),
            *(f"--host={source.postgres_sockets}", f"--port={POSTGRES_PORT}", f"--username={SUPERUSER}"),
            f"--pgdata={paths.postgres}",
        ],
        cwd=var,
        check=True,
        capture_output=True,
    )


def fill(var: Path) -> None:
    """Copy the tables of the migrated test database to the database of a directory."""
    dump = subprocess.Popen(
        [program("pg_dump", 0), "--no-owner", f"--dbname={address()}"], env=environment(), stdout=subprocess.PIPE
    )
    with dump:
        subprocess.run(
            [postgres_program("psql"), "--quiet", "--set=ON_ERROR_STOP=1", f"--dbname={database_url(var)}"],
            stdin=dump.stdout,
            stdout=subprocess.DEVNULL,
            check=True,
        )
    assert dump.returncode == 0


@contextmanager
def web(var: Path, **settings: str) -> Iterator[Server]:
    """Start only a web server, with its own directory, for an existing database and broker."""
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.scale.settings", "PYTHONPATH": ".:agents"}
    environment |= {"BENCHDB_VAR": str(var), "BENCHDB_SECRET_KEY": KEY, **settings}
    (var / "static").mkdir(parents=True)
    with listen("127.0.0.1", 0) as listener:
        service = web_service(listener, 1)
        process = subprocess.Popen(
            [*launcher(SIGKILL), *service.command], env=environment, cwd=PROJECT, pass_fds=service.descriptors
        )
        try:
            yield Server(url_of(listener), var, environment)
        finally:
            process.terminate()
            process.wait()


@contextmanager
def site(directory: Path, fill: Callable[[Path], None] = fill) -> Iterator[Site]:
    """Start all parts while the block runs. `fill` creates the tables of an empty database."""
    main, other = directory / "main", directory / "replica"
    shared = {
        "DATABASE_URL": database_url(main),
        "REDIS_URL": redis_url(main),
        "BENCHDB_REPLICA_URL": database_url(other),
    }
    with ExitStack() as stack:
        stack.enter_context(services(main, durable=False))
        fill(main)
        copy(main, other)
        stack.enter_context(services(other, durable=False))
        patient, strict = (
            stack.enter_context(web(directory / seconds, BENCHDB_REPLICA_SECONDS=seconds, **shared))
            for seconds in ("3600", "1")
        )
        secret = json.loads(patient.manage("shell", "-c", ADA.replace("PASSWORD", PASSWORD)).splitlines()[-1])
        yield Site(patient, strict, Replica(other), Who(secret=secret), sign_in(patient))

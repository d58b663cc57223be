"""An upgrade as docs/operations.md describes it: the next release starts beside the last one, which goes on serving.

Both have the same database and broker. Clients upload and read all the time, through whichever servers run. The last
release is its tag, or this commit before the first tag; the next one is this clone with one more migration and better
statistics. Both run with the Python packages of this clone.
"""

import itertools
import json
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any

import psycopg
import pytest

from benchdb.embedded.background import services
from benchdb.embedded.config import database_url, redis_url
from tests.releases.release import Release, check_out, last_release, next_release
from tests.scale.site import KEY
from tests.support.campaigns import PLAN
from tests.support.documents import document, iozone_document, large_document
from tests.support.waiting import wait_until
from tests.system.server import NO_BUDGET, PATIENCE, Server

MANY = 6  # uploads to each server in each stage
SCOPES = ("upload", "read", "serve", "queue")
VERSIONS = "SELECT run_id, state, statistics_version FROM runs_runstate"
# Remembers every run whose statistics were replaced by older ones.
REMEMBER_STEPS_BACK = """
CREATE TABLE step_back (run_id uuid, was int, became int);
CREATE FUNCTION remember() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO step_back VALUES (NEW.run_id, OLD.statistics_version, NEW.statistics_version); RETURN NEW;
END $$;
CREATE TRIGGER remember AFTER UPDATE ON runs_runstate FOR EACH ROW
WHEN (NEW.statistics_version < OLD.statistics_version) EXECUTE FUNCTION remember();
"""
COLUMN = "SELECT FROM information_schema.columns WHERE table_name = 'runs_run' AND column_name = 'trial'"


@dataclass
class Upgrade:
    """The two releases on one site. `better` is the statistics version of the next one."""

    last: Release
    following: Release
    better: int
    database: psycopg.Connection[Any]


@dataclass
class Visitors:
    """An uploading and a reading client, which use the present servers in turn until they are stopped."""

    secret: str
    servers: list[Server]
    stored: list[str] = field(default_factory=list)
    uploads: Counter[str] = field(default_factory=Counter)
    reads: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def upload(self) -> None:
        """Store documents of three kinds; a worker computes the summaries of the large ones."""
        kinds = itertools.cycle([document, document, iozone_document, large_document])
        for number in itertools.count():
            if self.over.is_set():
                return
            server, made = self._server(number // 4 + number), next(kinds)(visibility="public")
            try:
                server.upload(made, self.secret)
            except (AssertionError, OSError, HTTPException) as error:
                self.faults.append(f"upload to {server.url}: {error!r}")
                return
            self.stored.append(made["run_id"])
            self.uploads[server.url] += 1

    def read(self) -> None:
        """Open lists, runs and comparisons."""
        for number in itertools.count():
            if self.over.is_set():
                return
            server, runs = self._server(number), self.stored[-2:]
            for path in ("runs/", f"runs/{runs[0]}/", f"api/v1/runs/{runs[-1]}", "compare/?run=" + "&run=".join(runs)):
                status, body = server.request(path)
                if status != 200:
                    self.faults.append(f"{path} of {server.url}: {status} {body[:300]!r}")
                self.reads[server.url] += 1

    def until_used(self, *servers: Server) -> None:
        """Wait until both clients have used each of the servers, with `MANY` more uploads."""
        goals = [(self.uploads, server.url, self.uploads[server.url] + MANY) for server in servers]
        goals += [(self.reads, server.url, self.reads[server.url] + MANY) for server in servers]
        wait_until(lambda: bool(self.faults) or all(count[url] >= goal for count, url, goal in goals), 2 * PATIENCE)
        assert not self.faults, self.faults[:3]

    def _server(self, number: int) -> Server:
        present = list(self.servers)
        return present[number % len(present)]


@pytest.fixture
def upgrade(tmp_path: Path) -> Iterator[Upgrade]:
    """The two releases and the embedded database and broker; no service of theirs runs yet."""
    site = tmp_path / "site"
    elsewhere = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    environment = {
        **elsewhere,
        **NO_BUDGET,
        **{f"BENCHDB_{name}_RATE": "1000000/d" for name in ("UPLOAD", "SHARE", "ADDRESS")},
        "DATABASE_URL": database_url(site),
        "REDIS_URL": redis_url(site),
        "BENCHDB_SECRET_KEY": KEY,
        "BENCHDB_SWEEP_SECONDS": "1",
        "DJANGO_SETTINGS_MODULE": "benchdb.settings",
    }
    check_out(last_release(), tmp_path / "last")
    better = next_release(tmp_path / "next")
    releases = [Release(tmp_path / name, tmp_path / f"{name}-var", environment) for name in ("last", "next")]
    with services(site), psycopg.connect(database_url(site), autocommit=True) as database:
        releases[1].manage("makemigrations", "runs", "--name", "trial")
        yield Upgrade(*releases, better, database)


def test_both_releases_serve_during_an_upgrade(
    upgrade: Upgrade, tmp_path: Path, record_property: Callable[[str, str], None]
) -> None:
    last, following = upgrade.last, upgrade.following
    with ExitStack() as stack:
        last.manage("migrate", "--no-input")
        upgrade.database.execute(REMEMBER_STEPS_BACK)
        start(last, stack)
        secret = last.manage("token", "ada", "--create-owner", *(f"--scope={scope}" for scope in SCOPES))
        first = [document(visibility="public")["run_id"] for _ in range(2)]
        for run_id in first:
            last.web.upload(document(visibility="public", run_id=run_id), secret)
            last.web.until_ready(run_id)
        link = share(last.web, secret, first)
        frozen = content(last.web, link)

        visitors = Visitors(secret, [last.web], list(first))
        clients = [threading.Thread(target=each) for each in (visitors.upload, visitors.read)]
        for client in clients:
            client.start()
            stack.callback(client.join)
        stack.callback(visitors.over.set)
        visitors.until_used(last.web)

        # The order of docs/operations.md: the database, workers, web servers.
        following.manage("migrate", "--no-input")
        assert upgrade.database.execute(COLUMN).rowcount == 1
        visitors.until_used(last.web)
        following.start_worker(stack)
        visitors.until_used(last.web)
        following.manage("collectstatic", "--no-input", "--verbosity", "0")
        following.start_web(stack)
        visitors.servers.append(following.web)
        visitors.until_used(last.web, following.web)
        assert [content(server, link) for server in visitors.servers] == [frozen, frozen]
        for release, other in ((last, following), (following, last)):
            measured_by_an_agent(release, other.web, secret, tmp_path / f"agent-of-{release.tree.name}")
        new_link = share(following.web, secret, first)
        assert last.web.request(new_link)[0] == 200

        last.stop("beat")
        following.start_beat(stack)
        visitors.until_used(last.web, following.web)  # while both workers get the messages of the new beat

        visitors.servers.remove(last.web)
        visitors.until_used(following.web)  # so that no client is about to connect to the other
        last.stop("web")
        last.stop("worker")
        visitors.until_used(following.web)
        visitors.over.set()
        for client in clients:
            client.join()
        assert not visitors.faults, visitors.faults[:3]

        wait_until(lambda: finished(upgrade), 2 * PATIENCE, lambda: str(states(upgrade)))
        assert upgrade.database.execute("SELECT * FROM step_back").fetchall() == []
        stored = upgrade.database.execute("SELECT id FROM runs_run").fetchall()
        assert {str(run) for (run,) in stored} >= set(visitors.stored)
        assert len(visitors.stored) == len(set(visitors.stored))
        assert content(following.web, link) == frozen
    totals = f"{sum(visitors.uploads.values())} uploads and {sum(visitors.reads.values())} reads without an error"
    record_property(
        "result", f"from {last_release()}: {totals}; all {len(stored)} runs have statistics {upgrade.better}"
    )


def start(release: Release, stack: ExitStack) -> None:
    """Start all services of the only release."""
    release.manage("collectstatic", "--no-input", "--verbosity", "0")
    release.start_worker(stack)
    release.start_web(stack)
    release.start_beat(stack)


def share(server: Server, secret: str, runs: list[str]) -> str:
    """The address of the data of a new permalink."""
    body = json.dumps({"query": "&".join(f"run={run}" for run in runs), "title": server.url}).encode()
    status, answer = server.request("api/v1/permalinks", "POST", secret, body)
    assert status == 201, answer
    return f"c/{json.loads(answer)['id']}.json"


def content(server: Server, link: str) -> dict[str, Any]:
    """The data of a permalink without its address, which has the server's name."""
    status, body = server.request(link)
    assert status == 200, body
    return {name: part for name, part in json.loads(body).items() if name != "address"}


def measured_by_an_agent(release: Release, server: Server, secret: str, base: Path) -> None:
    """Let the agent of a release measure and upload to a server of the other one."""
    target = base / "target"
    target.mkdir(parents=True)
    (base / "plan.toml").write_text(PLAN)
    environment = {
        **release.environment,
        "BENCHAGENT_STATE": str(base / "state"),
        "BENCHAGENT_SERVER": server.url,
        "BENCHAGENT_TOKEN": secret,
    }
    command = [sys.executable, "-m", "benchagent", "run", "plan.toml", "--directory", str(target)]
    done = subprocess.run(command, cwd=base, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def states(upgrade: Upgrade) -> Counter[tuple[str, int | None]]:
    """How many runs have each state and statistics version."""
    return Counter((state, version) for _, state, version in upgrade.database.execute(VERSIONS))


def finished(upgrade: Upgrade) -> bool:
    """Whether all runs have the better statistics."""
    return set(states(upgrade)) == {("ready", upgrade.better)}

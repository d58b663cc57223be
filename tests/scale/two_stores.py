"""A database on one PostgreSQL server, its copy whose odd parts lie on another server, and the same done to both."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test import Client

from benchdb.embedded.config import POSTGRES_PORT, ROLE
from benchdb.runs.store.partitions import TABLES, partition
from tests.bench.server.stock import COMPARED, address, references
from tests.browser.pages import CASES
from tests.browser.support.filled import fill
from tests.scale.distributed import Cluster, distribute, two_servers
from tests.support.documents import Section, encoded
from tests.support.store import make_token, store_run

PARTS = 4
WHOLE, SPLIT = "whole", "split"  # the two databases
FILES = {
    *(f"/compare/table.{form}?{{compared}}" for form in ("json", "csv", "tex", "md")),
    *(f"/c/{{table}}.{form}" for form in ("json", "csv")),
    *("/surface/surface.json?run={run}&test=read", "/trend/trend.json?run={day}", "/trend/trend.csv?run={day}"),
    *("/api/v1/runs/{run}", "/compare/?{references}", "/compare/table.json?{references}"),
}
_TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="\w+"')
_WITH_NONCE = {"/account/keys/"}  # differs each time


@dataclass(frozen=True)
class Stores:
    """The servers; the ids of what both databases have, by the names in `pages.CASES`; a token to upload."""

    here: Cluster
    there: Cluster
    records: dict[str, str]
    secret: str

    @contextmanager
    def using(self, database: str) -> Iterator[None]:
        """Let Django use this database of the first server, in all threads."""
        with _using(self.here, database):
            yield

    def rows(self, database: str) -> list[list[tuple[Any, ...]]]:
        """All results and summaries of a database."""
        return [self.here.ask(f"SELECT t::text FROM {table} t ORDER BY 1", database) for table in TABLES]

    def in_both(self, act: Callable[[], object]) -> None:
        """Do the same to both databases, with the same outcome, results and summaries."""
        outcomes = []
        for database in (WHOLE, SPLIT):
            with self.using(database):
                outcomes.append(act())
        assert outcomes[0] == outcomes[1]
        assert self.rows(WHOLE) == self.rows(SPLIT)

    def upload(self, document: Section) -> int:
        """Upload a document to the database in use. Returns the status."""
        client = Client(raise_request_exception=False, headers={"Authorization": f"Bearer {self.secret}"})
        return client.put(f"/api/v1/runs/{document['run_id']}", encoded(document), "application/json").status_code

    def answers(self, database: str) -> dict[str, tuple[int, bytes]]:
        """Status and body of every page and file, without the tokens of forms."""
        found = {}
        with self.using(database):
            for reader in ("", "ada", "root"):
                client = Client(raise_request_exception=False)
                if reader:
                    client.force_login(User.objects.get(username=reader))
                paths = {case.path for case in CASES if case.reader == reader} - _WITH_NONCE
                for path in paths | (set() if reader else FILES):
                    answer = client.get(path.format(**self.records))
                    body = b"".join(answer) if answer.streaming else answer.content
                    found[f"{path} {reader}".strip()] = answer.status_code, _TOKEN.sub(b"", body)
        return found

    def is_there(self, run_id: str) -> bool:
        """Whether the results of this run belong to the second server."""
        query = "SELECT satisfies_hash_partition('runs_result'::regclass, %s, %s, %s::uuid)"
        return any(self.here.ask(query, SPLIT, PARTS, part, run_id) == [(True,)] for part in range(1, PARTS, 2))


@contextmanager
def _using(server: Cluster, database: str) -> Iterator[None]:
    settings = connection.settings_dict
    before = dict(settings)
    connection.close()
    settings.update(HOST=str(server.sockets), PORT=str(POSTGRES_PORT), USER=ROLE, NAME=database)
    try:
        yield
    finally:
        connection.close()
        settings.update(before)


@contextmanager
def two_stores(directory: Path) -> Iterator[Stores]:
    """Both databases with objects of every kind and eight reference runs, while the block runs."""
    with two_servers(directory) as (here, there):
        here.ask(f"CREATE DATABASE {WHOLE} OWNER {ROLE}", "postgres")
        with _using(here, WHOLE):
            call_command("migrate", verbosity=0)
            records = fill()
            ada = User.objects.get(username="ada")
            runs = [{"run_id": str(store_run(ada, each).pk)} for each in references(2 * COMPARED)]
            records |= {"references": address(runs[:COMPARED]), "reference": runs[0]["run_id"]}
            secret = make_token(ada)[1]
            partition(PARTS)
        here.ask(f"CREATE DATABASE {SPLIT} OWNER {ROLE} TEMPLATE {WHOLE}", "postgres")
        distribute(here, there, SPLIT)
        yield Stores(here, there, records, secret)

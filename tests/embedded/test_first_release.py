"""From the schema of the first release, with data in it, to today's: everything that was there is shown as before."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client

from benchdb.compare.permalinks import share
from benchdb.runs.tasks import recompute
from tests.support.comparisons import compared_runs
from tests.support.store import make_user

# As of the first release: there were no campaigns, exports and publications yet.
FIRST = [
    *((app, "0001_initial") for app in ("catalog", "runs", "ingest", "compare")),
    *((app, None) for app in ("plans", "exports", "publications")),
]


@pytest.fixture
def executor(transactional_db: None) -> Iterator[MigrationExecutor]:
    """Moves the schema of the test database; the other tests get it back as it was."""
    found = MigrationExecutor(connection)
    yield found
    forward()


def forward() -> None:
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


def test_runs_and_permalinks_of_the_first_release_open_as_before(executor: MigrationExecutor, client: Client) -> None:
    ada = make_user("ada")
    runs = compared_runs(ada)
    link = share(ada, "table", "&".join(f"run={run.pk}" for run in runs))[0]
    paths = ["/runs/", f"/compare/?{link.query}", f"/c/{link.pk}/", *(run.get_absolute_url() for run in runs)]
    before = [answer(client, path) for path in paths]

    executor.migrate(FIRST)
    assert "attempts" not in columns("runs_runstate")
    assert "author" not in columns("compare_permalink")
    assert connection.introspection.table_names().count("runs_facets") == 0
    forward()
    assert recompute([str(run.pk) for run in runs]) == len(runs)  # as the sweep asks for: nobody knew their version

    assert [answer(client, path) for path in paths] == before


def answer(client: Client, path: str) -> str:
    found = client.get(path)
    assert found.status_code == 200
    return found.content.decode()


def columns(table: str) -> set[str]:
    with connection.cursor() as cursor:
        return {column.name for column in connection.introspection.get_table_description(cursor, table)}

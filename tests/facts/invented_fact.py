"""Where the fact of `tests.facts.invented` appears: test_invented_fact.py runs this in a process that knows it."""

from pathlib import Path

import duckdb
import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.exports.public_store import write_public
from benchdb.runs.models import Run
from tests.support import imports
from tests.support.documents import target
from tests.support.store import store_run


@pytest.fixture
def runs(owner: User) -> list[Run]:
    """A run with a limit of 32 and one with 256."""
    targets = [target() | {"nr_requests": limit} for limit in (32, 256)]
    return [store_run(owner, target=each) for each in targets]


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def test_lists_filter_by_it_and_have_a_column(client: Client, runs: list[Run]) -> None:
    listed = page(client, "/runs/?queue_limit=256&column=queue_limit")

    assert f"/runs/{runs[1].pk}/" in listed
    assert f"/runs/{runs[0].pk}/" not in listed
    assert "Queue limit" in listed


@pytest.mark.parametrize("rows", ["", "&rows=queue_limit"])
def test_it_makes_the_rows_of_a_table_by_itself_and_if_asked(client: Client, runs: list[Run], rows: str) -> None:
    content = client.get(f"/compare/table.json?{'&'.join(f'run={run.pk}' for run in runs)}{rows}").json()

    assert [row["label"] for row in content["groups"][0]["rows"]] == ["32", "256"]


def test_the_guard_names_it(client: Client, runs: list[Run]) -> None:
    query = "&".join(f"run={run.pk}" for run in runs)

    content = client.get(f"/compare/table.json?{query}&rows=test&columns=run").json()

    [difference] = [each for each in content["differences"] if each["name"] == "queue_limit"]
    assert [value["value"] for value in difference["values"]] == ["32", "256"]


def test_it_can_be_entered_for_an_import(owner: User) -> None:
    draft = imports.begun(owner, *imports.given("iozone-auto2.txt"))

    form = page(imports.signed_in(owner), draft.get_absolute_url())
    stored = imports.stored(draft, queue_limit="64")

    assert 'name="queue_limit"' in form
    assert Run.objects.get(pk=stored.run_ids[0]).target.facts["nr_requests"] == 64


def test_it_is_a_column_of_the_public_file(tmp_path: Path, runs: list[Run]) -> None:
    write_public(tmp_path / "public.parquet")

    limits = duckdb.sql(f"SELECT DISTINCT queue_limit FROM '{tmp_path}/public.parquet' ORDER BY 1").fetchall()

    assert limits == [(32,), (256,)]


def test_each_of_its_values_has_a_page(client: Client, runs: list[Run]) -> None:
    assert 'href="/queue-limits/256/"' in page(client, "/queue-limits/")
    assert "256" in page(client, "/queue-limits/256/")

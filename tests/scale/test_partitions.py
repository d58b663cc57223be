"""Results and summaries partitioned by run: pages, uploads and deletions work, and read only their runs' partitions."""

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchdb.runs.models import KeptPart, Result, Run, Summary
from benchdb.runs.services import delete_run
from benchdb.runs.store.partitions import TABLES, partition, parts
from benchdb.runs.store.summaries import compute_summaries
from tests.conftest import Upload
from tests.support.comparing.comparisons import compared_runs, ids, surface_run
from tests.support.documents import document
from tests.support.many import copy_run

PARTS = 4


def rows(query: str, *arguments: object) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, arguments)
        return cursor.fetchall()


def form() -> list[tuple[Any, ...]]:
    """Columns, constraints and indexes of both tables, with their names."""
    return [
        *rows(
            "SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns"
            " WHERE table_name = ANY(%s) ORDER BY 1, ordinal_position",
            list(TABLES),
        ),
        *rows(
            "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint"
            " WHERE conrelid::regclass::text = ANY(%s) ORDER BY 1, 2",
            list(TABLES),
        ),
        *rows(
            "SELECT tablename, indexname, replace(indexdef, ' ON ONLY ', ' ON ') FROM pg_indexes"
            " WHERE tablename = ANY(%s) ORDER BY 1, 2",
            list(TABLES),
        ),
    ]


def parts_of(runs: list[Run]) -> set[str]:
    """The partitions with the rows of these runs."""
    query = "SELECT DISTINCT tableoid::regclass::text FROM {} WHERE run_id = ANY(%s)"
    return {name for table in TABLES for (name,) in rows(query.format(table), [run.pk for run in runs])}


def read_by(client: Client, address: str) -> set[str]:
    """The partitions that a page's queries actually read, of all those in their plans."""
    KeptPart.objects.all().delete()
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return {
        name
        for query in captured.captured_queries
        if any(table in query["sql"] for table in TABLES)
        for (plan,) in rows("EXPLAIN (ANALYZE, FORMAT JSON) " + query["sql"].replace("%", "%%"))
        for name in gone_into((json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"])
        if name.startswith(TABLES)
    }


def gone_into(plan: dict[str, Any]) -> Iterator[str]:
    if plan["Actual Loops"] and "Relation Name" in plan:
        yield plan["Relation Name"]
    for part in plan.get("Plans", ()):
        yield from gone_into(part)


def answers(client: Client, addresses: list[str]) -> list[bytes]:
    KeptPart.objects.all().delete()
    found = [client.get(address) for address in addresses]
    assert [each.status_code for each in found] == [200] * len(found)
    return [each.content for each in found]


def test_pages_show_the_same_from_the_parts_of_their_runs_alone(client: Client, owner: User) -> None:
    runs, surface = compared_runs(owner), surface_run(owner)
    one, two = runs[0], runs[:2]
    with connection.cursor() as cursor:  # so that no partition is empty
        copy_run(cursor, one.pk, 100)
    addresses = [
        *("/runs/", one.get_absolute_url(), f"/surface/?run={surface.pk}"),
        *(f"/compare/?{ids(two)}", f"/compare/table.json?{ids(two)}", f"/api/v1/runs/{one.pk}"),
    ]
    before, whole = answers(client, addresses), form()

    moved = partition(PARTS)

    assert moved == {"runs_result": Result.objects.count(), "runs_summary": Summary.objects.count()}
    assert parts() == PARTS
    assert form() == whole
    assert answers(client, addresses) == before
    assert len(parts_of(list(Run.objects.all()))) == PARTS * len(TABLES)
    assert read_by(client, one.get_absolute_url()) == parts_of([one])
    assert read_by(client, f"/compare/?{ids(two)}") == parts_of(two)
    assert len(parts_of(two)) <= 2 * len(TABLES)

    partition(1)

    assert parts() == 1
    assert form() == whole
    assert answers(client, addresses) == before


def test_uploads_are_stored_computed_and_deleted_in_parts(client: Client, owner: User, upload: Upload) -> None:
    partition(PARTS)
    sent = document(visibility="public")

    assert upload(sent).status_code == 201
    assert upload(sent).status_code == 200
    compute_summaries(sent["run_id"])

    run = Run.objects.get(pk=sent["run_id"])
    assert client.get(run.get_absolute_url()).status_code == 200
    assert parts_of([run]) == {name for (name,) in rows("SELECT tableoid::regclass::text FROM runs_result")} | {
        name for (name,) in rows("SELECT tableoid::regclass::text FROM runs_summary")
    }
    delete_run(run)
    assert not Result.objects.exists()
    assert not Summary.objects.exists()


def test_the_command_says_what_it_did_and_does_it_once(owner: User) -> None:
    compared_runs(owner)

    assert "runs_result: 6 rows in 4 parts.\nruns_summary: 6 rows in 4 parts.\nIt took" in told(4)
    assert told(4) == "The tables are in 4 parts already.\n"
    assert "runs_result: 6 rows in 1 part.\n" in told(1)
    assert told(1) == "The tables are whole.\n"


@pytest.mark.parametrize("number", [0, -1, 257])
def test_no_part_and_too_many_are_refused(db: None, number: int) -> None:
    with pytest.raises(CommandError, match="are not between 1 and 256"):
        told(number)


def told(number: int) -> str:
    output = io.StringIO()
    call_command("partition", number, stdout=output)
    return output.getvalue()

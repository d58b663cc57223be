"""A permalink stays the same, byte by byte, after upgrades of statistics and parsers."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.ingest.models import Scope
from benchdb.ingest.reparse import reparse
from benchdb.runs.models import VALUES, Parse, Result, Run
from benchdb.runs.store.summaries import compute_summaries
from benchdb.runs.tasks import recompute
from tests.support.documents import iozone_document, target
from tests.support.imports import IOZONE, begun, given, stored
from tests.support.store import computed_before, make_token, store_run


@pytest.fixture
def runs(owner: User) -> list[Run]:
    """Runs of an old server: an older parser doubled every value, and older statistics followed."""
    stored_runs = []
    for file_system in ("ext4", "xfs"):
        sent = iozone_document(visibility="public", target=target(file_system))
        doubled = [{**entry, "values": [value * 2 for value in entry["values"]]} for entry in sent["results"]]
        workload = {**sent["workload"], "parser_version": "0"}
        stored_runs.append(store_run(owner, {**sent, "results": doubled, "workload": workload}))
    computed_before(stored_runs)
    return stored_runs


def share(client: Client, owner: User, kind: str, query: str) -> str:
    """The address of a new permalink, without its trailing slash."""
    headers = {"Authorization": f"Bearer {make_token(owner, Scope.READ)[1]}"}
    body = {"query": query, "kind": kind}
    answer = client.post("/api/v1/permalinks", body, "application/json", headers=headers)
    assert answer.status_code == 201, answer.content
    return answer.json()["url"].rstrip("/")


@pytest.mark.parametrize("kind", ["table", "surface"])
def test_json_and_csv_outlive_an_upgrade_and_a_better_parser(
    client: Client, owner: User, runs: list[Run], kind: str
) -> None:
    live, query = queries(kind, runs)
    link = share(client, owner, kind, query)

    def look() -> tuple[Any, ...]:
        """The frozen files with their tags, and the present data of the same query."""
        files = [client.get(f"{link}.{form}") for form in ("json", "csv")]
        today = client.get(f"{live}.json?{query}")
        assert [answer.status_code for answer in (*files, today)] == [200] * 3
        return [(answer.content, answer["ETag"]) for answer in files], today.content

    before, as_shared = look()

    assert recompute([str(run.pk) for run in runs]) == len(runs)
    after_upgrade, upgraded = look()
    assert [reparse(run.pk).changed for run in runs] == [396] * len(runs)
    after_reparse, reread = look()

    assert before == after_upgrade == after_reparse
    assert len({as_shared, upgraded, reread}) == 3


def test_what_was_shared_of_an_import_outlives_a_better_parser(client: Client, owner: User) -> None:
    (run_id,) = stored(begun(owner, *given(IOZONE)), visibility="public").run_ids
    # An older parser doubled the values.
    first = Result.objects.annotate(measured=VALUES).get(run=run_id, ordinal=0)
    Result.objects.filter(pk=first.pk).update(values=[value * 2 for value in first.measured])
    Parse.objects.update(parser_version="0")
    compute_summaries(run_id)
    address = f"run={run_id}&test={first.test}"
    link = share(client, owner, "table", address)

    def look() -> tuple[list[bytes], bytes]:
        frozen = [client.get(f"{link}.{form}") for form in ("json", "csv")]
        today = client.get(f"/compare/table.json?{address}")
        assert [answer.status_code for answer in (*frozen, today)] == [200] * 3
        return [answer.content for answer in frozen], today.content

    before, as_misread = look()

    assert reparse(run_id).changed == 1

    after, reread = look()
    assert after == before
    assert reread != as_misread


def queries(kind: str, runs: list[Run]) -> tuple[str, str]:
    """The path of the live data, and the query string."""
    if kind == "surface":
        return "/surface/surface", f"run={runs[0].pk}&test=write"
    chosen = "&".join(f"run={run.pk}" for run in runs)
    return "/compare/table", f"{chosen}&test=write&test=read&file_size=65536"

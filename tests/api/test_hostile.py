"""Randomly changed documents sent to the real database: stored whole and read as sent, or refused whole."""

import json
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchdb.runs.store.summaries import compute_summaries
from tests.conftest import Upload
from tests.support.api import contains, error_of, table_sizes
from tests.support.documents import document, encoded, result
from tests.support.faults import refusal
from tests.support.mutations import Place, mutated, walk
from tests.support.stores.shared import undone

given_database = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(autouse=True)
def no_limit(settings: Any) -> None:
    settings.UPLOAD_RATE = "1000000/d"


def strict(body: bytes) -> Any:
    """Parse JSON by the standard: without NaN and infinities."""

    def refuse(name: str) -> None:
        raise ValueError(f"{name} is not JSON")

    return json.loads(body, parse_constant=refuse)


@given_database
@given(data=st.data())
def test_a_changed_document_is_stored_and_read_whole_or_refused_whole(
    upload: Upload, client: Client, secret: str, data: st.DataObject
) -> None:
    sent = data.draw(mutated(document()))
    run_id = sent["run_id"] if _is_id(sent.get("run_id")) else "01a1face-1892-7000-8000-00003ded1f24"
    with undone():
        sizes = table_sizes()
        answer = upload(sent, run_id=run_id, body=json.dumps(sent).encode())
        if answer.status_code == 201:
            compute_summaries(UUID(run_id))
            read = strict(client.get(f"/api/v1/runs/{run_id}", headers={"Authorization": f"Bearer {secret}"}).content)
            _equals(read, sent)
        else:
            assert error_of(answer, 422)["faults"]
            strict(answer.content)
            assert table_sizes() == sizes


@given_database
@given(rows=st.lists(st.lists(st.none() | st.floats(0, 1e18), min_size=3, max_size=3), min_size=1, max_size=20))
def test_any_values_come_back_with_statistics_that_are_numbers(
    upload: Upload, client: Client, secret: str, rows: list[list[float | None]]
) -> None:
    measured = [row if any(value is not None for value in row) else [0.0, None, None] for row in rows]
    sent = document(results=[result(row, f"test_{i}") for i, row in enumerate(measured)])
    with undone():
        assert upload(sent).status_code == 201
        compute_summaries(UUID(sent["run_id"]))
        answer = client.get(f"/api/v1/runs/{sent['run_id']}", headers={"Authorization": f"Bearer {secret}"})
        read = strict(answer.content)

        assert (read["state"], read["failure"]) == ("ready", "")
        assert [entry["values"] for entry in read["results"]] == measured
        assert [entry["n"] for entry in read["results"]] == [3 - row.count(None) for row in measured]


def _is_id(value: object) -> bool:
    try:
        return isinstance(value, str) and str(UUID(value)) == value
    except ValueError:
        return False


def _equals(read: dict[str, Any], sent: dict[str, Any]) -> None:
    assert read["state"] == "ready"
    for section in ("environment", "target", "state_before", "protocol", "labels", "extra"):
        assert contains(read[section], sent.get(section, {})), section
    assert contains({**read, "version": read["agent_version"]}, {**sent["workload"], **sent["agent"]})
    assert read["machine"] == sent["machine"]["name"]
    rounds = [{name: value for name, value in round_.items() if name != "started_at"} for round_ in sent["rounds"]]
    assert contains(read["rounds"], rounds)
    summaries = [{"given": entry.pop("summary", None), **entry} for entry in map(dict, sent["results"])]
    assert contains([{**entry, "params": entry["params"]} for entry in read["results"]], summaries)
    names = [(file["name"], file["sha256"]) for file in sent["artifacts"]]
    assert [(file["name"], file["sha256"]) for file in read["artifacts"]] == names


LARGEST = [2**63 - 1, 1e18, 1_000_000, 100_000, *("😀" * size for size in (4096, 200, 64)), "x" * 64, 1]


def test_the_largest_values_that_the_contract_takes_fit_into_the_tables(upload: Upload, client: Client) -> None:
    sent = document(
        visibility="public",
        campaign={"id": str(UUID(int=2**128 - 1)), "point": "1"},
        results=[result([1.0] * 3, params={"a": 1}, file_size=1, record_size=1, threads=1, error="x")],
    )
    sent["workload"].update(parser_version="1", clock_resolution=1.0)
    for path in walk(sent):
        _enlarge(sent, path)

    assert upload(sent).status_code == 201
    compute_summaries(UUID(sent["run_id"]))
    assert strict(client.get(f"/api/v1/runs/{sent['run_id']}").content)["state"] == "ready"


def _enlarge(document: dict[str, Any], pointer: Place) -> None:
    """Replace a value with the largest one that the contract accepts, or keep it if it accepts none of ours."""
    *path, last = pointer
    parent: Any = document
    for part in path:
        parent = parent[part]
    before = parent[last]
    if isinstance(before, dict | list | bool) or last in ("run_id", "schema", "data"):
        return
    for value in LARGEST:
        parent[last] = value
        if type(value) is type(before) and refusal(encoded(document)) is None:
            return
    parent[last] = before

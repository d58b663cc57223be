"""The OpenAPI document, and the shape of errors that are not from a route."""

import json
from typing import Any

import jsonschema_rs
import pytest
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.api import error_of
from tests.support.documents import bonnie_document, document, iozone_document, uuid7
from tests.support.faults import refusal
from tests.support.mutations import mutated


@pytest.fixture
def openapi(client: Client) -> dict[str, Any]:
    return client.get("/api/v1/openapi.json").json()


@pytest.fixture(scope="module")
def run_schema() -> jsonschema_rs.Draft202012Validator:
    schema = Client().get("/api/v1/schemas/run/1").json()
    jsonschema_rs.meta.validate(schema)
    return jsonschema_rs.Draft202012Validator(schema)


def test_the_openapi_document_is_valid(openapi: dict[str, Any]) -> None:
    from openapi_spec_validator import validate as validate_openapi  # compiles grammars for seconds

    validate_openapi(_without_foreign_references(openapi))


def _without_foreign_references(openapi: dict[str, Any]) -> dict[str, Any]:
    """Without references to the contract's schema, a separate document that the validator would fetch from a server."""
    reference = '{"$ref": "/api/v1/schemas/run/1"}'
    text = json.dumps(openapi)
    assert text.count(reference) == 2
    return json.loads(text.replace(reference, "{}"))


def test_the_openapi_document_lists_every_answer(openapi: dict[str, Any]) -> None:
    answers = {
        (method, path): sorted(operation["responses"])
        for path, operations in openapi["paths"].items()
        if path.startswith("/api/v1/runs/")
        for method, operation in operations.items()
    }

    read = ["401", "403", "404", "410", "429", "503"]
    run = "/api/v1/runs/{run_id}"
    put = ["200", "201", "400", "401", "403", "404", "409", "410", "411", "413", "415", "422", "429", "503", "507"]
    withdrawal = ["204", "400", "401", "403", "404", "410", "422", "429", "503"]
    assert answers == {
        ("put", run): put,
        ("get", run): ["200", *read],
        ("delete", run): ["204", *read],
        ("get", run + "/state"): ["200", *read],
        ("get", run + "/artifacts/{name}"): ["200", *read],
        ("get", run + "/document"): ["200", *read],
        ("get", run + "/histograms"): sorted(["200", "422", *read]),
        ("get", run + "/series"): sorted(["200", "422", *read]),
        ("put", run + "/withdrawal"): withdrawal,
        ("delete", run + "/withdrawal"): withdrawal,
    }


def test_each_door_of_campaigns_and_the_queue_is_in_the_openapi_document(openapi: dict[str, Any]) -> None:
    doors = {
        (method, path.removeprefix("/api/v1/"))
        for path, operations in openapi["paths"].items()
        if path.startswith(("/api/v1/campaigns", "/api/v1/queue"))
        for method in operations
    }

    campaign, job = "campaigns/{campaign_id}", "queue/{job_id}"
    assert doors == {
        *(("put", campaign), ("get", campaign), ("get", f"{campaign}/state")),
        *(("get", f"{campaign}/reproductions"), ("get", f"{campaign}/reproductions/{{original_id}}")),
        *(("post", "queue"), ("get", job), ("post", f"{job}/cancel")),
        *(("post", "queue/claim"), ("post", f"{job}/report"), ("post", f"{job}/finish")),
    }


def test_every_error_in_the_openapi_document_has_the_one_shape(openapi: dict[str, Any]) -> None:
    errors = [
        answer
        for operations in openapi["paths"].values()
        for operation in operations.values()
        for status, answer in operation["responses"].items()
        if int(status) >= 400
    ]
    assert errors
    for answer in errors:
        assert answer["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/ErrorOut"}


@pytest.mark.parametrize("make", [document, iozone_document, bonnie_document])
def test_valid_documents_fit_the_published_schema(run_schema: jsonschema_rs.Draft202012Validator, make) -> None:
    run_schema.validate(make())


@pytest.mark.parametrize(
    "changes",
    [
        {"schema": "benchdb.run/0"},
        {"environment": {}},
        {"colour": "red"},
        {"results": []},
        {"results": [{"test": "write", "metric": "throughput", "unit": "KiB/s", "values": [1.0]}]},
        {"results": [{"test": "write", "metric": "throughput", "unit": "B/s", "values": [-1.0]}]},
        {"machine": {"name": "m", "machine_id": "short"}},
    ],
)
def test_faulty_documents_do_not_fit_it(
    run_schema: jsonschema_rs.Draft202012Validator, changes: dict[str, Any]
) -> None:
    assert not run_schema.is_valid({**document(), **changes})


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_the_published_schema_refuses_nothing_that_the_server_takes(
    run_schema: jsonschema_rs.Draft202012Validator, data: st.DataObject
) -> None:
    sent = data.draw(mutated(document()))

    if refusal(json.dumps(sent).encode()) is None:
        run_schema.validate(sent)


@pytest.mark.parametrize("path", ["/api/v1/", "/api/v1/nothing", "/api/v2/runs", "/api/v1/runs/7", "/api/\x00"])
def test_an_unknown_address_is_not_found_in_the_same_shape(client: Client, db: None, path: str) -> None:
    assert error_of(client.get(path), 404)["code"] == "not_found"


@pytest.mark.parametrize("method", ["POST", "PATCH", "OPTIONS"])
def test_a_method_that_is_not_known_is_refused_in_the_same_shape(client: Client, method: str) -> None:
    answer = client.generic(method, f"/api/v1/runs/{uuid7()}")

    assert error_of(answer, 405)["code"] == "method_not_allowed"
    assert set(answer["Allow"].split(", ")) == {"GET", "PUT", "DELETE"}


def test_a_foreign_host_is_refused_in_the_same_shape(client: Client) -> None:

    error_of(client.get(f"/api/v1/runs/{uuid7()}", headers={"Host": "evil.example"}), 400)

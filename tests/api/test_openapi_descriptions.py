"""Everything in the OpenAPI document has a description, and its examples match their schemas."""

from typing import Any

import jsonschema_rs
import pytest
from django.test import Client

from benchdb.api.openapi import descriptions
from benchdb.api.openapi.described_api import first_sentence
from benchdb.api.openapi.examples import EXAMPLES


@pytest.fixture(scope="module")
def openapi() -> dict[str, Any]:
    return Client().get("/api/v1/openapi.json").json()


def operations(openapi: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [(f"{method} {path}", each) for path, of in openapi["paths"].items() for method, each in of.items()]


def test_every_operation_parameter_and_answer_has_a_description(openapi: dict[str, Any]) -> None:
    assert operations(openapi)
    for name, operation in operations(openapi):
        assert operation["description"], name
        assert operation["summary"][0].isupper(), name
        assert "\n" not in operation["summary"], name
        assert all(parameter["description"] for parameter in operation.get("parameters", [])), name
        assert all(len(answer["description"]) > 4 for answer in operation["responses"].values()), name


def test_every_schema_and_field_has_a_description(openapi: dict[str, Any]) -> None:
    schemas = openapi["components"]["schemas"]
    assert any(schema.get("properties") for schema in schemas.values())
    for name, schema in schemas.items():
        assert schema["description"], name
        for field, definition in schema.get("properties", {}).items():
            assert "$ref" in definition or definition["description"], (name, field)


def test_no_word_is_left_of_what_is_gone(openapi: dict[str, Any]) -> None:
    fields = {field for schema in openapi["components"]["schemas"].values() for field in schema.get("properties", {})}
    parameters = {
        parameter["name"] for _, operation in operations(openapi) for parameter in operation.get("parameters", [])
    }
    statuses = {int(status) for _, operation in operations(openapi) for status in operation["responses"]}
    tags = {tag for _, operation in operations(openapi) for tag in operation["tags"]}
    assert (set(descriptions.FIELDS) - fields, set(descriptions.PARAMETERS) - parameters) == (set(), set())
    assert (set(descriptions.STATUSES), set(descriptions.TAGS)) == (statuses, tags)
    assert set(EXAMPLES) <= set(openapi["components"]["schemas"])


def test_every_operation_behind_a_token_says_which_scope_it_needs(openapi: dict[str, Any]) -> None:
    for name, operation in operations(openapi):
        assert ("security" in operation) == ("x-scopes" in operation), name
    assert openapi["paths"]["/api/v1/runs/{run_id}"]["put"]["x-scopes"] == ["upload"]


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_an_example_is_what_its_schema_says(openapi: dict[str, Any], name: str) -> None:
    schema = {"$ref": f"#/components/schemas/{name}", "components": openapi["components"]}
    jsonschema_rs.Draft202012Validator(schema).validate(EXAMPLES[name])
    assert openapi["components"]["schemas"][name]["examples"] == [EXAMPLES[name]]


def test_a_summary_is_the_first_sentence() -> None:
    assert first_sentence("Store one\ndocument. Sending it again.") == "Store one document"
    assert first_sentence("Only how far it is.") == "Only how far it is"

"""`/api/`: the OpenAPI document as a page."""

from typing import Any

import pytest
from django.test import Client

from benchdb.api.app import api
from benchdb.web.api_reference import TypeText, anchor, reference, type_of
from benchdb.web.templatetags.coded import coded
from tests.support.html import read


@pytest.fixture
def shown() -> dict[str, Any]:
    return reference(api.get_openapi_schema(), "http://bench.example")


def test_every_operation_and_schema_is_on_the_page(client: Client, db: None) -> None:
    page = read(client.get("/api/"))
    document = client.get("/api/v1/openapi.json").json()
    ids = {attributes.get("id") for _, attributes in page.elements}
    for path, operations in document["paths"].items():
        for method in operations:
            assert anchor(method, path) in ids
    assert {f"schema-{name}" for name in document["components"]["schemas"]} <= ids
    assert (page.links["OpenAPI document (JSON)"], page.links["Make a token"]) == ("/api/v1/openapi.json", "/account/")


def test_every_link_within_the_page_leads_somewhere(client: Client, db: None) -> None:
    page = read(client.get("/api/"))
    ids = {attributes.get("id") for _, attributes in page.elements}
    inner = [a["href"] for tag, a in page.elements if tag == "a" and (a.get("href") or "").startswith("#")]
    assert inner
    assert all(href and href[1:] in ids for href in inner)


def test_an_operation_says_how_it_is_called(shown: dict[str, Any]) -> None:
    operations = {operation["id"]: operation for tag in shown["tags"] for operation in tag["operations"]}
    withdraw = operations["put-runs-run_id-withdrawal"]
    assert withdraw["scopes"] == ["upload"]
    assert withdraw["curl"].startswith("curl -fsS -X PUT -H 'Authorization: Bearer YOUR-TOKEN' -H 'Content-Type: ")
    assert '"reason": "the disk was failing"' in (withdraw["body"].example or "")
    assert operations["get-runs-run_id"]["curl"] == "curl -fsS 'http://bench.example/api/v1/runs/{run_id}'"
    assert operations["post-imports"]["curl"].count("-F files=@output.txt") == 1
    assert '"file_system": "ext4"' in operations["get-runs"]["answers"][0]["example"]
    bare = {
        id
        for id, each in operations.items()
        if each["answers"][0]["status"] == 200 and not each["answers"][0]["example"]
    }
    assert bare == {
        "get-runs-run_id-artifacts-name",
        "get-runs-run_id-document",
        "get-schemas-run-1",
        "get-schemas-campaign-1",
    }
    assert [answer["status"] for answer in withdraw["answers"]] == [204, 400, 401, 403, 404, 410, 422, 429, 503]


@pytest.mark.parametrize(
    ("schema", "text", "href"),
    [
        ({"type": "string", "format": "uuid"}, "string uuid", None),
        ({"$ref": "#/components/schemas/RunOut"}, "RunOut", "#schema-RunOut"),
        ({"$ref": "/api/v1/schemas/run/1"}, "JSON Schema", "/api/v1/schemas/run/1"),
        ({"type": "array", "items": {"$ref": "#/x/JobOut"}}, "list of JobOut", "#schema-JobOut"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "integer or null", None),
        ({"enum": ["table", "surface"]}, '"table" | "surface"', None),
        ({}, "anything", None),
    ],
)
def test_a_type_is_said_in_words(schema: dict[str, Any], text: str, href: str | None) -> None:
    assert type_of(schema) == TypeText(text, href)


def test_code_in_a_sentence_is_code_and_nothing_else_is_markup() -> None:
    assert coded("`a<b>` is <i>") == "<code>a&lt;b&gt;</code> is &lt;i&gt;"


def test_every_page_leads_here(client: Client, db: None) -> None:
    assert read(client.get("/articles/")).links["API"] == "/api/"

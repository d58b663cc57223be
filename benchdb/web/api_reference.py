"""Turns the OpenAPI document into the context of a page, with a curl command for each operation. A pure function.

Swagger UI and Redoc need 1 MB of script and inline styles for the same tables; this page needs no script.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benchdb.plans.command_lines import PLACEHOLDER

OpenApiObject = Mapping[str, Any]

JSON_TYPE = "application/json"


@dataclass(frozen=True, slots=True)
class TypeText:
    """A type in words with a link to its schema: `list of PointOut`, `#schema-PointOut`."""

    text: str
    href: str | None


@dataclass(frozen=True, slots=True)
class ApiBody:
    """The body of a request; `example` is JSON."""

    media_type: str
    type: TypeText
    example: str | None


def reference(document: OpenApiObject, server: str) -> dict[str, object]:
    """The page: operations by tag, then schemas. `server` is an address without trailing slash."""
    operations = list(_operations(document, server))
    return {
        "about": document["info"]["description"],
        "version": document["info"]["version"],
        "security": document["components"]["securitySchemes"]["TokenAuth"]["description"],
        "tags": [
            {
                "name": tag["name"],
                "description": tag["description"],
                "operations": [item for item in operations if item["tag"] == tag["name"]],
            }
            for tag in document["tags"]
        ],
        "schemas": [_schema(name, schema) for name, schema in sorted(document["components"]["schemas"].items())],
    }


def _operations(document: OpenApiObject, server: str) -> Iterator[dict[str, object]]:
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            body = _body(operation, document)
            yield {
                "tag": operation["tags"][0],
                "id": anchor(method, path),
                "method": method.upper(),
                "path": path,
                "summary": operation["summary"],
                "description": _more(operation),
                "scopes": operation.get("x-scopes", []),
                "parameters": [_parameter(parameter) for parameter in operation.get("parameters", [])],
                "body": body,
                "answers": [
                    _answer(status, answer, document)
                    for status, answer in sorted(
                        (int(status), answer) for status, answer in operation["responses"].items()
                    )
                ],
                "curl": _curl(method, server + path, operation, body),
            }


def anchor(method: str, path: str) -> str:
    """The anchor of an operation for links: `put`, `/api/v1/runs/{run_id}` → `put-runs-run_id`."""
    words = path.removeprefix("/api/v1").replace("{", "").replace("}", "").split("/")
    return "-".join([method, *filter(None, words)])


def _more(operation: OpenApiObject) -> str:
    """The description if it is longer than the summary, else empty."""
    whole = " ".join(operation["description"].split())
    return "" if whole.rstrip(".") == operation["summary"] else whole


def _parameter(parameter: OpenApiObject) -> dict[str, object]:
    # A parameter; `where` is path or query.
    return {
        "name": parameter["name"],
        "where": parameter["in"],
        "required": parameter["required"],
        "type": type_of(parameter["schema"]).text,
        "description": parameter["description"],
    }


def _body(operation: OpenApiObject, document: OpenApiObject) -> ApiBody | None:
    if "requestBody" not in operation:
        return None
    [(media_type, content)] = operation["requestBody"]["content"].items()
    body_type = type_of(content["schema"])
    return ApiBody(media_type, body_type, _example(content["schema"], document) if media_type == JSON_TYPE else None)


def _answer(status: int, answer: OpenApiObject, document: OpenApiObject) -> dict[str, object]:
    schemas = {media_type: content["schema"] for media_type, content in answer.get("content", {}).items()}
    return {
        "status": status,
        "description": answer["description"],
        "type": type_of(next(iter(schemas.values()))) if schemas else None,
        "example": _example(schemas[JSON_TYPE], document) if status == 200 and JSON_TYPE in schemas else None,
    }


def _example(schema: OpenApiObject, document: OpenApiObject) -> str | None:
    """JSON like that of this schema; None if its fields are described elsewhere."""
    example = example_of(schema, document["components"]["schemas"])
    return _pretty(example) if example else None


def example_of(schema: OpenApiObject, schemas: OpenApiObject, inside: tuple[str, ...] = ()) -> object:
    """A value with this schema: its own example, else one made of its parts; None inside itself."""
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    if name:
        return example_of(schemas[name], schemas, (*inside, name)) if name in schemas and name not in inside else None
    if "properties" in schema and "examples" not in schema:
        return {
            field: FIELDS.get(field) or example_of(part, schemas, inside)
            for field, part in schema["properties"].items()
        }
    if "anyOf" in schema:
        return example_of(schema["anyOf"][0], schemas, inside)
    if schema.get("type") == "array":
        return [example_of(schema.get("items", {}), schemas, inside)]
    of_type = EXAMPLES.get(schema.get("format", "")) or EXAMPLES.get(schema.get("type", ""))
    return next(iter([*schema.get("examples", ()), *schema.get("enum", ())]), of_type)


def _schema(name: str, schema: OpenApiObject) -> dict[str, object]:
    required = schema.get("required", [])
    # What is sent or answered; `example` is JSON.
    return {
        "name": name,
        "id": f"schema-{name}",
        "description": schema["description"],
        "fields": [
            {
                "name": field,
                "required": field in required,
                "type": type_of(field_schema),
                "description": field_schema.get("description", ""),
            }
            for field, field_schema in schema.get("properties", {}).items()
        ],
        "example": _pretty(schema["examples"][0]) if "examples" in schema else None,
    }


FIELDS: Mapping[str, object] = {
    "url": "https://bench.example/…",
    "state": "ready",
    "failure": "",
    "tool": "fsload",
    "tool_version": "0.1.0",
    "file_system": "ext4",
    "machine": "epyc-2",
    "kernel": "6.12.57",
    "label": "fsload on ext4, epyc-2",
    "labels": {"plan": "nightly"},
    "visibility": "public",
    "document_schema": "benchdb.run/1",
    "agent_version": "0.1.0",
    "command": ["fsload", "--file-size", "64M"],
    "test": "write",
    "metric": "throughput",
    "unit": "B/s",
    "mean": 251658240.0,
    "name": "nightly",
    "media_type": "text/plain",
    "sha256": "9f86d081884c7d65…",
    "next": "after=01a22d0d-1f7e-7000-8000-00006c1cad54",
    "kind": "table",
    "text": "ext4 is 12 % faster than xfs.",
    "version": "3f2a",
}
EXAMPLES: Mapping[str, object] = {
    "uuid": "01a22d0d-1f7e-7000-8000-00006c1cad54",
    "date-time": "2026-11-20T20:01:55Z",
    "string": "…",
    "integer": 8,
    "number": 1.5,
    "boolean": True,
    "object": {},
}


def type_of(schema: OpenApiObject) -> TypeText:
    """The type of a schema in words."""
    if "$ref" in schema:
        return _reference(schema["$ref"])
    if "anyOf" in schema:
        types = [type_of(alternative) for alternative in schema["anyOf"]]
        return TypeText(
            " or ".join(type_.text for type_ in types), next((type_.href for type_ in types if type_.href), None)
        )
    if "enum" in schema:
        return TypeText(" | ".join(json.dumps(value) for value in schema["enum"]), None)
    if schema.get("type") == "array":
        items = type_of(schema.get("items", {}))
        return TypeText(f"list of {items.text}", items.href)
    return TypeText(" ".join(filter(None, (schema.get("type", "anything"), schema.get("format")))), None)


def _reference(address: str) -> TypeText:
    name = address.rpartition("/")[2]
    if address.startswith("#"):
        return TypeText(name, f"#schema-{name}")
    return TypeText("JSON Schema", address)


def _curl(method: str, address: str, operation: OpenApiObject, body: ApiBody | None) -> str:
    """A command line to start from; the caller replaces the parts in braces."""
    words = ["curl", "-fsS"]
    if method != "get":
        words += ["-X", method.upper()]
    if "security" in operation:
        words += ["-H", f"Authorization: Bearer {PLACEHOLDER}"]
    if body and body.media_type == JSON_TYPE:
        words += ["-H", f"Content-Type: {JSON_TYPE}", "--data-binary", "@document.json"]
    elif body:
        words += ["-F", "files=@output.txt"]
    return shlex.join([*words, address])


def _pretty(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)

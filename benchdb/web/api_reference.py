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
                    _answer(status, answer)
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
    examples = document["components"]["schemas"].get(body_type.text, {}).get("examples", [])
    return ApiBody(media_type, body_type, _pretty(examples[0]) if examples else None)


def _answer(status: int, answer: OpenApiObject) -> dict[str, object]:
    schemas = [content["schema"] for content in answer.get("content", {}).values()]
    return {"status": status, "description": answer["description"], "type": type_of(schemas[0]) if schemas else None}


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

"""The OpenAPI document as a page: what each operation takes and answers, and a line that calls it. A pure function.

Swagger UI and Redoc need 1 MB of script and inline styles for what a table says; this page needs no script.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from benchdb.plans.command_lines import PLACEHOLDER

Context = dict[str, Any]
Json = Mapping[str, Any]

JSON_TYPE = "application/json"


def reference(document: Json, server: str) -> Context:
    """`web/api.html`: operations by tag, then the schemas. `server` is the address without a slash at its end."""
    operations = list(_operations(document, server))
    return {
        "about": document["info"]["description"],
        "version": document["info"]["version"],
        "security": document["components"]["securitySchemes"]["TokenAuth"]["description"],
        "tags": [
            {**tag, "operations": [each for each in operations if tag["name"] == each["tag"]]}
            for tag in document["tags"]
        ],
        "schemas": [_schema(name, schema) for name, schema in sorted(document["components"]["schemas"].items())],
    }


def _operations(document: Json, server: str) -> Iterator[Context]:
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
                "parameters": [_parameter(each) for each in operation.get("parameters", [])],
                "body": body,
                "answers": [_answer(*each) for each in sorted(_by_status(operation))],
                "curl": _curl(method, server + path, operation, body),
            }


def anchor(method: str, path: str) -> str:
    """`put`, `/api/v1/runs/{run_id}` → `put-runs-run_id`: what links name an operation by."""
    words = path.removeprefix("/api/v1").replace("{", "").replace("}", "").split("/")
    return "-".join([method, *filter(None, words)])


def _more(operation: Json) -> str:
    """What the description says beyond the summary."""
    whole = " ".join(operation["description"].split())
    return "" if whole.rstrip(".") == operation["summary"] else whole


def _parameter(parameter: Json) -> Context:
    return {
        "name": parameter["name"],
        "where": parameter["in"],
        "required": parameter["required"],
        "type": type_of(parameter["schema"])["text"],
        "description": parameter["description"],
    }


def _body(operation: Json, document: Json) -> Context | None:
    """What is sent: its media type, its schema, an example as JSON text or None."""
    if "requestBody" not in operation:
        return None
    [(media_type, content)] = operation["requestBody"]["content"].items()
    shown = type_of(content["schema"])
    examples = document["components"]["schemas"].get(shown["text"], {}).get("examples", [])
    return {"media_type": media_type, "type": shown, "example": _pretty(examples[0]) if examples else None}


def _by_status(operation: Json) -> Iterator[tuple[int, Json]]:
    return ((int(status), answer) for status, answer in operation["responses"].items())


def _answer(status: int, answer: Json) -> Context:
    schemas = [content["schema"] for content in answer.get("content", {}).values()]
    return {"status": status, "description": answer["description"], "type": type_of(schemas[0]) if schemas else None}


def _schema(name: str, schema: Json) -> Context:
    required = schema.get("required", [])
    return {
        "name": name,
        "id": f"schema-{name}",
        "description": schema["description"],
        "fields": [
            {
                "name": field,
                "required": field in required,
                "type": type_of(said),
                "description": said.get("description", ""),
            }
            for field, said in schema.get("properties", {}).items()
        ],
        "example": _pretty(schema["examples"][0]) if "examples" in schema else None,
    }


def type_of(schema: Json) -> Context:
    """A type in words, and where it is described: `{"text": "list of PointOut", "href": "#schema-PointOut"}`."""
    if "$ref" in schema:
        return _reference(schema["$ref"])
    if "anyOf" in schema:
        found = [type_of(each) for each in schema["anyOf"]]
        return {"text": " or ".join(each["text"] for each in found), "href": _first_href(found)}
    if "enum" in schema:
        return {"text": " | ".join(json.dumps(value) for value in schema["enum"]), "href": None}
    if schema.get("type") == "array":
        items = type_of(schema.get("items", {}))
        return {"text": f"list of {items['text']}", "href": items["href"]}
    return {"text": " ".join(filter(None, (schema.get("type", "anything"), schema.get("format")))), "href": None}


def _reference(address: str) -> Context:
    name = address.rpartition("/")[2]
    if address.startswith("#"):
        return {"text": name, "href": f"#schema-{name}"}
    return {"text": "JSON Schema", "href": address}


def _first_href(types: list[Context]) -> str | None:
    return next((each["href"] for each in types if each["href"]), None)


def _curl(method: str, address: str, operation: Json, body: Context | None) -> str:
    """A command line to begin with; braces stand for what the caller puts there."""
    words = ["curl", "-fsS"]
    if method != "get":
        words += ["-X", method.upper()]
    if "security" in operation:
        words += ["-H", f"Authorization: Bearer {PLACEHOLDER}"]
    if body and body["media_type"] == JSON_TYPE:
        words += ["-H", f"Content-Type: {JSON_TYPE}", "--data-binary", "@document.json"]
    elif body:
        words += ["-F", "files=@output.txt"]
    return shlex.join([*words, address])


def _pretty(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)

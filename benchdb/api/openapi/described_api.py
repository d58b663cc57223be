"""The OpenAPI document with summaries, scopes, descriptions of fields, and examples."""

from __future__ import annotations

from typing import Any

from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation

from benchdb.api.auth import TokenAuth

from .descriptions import FIELDS, PARAMETERS, STATUSES, TAGS
from .examples import EXAMPLES

JsonObject = dict[str, Any]

SECURITY = "A token of the account’s page, or of `manage.py token`. It has scopes; each operation says which it needs."


class DescribedAPI(NinjaAPI):
    """An API whose operations have a summary and the scopes of their tokens (`x-scopes`: one of them is enough)."""

    def __init__(self, **options: Any) -> None:
        self._scopes: dict[str, list[str]] = {}
        self._document: OpenAPISchema | None = None
        super().__init__(**options)

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """The usual id without the package of the module, so that clients keep their names if a module moves.

        Records the scopes too, because only this hook receives the operation.
        """
        operation_id: str = super().get_openapi_operation_id(operation).replace("_api_routes_", "_api_")
        tokens = (auth for auth in operation.auth_callbacks if isinstance(auth, TokenAuth))
        self._scopes[operation_id] = [scope.value for auth in tokens for scope in auth.scopes]
        return operation_id

    def get_openapi_schema(
        self, *, path_prefix: str | None = None, path_params: dict[str, object] | None = None
    ) -> OpenAPISchema:
        """The document, built once because it takes a quarter of a second."""
        if self._document is None:
            self._document = self._described(
                super().get_openapi_schema(path_prefix=path_prefix, path_params=path_params)
            )
        return self._document

    def _described(self, document: OpenAPISchema) -> OpenAPISchema:
        """Every operation, parameter, answer, schema and field with a description."""
        document["tags"] = [{"name": name, "description": text} for name, text in TAGS.items()]
        for operations in document["paths"].values():
            for operation in operations.values():
                _describe(operation, self._scopes[operation["operationId"]])
        for name, schema in document["components"]["schemas"].items():
            _describe_fields(schema)
            if name in EXAMPLES:
                schema["examples"] = [EXAMPLES[name]]
        document["components"]["securitySchemes"]["TokenAuth"]["description"] = SECURITY
        return document


def _describe(operation: JsonObject, scopes: list[str]) -> None:
    operation["summary"] = first_sentence(operation["description"])
    if scopes:
        operation["x-scopes"] = scopes
    for parameter in operation.get("parameters", []):
        if "description" not in parameter:
            parameter["description"] = PARAMETERS[parameter["name"]]
    for status, answer in operation["responses"].items():
        answer["description"] = STATUSES[int(status)]


def first_sentence(text: str) -> str:
    """`Store one document. Sending it again is harmless.` → `Store one document`."""
    return " ".join(text.split()).partition(". ")[0].rstrip(".")


def _describe_fields(schema: JsonObject) -> None:
    for name, field in schema.get("properties", {}).items():
        if "$ref" not in field and "description" not in field:
            field["description"] = FIELDS[name]

"""Contents as JSON: what `.json` exports and the API return, and what permalinks store. The fields are the keys."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

import orjson
from pydantic import JsonValue, TypeAdapter

from .content import Content
from .kinds import KINDS, name_of_schema

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def to_json(content: DataclassInstance) -> dict[str, JsonValue]:
    """The content in dictionaries and lists, as JSON has it."""
    document: dict[str, JsonValue] = orjson.loads(orjson.dumps(content))
    return document


def from_json(document: Mapping[str, object]) -> Content:
    """The inverse of `to_json`. Raises KeyError for an unknown schema, and ValueError for a faulty document."""
    return _adapter(name_of_schema(str(document["schema"]))).validate_python(document)


@cache
def _adapter(name: str) -> TypeAdapter[Content]:
    return TypeAdapter(KINDS[name].content)

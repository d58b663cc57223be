"""Contents as JSON: what `.json` exports and the API return, and what permalinks store. The fields are the keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING

import orjson
from django.http import QueryDict
from pydantic import JsonValue, TypeAdapter

from benchdb.http.requests import Reader
from benchdb.http.work import expect
from benchdb.runs.models import RunQuerySet

from .content import Content
from .kinds import KINDS, name_of_schema
from .page_parts.kept import LivePart, kept_part

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


# Fields that contents frozen by the first release do not have; they are absent where they are None, so that the JSON of
# such a content stays as it was.
_LATER = ("goes_with",)
SECONDS_A_BYTE = 1.4e-8  # to read a content that is kept


def to_bytes(content: DataclassInstance, **more: object) -> bytes:
    """The content as JSON, after the keys `more`."""
    keys = {field.name: getattr(content, field.name) for field in fields(content)}
    return orjson.dumps(
        {**more, **{name: value for name, value in keys.items() if value is not None or name not in _LATER}}
    )


def to_json(content: DataclassInstance) -> dict[str, JsonValue]:
    """The content in dictionaries and lists, as JSON has it."""
    document: dict[str, JsonValue] = orjson.loads(to_bytes(content))
    return document


def from_json(document: Mapping[str, object]) -> Content:
    """The inverse of `to_json`, also for documents of earlier releases.

    Raises KeyError for an unknown schema, and ValueError for a faulty document.
    """
    name = name_of_schema(str(document["schema"]))
    return _adapter(name).validate_python(KINDS[name].upgraded(document))


def current(kind: str, query: QueryDict, reader: Reader, runs: RunQuerySet | None = None) -> Content:
    """The content that a query shows to a reader now, kept or evaluated; `runs` are those that it may read, if known.

    Raises ImpossibleSelection, LeftToWorker.
    """
    of, fresh = KINDS[kind], list[Content]()

    def evaluated() -> bytes:
        fresh.append(of.evaluate(query, reader))
        return to_bytes(fresh[0])

    runs = of.reads(query, reader) if runs is None else runs
    made = kept_part(LivePart("content", kind, query.urlencode()), reader, runs, evaluated)
    if not made.packed:
        return fresh[0]
    document = made.raw
    expect(SECONDS_A_BYTE * len(document))
    return _adapter(kind).validate_json(document)


@cache
def _adapter(name: str) -> TypeAdapter[Content]:
    return TypeAdapter(KINDS[name].content)

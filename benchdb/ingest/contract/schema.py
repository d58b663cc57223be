"""Checks plain data against a model, and gives its errors as faults."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from pydantic import ValidationError

from .faults import MOST_LISTED, Fault, Locate, from_pydantic, pointer
from .field_types import Section

# With more errors, only the beginnings of the long lists are examined: each fault takes half a kilobyte.
MOST_EXAMINED = 10 * MOST_LISTED
S = TypeVar("S", bound=Section)


def _as_pointer(path: tuple[str | int, ...]) -> str:
    return pointer(*path)


def check_schema(
    raw: Mapping[str, object], model: type[S], schema: str, locate: Locate = _as_pointer
) -> tuple[S | None, list[Fault]]:
    """The checked section, None if there are faults. `locate` turns the path of a fault into its JSON Pointer.

    Plain data, not text: pydantic's own parser takes 600 times the size of a hostile text.
    """
    try:
        return model.model_validate(raw), []
    except ValidationError as error:
        if error.error_count() <= MOST_EXAMINED:
            return None, from_pydantic(error, raw, schema, locate)
        count = error.error_count()
    beginning = {name: part[:MOST_LISTED] if isinstance(part, list) else part for name, part in raw.items()}
    try:
        model.model_validate(beginning)
    except ValidationError as error:
        if error.error_count() <= MOST_EXAMINED:
            return None, from_pydantic(error, raw, schema, locate)
    return None, [Fault("", None, f"a document of {schema}; this one has {count:,} faults, too many to list")]

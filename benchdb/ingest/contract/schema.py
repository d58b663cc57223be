"""Checks plain data against a model, and gives its errors as faults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, partial
from typing import TypeVar

from pydantic import FailFast, ValidationError

from .faults import MOST_LISTED, Fault, JsonPath, Locate, from_pydantic, pointer
from .field_types import Section

# With more errors, only their number is told: each fault takes half a kilobyte.
MOST_EXAMINED = 10 * MOST_LISTED
ITEMS_AT_ONCE = 10  # with their values bounded (`amounts.py`), so are the errors
S = TypeVar("S", bound=Section)


def check_schema(
    raw: Mapping[str, object], model: type[S], schema: str, locate: Locate = lambda path: pointer(*path)
) -> tuple[S | None, list[Fault]]:
    """The checked section, None if there are faults. `locate` turns the path of a fault into its JSON Pointer.

    Plain data, not text: pydantic's own parser takes 600 times the size of a hostile text.
    """
    try:
        return model.model_validate(raw), []
    except ValidationError as error:
        faults = _faults(error, raw, schema, locate)
    by_pointer = {fault.pointer: fault for fault in faults}
    whole = {name: part for name, part in raw.items() if locate((name,)) not in by_pointer}
    for fault in _faults_of_items(whole, model, schema, locate):
        by_pointer.setdefault(fault.pointer, fault)
        if len(by_pointer) > MOST_LISTED:
            break
    return None, list(by_pointer.values())


def _faults(error: ValidationError, raw: object, schema: str, locate: Locate) -> list[Fault]:
    if error.error_count() <= MOST_EXAMINED:
        return from_pydantic(error, raw, schema, locate)
    return [Fault("", None, f"a document of {schema}; this one has {error.error_count():,} faults, too many to list")]


def _faults_of_items(raw: Mapping[str, object], model: type[Section], schema: str, locate: Locate) -> Iterator[Fault]:
    """The faults of all items in the lists at whose first faulty item the check of a whole section stops.

    Some items at a time, so that the work ends with the faults that are listed.
    """
    some = _some_items_of(model)
    lists = {name: part for name, part in raw.items() if name in some.model_fields and isinstance(part, list)}
    for start in range(0, max(map(len, lists.values()), default=0), ITEMS_AT_ONCE):
        items = {name: part[start : start + ITEMS_AT_ONCE] for name, part in lists.items()}
        try:
            some.model_validate(items)
        except ValidationError as error:
            yield from from_pydantic(error, items, schema, partial(_later, start, locate))


def _later(start: int, locate: Locate, path: JsonPath) -> str:
    """The JSON Pointer of a path in a list without the items before `start`."""
    name, item, *inner = path
    return locate((name, start + int(item), *inner))


@cache
def _some_items_of(model: type[Section]) -> type[Section]:
    """The long lists of a section, with all faults and of any length."""
    long = {name: field.annotation for name, field in model.model_fields.items() if FailFast() in field.metadata}
    some: type[Section] = type("SomeItems", (Section,), {"__annotations__": long, **{name: [] for name in long}})
    return some

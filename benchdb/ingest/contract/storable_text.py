"""Checks that every value of a document can be stored, also in its free-form parts."""

from __future__ import annotations

from collections.abc import Iterator

from .faults import Fault, JsonPath, pointer, shown
from .json_text import Raw, Repeated

MOST_LEVELS = 32


def check_text(raw: Raw) -> Iterator[Fault]:
    """Faults of single values, in the document's order.

    PostgreSQL's text and jsonb cannot hold NUL, UTF-8 no lone surrogates, JSON no NaN. The schema checks raw output,
    which is bytes.
    """
    stack: list[tuple[JsonPath, object]] = [((), raw)]
    while stack:
        path, value = stack.pop()
        if isinstance(value, dict):
            yield from _names(path, value)
        elif isinstance(value, str) and not storable(value):
            yield Fault(pointer(*path), shown(value), "text without NUL and lone surrogates")
        elif isinstance(value, float) and not abs(value) < float("inf"):
            yield Fault(pointer(*path), shown(value), "a finite number")
        if isinstance(value, dict | list) and len(path) == MOST_LEVELS:
            yield Fault(pointer(*path), shown(value), f"a value nested at most {MOST_LEVELS} levels deep")
        elif isinstance(value, dict | list):
            stack.extend(reversed(list(_inside(path, value))))


def check_repeated(raw: Raw) -> Iterator[Fault]:
    """Names that are repeated in an object of the document."""
    stack: list[tuple[JsonPath, object]] = [((), raw)] if isinstance(raw, Repeated) else []
    while stack:
        path, value = stack.pop()
        if isinstance(value, Repeated):
            for name in sorted(value.names):
                yield Fault(pointer(*path, name), shown(value[name]), "a name that occurs once in its object")
        if isinstance(value, dict | list):
            stack.extend(reversed(list(_inside(path, value))))


def storable(text: str) -> bool:
    """Whether PostgreSQL can store this text."""
    if "\x00" in text:
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _names(path: JsonPath, value: Raw) -> Iterator[Fault]:
    for name in value:
        if not storable(name):
            yield Fault(pointer(*path, name), shown(value[name]), "a name without NUL and lone surrogates")


def _inside(path: JsonPath, value: Raw | list[object]) -> Iterator[tuple[JsonPath, object]]:
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        inner_path = (*path, key)
        if not _checked_by_schema(inner_path):
            yield inner_path, inner


def _checked_by_schema(path: JsonPath) -> bool:
    return len(path) == 3 and (path[0], path[2]) == ("artifacts", "data")

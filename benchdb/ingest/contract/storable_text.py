"""Checks that every value of a document can be stored, also in its free-form parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .faults import Fault, pointer, shown
from .field_types import MAX_INTEGER
from .json_text import Raw, Repeated

MOST_LEVELS = 32


def check_text(raw: Raw) -> Iterator[Fault]:
    """Faults of single values, in the document's order.

    PostgreSQL's text and jsonb cannot hold NUL, UTF-8 no lone surrogates, JSON no NaN. jsonb returns 1e300 as a whole
    number of 301 digits, and programs that write JSON take 64 bits. The schema checks raw output, which is bytes.
    """
    for path, value in _walk(raw, MOST_LEVELS):
        if isinstance(value, dict):
            yield from _names(path, value)
        elif isinstance(value, str) and not storable(value):
            yield Fault(pointer(*path), shown(value), "text without NUL and lone surrogates")
        elif isinstance(value, int | float) and not abs(value) <= MAX_INTEGER:
            yield Fault(pointer(*path), shown(value), "a finite number within 64 bits")
        if isinstance(value, dict | list) and len(path) == MOST_LEVELS:
            yield Fault(pointer(*path), shown(value), f"a value nested at most {MOST_LEVELS} levels deep")


def check_repeated(raw: Raw) -> Iterator[Fault]:
    """Names that are repeated in an object of the document."""
    for path, value in _walk(raw) if isinstance(raw, Repeated) else ():
        if isinstance(value, Repeated):
            for name in sorted(value.names):
                yield Fault(pointer(*path, name), shown(value[name]), "a name that occurs once in its object")


def storable(text: str) -> bool:
    """Whether PostgreSQL can store this text."""
    if "\x00" in text:
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _names(path: Sequence[str | int], value: Raw) -> Iterator[Fault]:
    for name in value:
        if not storable(name):
            yield Fault(pointer(*path, name), shown(value[name]), "a name without NUL and lone surrogates")


def _walk(raw: Raw, most_levels: int | None = None) -> Iterator[tuple[list[str | int], object]]:
    """Each value with its path, in the document's order, without what is nested more deeply than `most_levels`.

    The path is always the same list: a tuple for each of two million values took more memory than the values.
    """
    path: list[str | int] = []
    yield path, raw
    unread = [_inside(raw)]
    while unread:
        if (member := next(unread[-1], None)) is None:
            unread.pop()
            del path[-1:]
            continue
        key, value = member
        path.append(key)
        is_ours = not (len(path) == 3 and (path[0], path[2]) == ("artifacts", "data"))
        if is_ours:
            yield path, value
        if is_ours and isinstance(value, dict | list) and len(path) != most_levels:
            unread.append(_inside(value))
        else:
            path.pop()


def _inside(value: Raw | list[object]) -> Iterator[tuple[str | int, object]]:
    return iter(value.items() if isinstance(value, dict) else enumerate(value))

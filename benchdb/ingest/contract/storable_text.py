"""What must hold for every value wherever it stands, in the free-form parts too: it can be stored and given back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .faults import Fault, pointer, shown
from .json_text import Raw, Repeated

MOST_LEVELS = 32
JsonPath = tuple[str | int, ...]


def check_text(raw: Raw) -> Iterator[Fault]:
    """Faults of single values, in the document's order.

    PostgreSQL's text and jsonb hold no NUL, UTF-8 holds no lone surrogate, JSON holds no NaN. Raw output is bytes, and
    the values of results are plain numbers: the schema looks at both.
    """
    stack: list[tuple[JsonPath, Any]] = [((), raw)]
    while stack:
        place, here = stack.pop()
        if isinstance(here, dict):
            yield from _names(place, here)
        elif isinstance(here, str) and not storable(here):
            yield Fault(pointer(*place), shown(here), "text without NUL and lone surrogates")
        elif isinstance(here, float) and not abs(here) < float("inf"):
            yield Fault(pointer(*place), shown(here), "a finite number")
        if isinstance(here, dict | list) and len(place) == MOST_LEVELS:
            yield Fault(pointer(*place), shown(here), f"a value nested at most {MOST_LEVELS} levels deep")
        elif isinstance(here, dict | list):
            stack.extend(reversed(list(_inside(place, here))))


def storable(text: str) -> bool:
    """Whether PostgreSQL takes this text."""
    if "\x00" in text:
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _names(place: JsonPath, here: dict[str, Any]) -> Iterator[Fault]:
    for name in here:
        if not storable(name):
            yield Fault(pointer(*place, name), shown(here[name]), "a name without NUL and lone surrogates")
    if isinstance(here, Repeated):
        for name in sorted(here.names):
            yield Fault(pointer(*place, name), shown(here[name]), "a name that stands once in its object")


def _inside(place: JsonPath, here: dict[str, Any] | list[Any]) -> Iterator[tuple[JsonPath, Any]]:
    for part, value in here.items() if isinstance(here, dict) else enumerate(here):
        deeper = (*place, part)
        if not _looked_at_elsewhere(deeper):
            yield deeper, value


def _looked_at_elsewhere(place: JsonPath) -> bool:
    return len(place) == 3 and (place[0], place[2]) in (("results", "values"), ("artifacts", "data"))

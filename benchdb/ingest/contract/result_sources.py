"""Where values stand in the raw output: a run has a place for each of its values, so all are looked at together.

One by one, as a schema looks at them, they took a third of the time of checking a document.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

from benchdb.runs.store.value_places import Places

from .field_types import MAX_INTEGER
from .json_text import Raw


def take_places(raw: Raw) -> list[Places | None] | None:
    """Take `source` out of each result. None, and nothing is taken, where one is not as it should be, or may not be.

    What is taken is what the schema and the cross check want of it: one place a round, in an artifact of the document.
    """
    try:
        found = [_places(result.get("source")) for result in raw["results"]]
        known = {None, *(artifact["name"] for artifact in raw["artifacts"])}
        plain = _are_plain([places for places in found if places], known, len(raw["rounds"]))
    except (KeyError, TypeError, AttributeError):
        return None
    if not plain:
        return None
    for result in raw["results"]:
        result.pop("source", None)
    return found


def _places(source: Any) -> Places | None:
    """The places of `source`; KeyError or TypeError if it has another form."""
    if source is None:
        return None
    if type(source) is dict and len(source) == 2 and type(source["artifacts"]) is list:
        return Places(tuple(source["artifacts"]), source["lines"]) if source["lines"] else None
    raise TypeError


def _are_plain(found: list[Places], known: set[Any], rounds: int) -> bool:
    names, lines = {places.names for places in found}, [places.lines for places in found]
    kinds = {*map(type, chain.from_iterable(lines))}
    numbers = [line for line in chain.from_iterable(lines) if line is not None]
    everywhere = kinds == {int} and not any(None in each for each in names)
    return (
        {*map(type, lines)} <= {list}
        and {*map(len, names), *map(len, lines)} <= {rounds}
        and known.issuperset(chain.from_iterable(names))
        and kinds <= {int, type(None)}
        and min(numbers, default=1) >= 1
        and max(numbers, default=1) <= MAX_INTEGER
        and (everywhere or all(map(_are_together, found)))
    )


def _are_together(places: Places) -> bool:
    """Whether a line stands beside each name, and nothing beside nothing."""
    return [name is None for name in places.names] == [line is None for line in places.lines]

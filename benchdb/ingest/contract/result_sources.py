"""Checks the sources of all results together, because a run has a place in the raw output for each of its values.

The schema checked them one by one, which took a third of the time of a whole check.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

from benchdb.runs.store.value_places import Places

from .field_types import MAX_INTEGER
from .json_text import Raw


def take_places(raw: Raw) -> list[Places | None] | None:
    """Remove `source` from each result and return the places. None, and no change, if any source may be faulty.

    The places fulfil the schema and the cross check: one for each round, in an artifact of the document.
    """
    try:
        sources = [_places(result.get("source")) for result in raw["results"]]
        names = {None, *(artifact["name"] for artifact in raw["artifacts"])}
        plain = _are_plain([places for places in sources if places], names, len(raw["rounds"]))
    except (KeyError, TypeError, AttributeError):
        return None
    if not plain:
        return None
    for result in raw["results"]:
        result.pop("source", None)
    return sources


def _places(source: Any) -> Places | None:
    """The places of `source`; KeyError or TypeError if it has another form."""
    if source is None:
        return None
    if type(source) is dict and len(source) == 2 and type(source["artifacts"]) is list and source["lines"]:
        return Places(tuple(source["artifacts"]), source["lines"])
    raise TypeError


def _are_plain(sources: list[Places], artifacts: set[Any], rounds: int) -> bool:
    """Whether every source has a line and an artifact, or neither, for each round."""
    names, lines = {places.names for places in sources}, [places.lines for places in sources]
    kinds = {*map(type, chain.from_iterable(lines))}
    numbers = [line for line in chain.from_iterable(lines) if line is not None]
    everywhere = kinds == {int} and not any(None in artifact_of_round for artifact_of_round in names)
    return (
        {*map(type, lines)} <= {list}
        and {*map(len, names), *map(len, lines)} <= {rounds}
        and artifacts.issuperset(chain.from_iterable(names))
        and kinds <= {int, type(None)}
        and min(numbers, default=1) >= 1
        and max(numbers, default=1) <= MAX_INTEGER
        and (everywhere or all(map(_are_together, sources)))
    )


def _are_together(places: Places) -> bool:
    """Whether each round has both an artifact and a line, or neither."""
    return [name is None for name in places.names] == [line is None for line in places.lines]

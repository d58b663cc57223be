"""Where values stand in the raw output: a run has a place for each of its values, so all are looked at together.

One by one, as a schema looks at them, they took a third of the time of checking a document.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain, pairwise

from benchdb.runs.sources import Place, Places

from .base import MAX_INTEGER
from .parse import Raw


def take_places(raw: Raw) -> list[Places | None] | None:
    """Take `source` out of each result. None, and nothing is taken, where one is not as it should be, or may not be.

    What is taken is what the schema and the cross check want of it: one place a round, in an artifact of the document.
    """
    try:
        sources = [[] if (found := result.get("source")) is None else found for result in raw["results"]]
        each = [place for place in chain.from_iterable(sources) if place is not None]
        names, lines = [place["artifact"] for place in each], [place["line"] for place in each]
        known = {artifact["name"] for artifact in raw["artifacts"]}
        lengths = {0, len(raw["rounds"])}
    except (KeyError, TypeError, AttributeError):
        return None
    plain = (
        {*map(type, sources)} == {list}
        and lengths.issuperset(map(len, sources))
        and {*map(len, each)} <= {2}
        and {*map(type, names)} <= {str}
        and known.issuperset(names)
        and {*map(type, lines)} <= {int}
        and min(lines, default=1) >= 1
        and max(lines, default=1) <= MAX_INTEGER
    )
    if not plain:
        return None
    for result in raw["results"]:
        result.pop("source", None)
    return _apart(sources, names, lines)


def _apart(sources: Sequence[list[Place]], names: list[str], lines: list[int]) -> list[Places | None]:
    ends = accumulate(map(len, sources), initial=0)
    if sum(map(len, sources)) != len(lines):  # a round has none
        return [Places.of(source) if source else None for source in sources]
    return [Places(tuple(names[i:j]), lines[i:j]) if i < j else None for i, j in pairwise(ends)]

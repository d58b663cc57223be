"""The cells of a table that are shown beside each other: those that differ from the chosen one only in the factor."""

from __future__ import annotations

from collections.abc import Mapping

from benchdb.compare.query.dimensions import joined, with_noun
from benchdb.compare.table.content import TableContent, TablePlace, measured

Parts = Mapping[str, str]


def rivals_of(content: TableContent, key: str) -> list[TablePlace]:
    """The chosen cell `G-R-C` and its rivals, the baseline first; [] if the table has no such cell with a figure."""
    places = [place for place in measured(content) if place.cell.status == "ok"]
    chosen = next((place for place in places if place.key == key), None)
    if chosen is None:
        return []
    factor = set(content.factor.names)
    wanted = _others(chosen, factor)
    rivals = [place for place in places if _others(place, factor) == wanted]
    return sorted(rivals, key=lambda place: not place.cell.baseline)


def contests_of(content: TableContent) -> list[list[TablePlace]]:
    """The cells with figures in groups of rivals, the baseline of each first."""
    factor = set(content.factor.names)
    contests: dict[frozenset[tuple[str, str]], list[TablePlace]] = {}
    for place in measured(content):
        if place.cell.status == "ok":
            contests.setdefault(frozenset(_others(place, factor).items()), []).append(place)
    return [sorted(places, key=lambda place: not place.cell.baseline) for places in contests.values()]


def label_of_rival(content: TableContent, place: TablePlace) -> str:
    """The value of the factor: `xfs`."""
    parts = _parts(place)
    return joined({name: parts[name] for name in content.factor.names if name in parts})


def label_of_others(content: TableContent, place: TablePlace) -> str:
    """What the rivals have in common: `Write · 64 KiB records`."""
    parts = _parts(place)
    return " · ".join(with_noun(name, label) for name, label in parts.items() if name not in content.factor.names)


def _parts(place: TablePlace) -> dict[str, str]:
    return {**place.head.parts, **place.row.parts, **place.group.parts}


def _others(place: TablePlace, factor: set[str]) -> dict[str, str]:
    return {name: label for name, label in _parts(place).items() if name not in factor}

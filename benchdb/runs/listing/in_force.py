"""The filters in force over the list of runs: title, tabs, and a link that removes each filter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from benchdb.facts.dimension import DimensionValue
from benchdb.wording.sizes import parse_size, say_size

from .filters import FACETS, RANGES
from .query import DATES, PAGING, RunListQuery
from .table import address

MINE = ("me",)  # values of the facet "owner"
# Facets with values that need no label in a title.
NAMES_ITSELF = ("file_system", "disk", "machine", "kernel", "tool", "cpu", "os", "article", "layers", "owner")


def title(list_query: RunListQuery, first: str, machines: Mapping[str, str]) -> str:
    """The first words and the filters: `7 runs · xfs or ext4 · epyc-2 · RAID chunk 128 KiB`."""
    words: dict[str, str] = {}
    for name, value in list_query.filters:
        if name in words:
            words[name] += f" or {_value_text(name, value, machines)}"
        else:
            words[name] = (_value_text if name in NAMES_ITSELF else filter_text)(name, value, machines)
    return " · ".join([first, *words.values()])


def tabs(list_query: RunListQuery) -> list[dict[str, object]]:
    """The list for all owners, and for the reader; both keep the other filters."""
    owner = list_query.facets.get("owner")
    others = {name: values for name, values in list_query.facets.items() if name != "owner"}
    return [
        _tab("All", list_query, others, owner is None),
        _tab("Mine", list_query, others | {"owner": MINE}, owner == MINE),
    ]


def _tab(
    text: str, list_query: RunListQuery, facets: Mapping[str, tuple[DimensionValue, ...]], current: bool
) -> dict[str, object]:
    return {"text": text, "href": address(replace(list_query, facets=facets).pairs(without=PAGING)), "current": current}


def chips(list_query: RunListQuery, machines: Mapping[str, str]) -> list[dict[str, object]]:
    """The filters in force, each with a link that removes it."""
    pairs = list_query.pairs(without=PAGING)
    filters_in_force: list[dict[str, object]] = []
    for name, value in list_query.filters:
        rest = [pair for pair in pairs if pair != (name, value)]
        filters_in_force.append({"text": filter_text(name, value, machines), "href": address(rest)})
    return filters_in_force


def filter_text(name: str, value: str, machines: Mapping[str, str]) -> str:
    """`file system ext4`, `from 2026-11-20`, `memory at least 8 GiB`."""
    text = _value_text(name, value, machines)
    if name == "q":
        return text
    if name in FACETS:
        return f"{FACETS[name].label} {text}"
    base, _, end = name.rpartition("_")
    if base in RANGES:
        return f"{FACETS[base].label} {'at least' if end == 'min' else 'at most'} {text}"
    return f"{DATES.get(name, name)} {text}"


def _value_text(name: str, value: str, machines: Mapping[str, str]) -> str:
    """`ext4`, `2026-11-20`, `8 GiB`."""
    if name in FACETS:
        return FACETS[name].on_page(FACETS[name].value(value), machines)
    if name.rpartition("_")[0] in RANGES:
        return say_size(parse_size(value))
    return {"q": f"“{value}”", "campaign": value[:8]}.get(name, value)

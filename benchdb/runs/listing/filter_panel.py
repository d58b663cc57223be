"""The filters beside the list of runs: every facet with its values and their runs, ranges, and what is in force."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict
from django.urls import reverse

from benchdb.wording.sizes import parse_size, say_size

from .columns import COLUMNS, SORTS
from .counting import EXACT, MOST_OPTIONS, Counted, say_count
from .filters import FACETS, RANGES, Facet
from .query import DATES, FIND, PAGING, Asked
from .table import address

Context = dict[str, Any]

SHOWN = 8  # values of a facet before the rest is folded
MANY = 16  # and from which on they can be searched
PLACEHOLDER = "kernel, CPU, disk, machine, …"


def panel(asked: Asked, counted: Counted, query: QueryDict) -> Context:
    """The context of runs/filters.html; what was entered into a field stays, right or wrong."""
    groups: dict[str, list[Context]] = {}
    for facet in FACETS.values():
        if found := _facet(facet, asked, counted, query):
            groups.setdefault(facet.group, []).append(found)
    return {
        "action": reverse("runs"),
        "q": query.get("q", ""),
        "placeholder": PLACEHOLDER,
        "groups": [{"label": label, "facets": facets} for label, facets in groups.items()],
        "dates": [{"name": name, "label": label, "value": query.get(name, "")} for name, label in DATES.items()],
        "hidden": [pair for pair in asked.pairs() if pair[0] in ("campaign", "column")],
        "besides_columns": asked.pairs(without=("column", *PAGING)),
        "sorts": _sorts(asked),
        "columns": [
            {"name": each.name, "label": each.label, "chosen": each.name in asked.columns} for each in COLUMNS.values()
        ],
        "chips": chips(asked),
        "reset": reverse("runs") if asked.filters else None,
        "total": counted.total,
        "total_text": f"{say_count(counted.total)} {'run' if counted.total == 1 else 'runs'}",
        "beyond": counted.total > EXACT,
        "in_force": len(asked.filters),
    }


def _facet(facet: Facet, asked: Asked, counted: Counted, query: QueryDict) -> Context | None:
    """None where there is nothing to choose: one value, or only what no run says."""
    chosen = asked.facets.get(facet.name, ())
    found = counted.facets.get(facet.name, [])
    values = [*found, *((value, 0) for value in chosen if value not in dict(found))]
    if facet.kind != "text":  # sizes and numbers stand in their order
        values.sort(key=lambda pair: (pair[0] is None, int(pair[0] or 0)))
    ends = _ends(facet, query)
    in_force = bool(chosen) or any(end["value"] for end in ends)
    find = asked.finds.get(facet.name, "")
    if len(values) < 2 and not in_force and not find:
        return None
    options = [
        {
            "value": facet.parameter(value),
            "text": facet.print(value),
            "runs": say_count(runs),
            "chosen": value in chosen,
        }
        for value, runs in values
        if find.casefold() in facet.print(value).casefold() or value in chosen
    ]
    # What is chosen stays in sight.
    most = MOST_OPTIONS if find else SHOWN
    shown = [each for place, each in enumerate(options) if place < most or each["chosen"]]
    return {
        "name": facet.name,
        "label": facet.label,
        "options": shown,
        "more": [each for each in options[most:] if not each["chosen"]],
        "find": {"name": FIND + facet.name, "value": find} if find or len(values) > MANY else None,
        "ends": ends,
        "open": facet.first or in_force or bool(find),
        "in_force": in_force,
        "count": f"{MOST_OPTIONS}+" if len(found) >= MOST_OPTIONS else str(len(values)),
    }


def _ends(facet: Facet, query: QueryDict) -> list[Context]:
    if facet.name not in RANGES:
        return []
    ends = (("min", "at least"), ("max", "at most"))
    return [
        {"name": f"{facet.name}_{end}", "label": label, "value": query.get(f"{facet.name}_{end}", "")}
        for end, label in ends
    ]


def _sorts(asked: Asked) -> list[Context]:
    labels = {"": "added, latest first", "oldest": "added, earliest first", "started": "start, earliest first"}
    labels |= {"-started": "start, latest first", "rounds": "rounds, fewest first", "-rounds": "rounds, most first"}
    for name in SORTS:
        label = FACETS[name].label if name in FACETS else name
        labels.setdefault(name, label)
        if name == asked.sort.removeprefix("-"):
            labels.setdefault(f"-{name}", f"{label}, from the end")
    return [{"value": name, "text": label, "selected": name == asked.sort} for name, label in labels.items()]


def chips(asked: Asked) -> list[Context]:
    """The filters in force; each link takes one away."""
    pairs = asked.pairs(without=PAGING)
    found = []
    for name, value in asked.filters:
        rest = [pair for pair in pairs if pair != (name, value)]
        found.append({"text": _said(name, value), "href": address(rest)})
    return found


def _said(name: str, value: str) -> str:
    """`file system ext4`, `from 2026-11-20`, `memory at least 8G`."""
    if name == "q":
        return f"“{value}”"
    if name in FACETS:
        facet = FACETS[name]
        return f"{facet.label} {facet.print(facet.read(value))}"
    base, _, end = name.rpartition("_")
    if base in RANGES:
        return f"{FACETS[base].label} {'at least' if end == 'min' else 'at most'} {say_size(parse_size(value))}"
    return f"{DATES.get(name, name)} {value[:8] if name == 'campaign' else value}"

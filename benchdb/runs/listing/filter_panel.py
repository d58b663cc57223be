"""The filters beside the list of runs: facets with their values and numbers of runs, ranges, filters in force."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from django.http import QueryDict
from django.urls import reverse

from benchdb.facts.dimension import DimensionValue
from benchdb.http.requests import Reader

from .columns import COLUMNS, SORTS
from .counting import EXACT, MOST_OPTIONS, Counted, say_count
from .filters import FACETS, RANGES, Facet
from .in_force import chips, tabs, title
from .query import DATES, FIND, PAGING, RunListQuery

SHOWN = 8  # values of a facet; the rest is folded
MANY = 16  # values; with more, a facet has a search field
FIRST = ("file_system", "disk", "machine", "kernel", "tool")  # facets above all others, unfolded
PLACEHOLDER = "kernel, CPU, disk, machine, …"


@dataclass(frozen=True, slots=True)
class FilterField:
    """A text or date field; `value` is the entry of the reader."""

    name: str
    label: str
    value: str


@dataclass(frozen=True, slots=True)
class FacetOption:
    """A value of a facet with its number of runs."""

    value: str
    text: str
    runs: str
    chosen: bool


def panel(list_query: RunListQuery, counted: Counted, query: QueryDict, reader: Reader) -> dict[str, object]:
    """The filters of a list for a reader; every entry stays in its field, also a faulty one."""
    groups: dict[str, list[dict[str, object]]] = {}
    for name in [*FIRST, *(name for name in FACETS if name not in FIRST)]:
        if facet_filter := _facet(FACETS[name], list_query, counted, query):
            groups.setdefault("Filters" if name in FIRST else FACETS[name].group, []).append(facet_filter)
    total_text = f"{say_count(counted.total)} {'run' if counted.total == 1 else 'runs'}"
    # The context of runs/filters.html and runs/list_head.html. `hidden` and `besides_columns` are parameters that two
    # of the forms keep; `beyond` is True if the total is only a lower bound; `in_force` is the number of filters.
    # `title` has the number of runs and the filters, `heading` only the filters. `tabs` are empty without a signed-in
    # reader.
    return {
        "action": reverse("runs"),
        "q": query.get("q", ""),
        "placeholder": PLACEHOLDER,
        "groups": [{"label": label, "facets": facets} for label, facets in groups.items()],
        "dates": [FilterField(name, label, query.get(name, "")) for name, label in DATES.items()],
        "hidden": [pair for pair in list_query.pairs() if pair[0] in ("campaign", "column")],
        "besides_columns": list_query.pairs(without=("column", *PAGING)),
        "sorts": _sorts(list_query),
        "columns": [
            {"name": column.name, "label": column.label, "chosen": column.name in list_query.columns}
            for column in COLUMNS.values()
        ],
        "chips": chips(list_query, counted.machines),
        "reset": reverse("runs") if list_query.filters else None,
        "total": counted.total,
        "total_text": total_text,
        "beyond": counted.total > EXACT,
        "in_force": len(list_query.filters),
        "title": title(list_query, total_text, counted.machines),
        "heading": title(list_query, "Runs", counted.machines),
        "tabs": tabs(list_query) if reader.is_authenticated else [],
    }


def _facet(facet: Facet, list_query: RunListQuery, counted: Counted, query: QueryDict) -> dict[str, object] | None:
    """The filter of one facet; None if nothing is in force and there are fewer than two values to choose from."""
    chosen = list_query.facets.get(facet.name, ())
    find = list_query.finds.get(facet.name, "")
    ends = _ends(facet, query)
    in_force = bool(chosen) or any(end.value for end in ends)
    values = _values(facet, counted, chosen)
    if len(values) < 2 and not in_force and not find:
        return None
    options = _options(facet, values, chosen, counted.machines)
    unfolded, folded = _folded(options, MOST_OPTIONS if find else SHOWN)
    many_counted = len(counted.facets.get(facet.name, [])) >= MOST_OPTIONS
    # The check boxes of a facet: `more` are folded, `find` searches among many, `ends` are those of a range.
    return {
        "name": facet.name,
        "label": facet.label,
        "options": unfolded,
        "more": folded,
        "find": FilterField(FIND + facet.name, facet.label, find) if find or len(values) > MANY else None,
        "ends": ends,
        "open": facet.name in FIRST or in_force or bool(find),
        "in_force": in_force,
        "count": f"{MOST_OPTIONS}+" if many_counted else str(len(values)),
    }


def _values(facet: Facet, counted: Counted, chosen: Collection[DimensionValue]) -> list[tuple[DimensionValue, int]]:
    """The values of a facet with their numbers of runs; also chosen values without runs. Sizes and numbers ascend."""
    with_runs = counted.facets.get(facet.name, [])
    values = [*with_runs, *((value, 0) for value in chosen if value not in dict(with_runs))]
    if facet.kind != "text":
        values.sort(key=lambda value_and_runs: (value_and_runs[0] is None, int(value_and_runs[0] or 0)))
    return values


def _options(
    facet: Facet,
    values: Iterable[tuple[DimensionValue, int]],
    chosen: Collection[DimensionValue],
    machines: Mapping[str, str],
) -> list[FacetOption]:
    return [
        FacetOption(facet.parameter(value), facet.on_page(value, machines), say_count(runs), chosen=value in chosen)
        for value, runs in values
    ]


def _folded(options: list[FacetOption], most: int) -> tuple[list[FacetOption], list[FacetOption]]:
    """The first `most` options with all chosen ones, and the rest, which the page folds."""
    unfolded = [option for i, option in enumerate(options) if i < most or option.chosen]
    return unfolded, [option for option in options[most:] if not option.chosen]


def _ends(facet: Facet, query: QueryDict) -> list[FilterField]:
    if facet.name not in RANGES:
        return []
    ends = (("min", "at least"), ("max", "at most"))
    return [FilterField(f"{facet.name}_{end}", label, query.get(f"{facet.name}_{end}", "")) for end, label in ends]


def _sorts(list_query: RunListQuery) -> list[dict[str, object]]:
    labels = {"": "added, latest first", "oldest": "added, earliest first", "started": "start, earliest first"}
    labels |= {"-started": "start, latest first", "rounds": "rounds, fewest first", "-rounds": "rounds, most first"}
    for name in SORTS:
        label = FACETS[name].label if name in FACETS else name
        labels.setdefault(name, label)
        if name == list_query.sort.removeprefix("-"):
            labels.setdefault(f"-{name}", f"{label}, from the end")
    return [{"value": name, "text": label, "selected": name == list_query.sort} for name, label in labels.items()]

"""What the form above a comparison means: the address of the selection that the reader intends."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import QueryDict

from benchdb.compare.page_parts.menus import ONLY, kept_pairs, left_open
from benchdb.compare.query.selection import AXES, NO_SPLIT, encode

from .form import DEFAULTS, DEPENDENT, EXPLICIT, OPEN, SORTED, columns_of
from .sorting.rows import SORT


def settle(query: QueryDict, made_as: str) -> str:
    """The query string of the form: a choice is left open again if it depends on one that was changed.

    `made_as` is the form's EARLIER_CHOICES. Defaults are left out too, so that the address is short.
    """
    was = QueryDict(made_as)
    query, dropped = _only(query, was)
    axes = {axis: _joined(query, axis) for axis in AXES if axis in query}
    dropped |= left_open(query, was, [name for name in DEPENDENT if name in query])
    dropped |= {"baseline"} if was.get("baseline") == query.get("baseline", "") else set()
    dropped |= _without_place(query, was, axes) | _of_factor(query, was) | _whole_boxes(query, was)
    dropped |= _sort_of_other_columns(query, was)
    pairs = kept_pairs(query, {*dropped, *AXES}, DEFAULTS)
    return encode([*pairs, *((axis, names) for axis, names in axes.items() if names)])


def _only(query: QueryDict, was: QueryDict) -> tuple[QueryDict, set[str]]:
    """The query with the single value of a dimension whose button "only" was pressed, and what is to be dropped.

    A value of the factor that is left alone is its own baseline.
    """
    name, _, value = query.get(ONLY, "").partition("=")
    if not value:
        return query, {ONLY}
    query = query.copy()
    query.setlist(name, [value])
    return query, {ONLY, "baseline"} if name in was.get("factor", "").split(",") else {ONLY}


def _joined(query: QueryDict, axis: str) -> str:
    """The dimensions of an axis from its two menus, each once."""
    names = dict.fromkeys(name for text in query.getlist(axis) for name in text.split(",") if name)
    if len(names) > 1:
        names.pop(NO_SPLIT, None)
    return ",".join(names)


def _without_place(query: QueryDict, was: QueryDict, axes: Mapping[str, str]) -> set[str]:
    """The parameters to drop after a change of axes: baseline, factor, and dimensions off the axes with several values.

    The values were chosen for an axis; without it they would compete for a cell.
    """
    if not any(axis in was and was[axis] != names for axis, names in axes.items()):
        return set()
    placed = {name for names in axes.values() for name in names.split(",")}
    crowded = {name for name in DEPENDENT if len(query.getlist(name)) > 1 and name not in placed}
    return {"baseline", "factor", *crowded}


def _of_factor(query: QueryDict, was: QueryDict) -> set[str]:
    """The baseline if the factor was changed, or the factor if the reader did not choose it."""
    if "factor" in was and "factor" in query and was["factor"] != query["factor"]:
        return {"baseline"}
    return {"factor"} if was.get(EXPLICIT) == "" else set()


def _sort_of_other_columns(query: QueryDict, was: QueryDict) -> set[str]:
    """The sort of the rows, if a changed field can have taken away its column."""
    chosen = [(name, value) for name, values in query.lists() for value in values]
    return {SORT} if was.get(SORTED) != columns_of(chosen) else set()


def _whole_boxes(query: QueryDict, was: QueryDict) -> set[str]:
    """The dimensions with all values still ticked."""
    return {name for name in query if str(len(query.getlist(name))) == was.get(f"{OPEN}{name}")}

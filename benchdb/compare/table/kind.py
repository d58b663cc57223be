"""Comparison tables as a kind of comparison."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any
from uuid import UUID

from django.http import QueryDict

from benchdb.compare.kind import ComparisonKind, MadePage
from benchdb.compare.page_parts.actions import live_parts
from benchdb.compare.page_parts.menus import EARLIER_CHOICES, ONLY, kept_pairs, left_open
from benchdb.compare.page_parts.withdrawn import since
from benchdb.compare.query.dimensions import dimension
from benchdb.compare.query.errors import ImpossibleSelection, NothingThere
from benchdb.compare.query.selection import AXES, NO_SPLIT, Selection, encode
from benchdb.compare.query.visible import left_of, readable
from benchdb.compare.table.cell_views.chosen_cell import CHOSEN
from benchdb.compare.table.sorting.differing import SHOW, shown_of
from benchdb.compare.table.sorting.rows import SORT, cells_as_shown
from benchdb.http.requests import Reader
from benchdb.runs.models import RunQuerySet

from .content import SCHEMA, TableContent
from .evaluate import evaluate
from .form import DEFAULTS, DEPENDENT, EXPLICIT, OPEN, SORTED, choices_form, columns_of
from .page import live_page, table_page
from .redaction import without_runs
from .titles import ALONE


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


OLDER = "benchdb.table/2"
UNITS = "KMGTPE"
# `depth 8`, `8`, `about 40 %`, `chunk size 64 KiB`.
_NUMBER = re.compile(rf"[a-z _-]*?(\d+(?:\.\d+)?)(?:\s?([{UNITS}]?)i?B|\s%)?")


def upgraded(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """The document with the values that its labels show, null where a label shows no number; a newer one as it is."""
    if document["schema"] != OLDER:
        return document
    groups = [
        {**_with_values(group), "rows": [_with_values(row) for row in group["rows"]]} for group in document["groups"]
    ]
    return {
        **document,
        "schema": SCHEMA,
        "heads": [_with_values(head) for head in document["heads"]],
        "groups": groups,
        "findings": [{**finding, **_about(finding["text"])} for finding in document["findings"]],
        "warnings": [*_alone(document), *document["warnings"]],
    }


def _with_values(part: Mapping[str, Any]) -> dict[str, Any]:
    return {**part, "values": {name: _number(name, label) for name, label in part["parts"].items()}}


def _about(sentence: str) -> dict[str, Any]:
    """The kind of a finding as far as its words show it, and the value of the factor in its subject."""
    subject = sentence.partition(" is ")[0].rpartition(": ")[2]
    return {"kind": "along" if "depend" in sentence or " from " in sentence else "", "values": [subject]}


def _alone(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    left_out = any(note.startswith("Left out: ") for note in document["notes"])
    return [asdict(ALONE)] if left_out and len(document["run_list"]) == 1 else []


def _number(name: str, label: str) -> float | None:
    """The number in a label, sizes in bytes, of a dimension that can have numbers."""
    can = ":" in name or dimension(name).kind != "text"
    match = _NUMBER.fullmatch(label) if can else None
    return None if match is None else float(match[1]) * 1024 ** (UNITS.find(match[2] or " ") + 1)


def _live(query: QueryDict, reader: Reader) -> MadePage:
    selected, asked, show = _shown(query)
    table, choices = evaluate(Selection.from_query(selected), reader)
    pairs = [(name, value) for name, values in selected.lists() for value in values]
    page = live_page(table, choices, asked, pairs, show)
    live = live_parts(table, choices_form(choices, table, show))
    chosen = page["chosen"]
    assert isinstance(chosen, dict)
    return MadePage("compare/table.html", (page, live, since(table)), table, chosen["key"])


def _shown(query: QueryDict) -> tuple[QueryDict, str, list[str]]:
    """The selection, and what a page shows of it: the chosen cell, and whether only some rows, or rounds too."""
    selected = query.copy()
    asked, show = (selected.pop(name, []) for name in (CHOSEN, SHOW))
    return selected, "".join(asked[-1:]), shown_of(show)


def _reads(query: QueryDict, reader: Reader) -> RunQuerySet:
    selection = Selection.from_query(_shown(query)[0])
    return readable(selection.runs, selection.campaigns, reader)


def _evaluate_visible(query: str, runs: Sequence[UUID], reader: Reader) -> tuple[TableContent, int]:
    selection, missing = left_of(Selection.parse(query), reader)
    try:
        return evaluate(selection, reader)[0], missing
    except NothingThere:
        raise
    except ImpossibleSelection:
        if not missing:
            raise
        # Baseline or sorted column may have been deleted with their run; the defaults serve to show the figures.
        return evaluate(replace(selection, baseline="", sort=""), reader)[0], missing


TABLE = ComparisonKind(
    name="table",
    content=TableContent,
    path="compare",
    live=_live,
    settled=lambda query: settle(query, str(query[EARLIER_CHOICES])),
    evaluate=lambda query, reader: evaluate(Selection.from_query(query), reader)[0],
    reads=_reads,
    evaluate_visible=_evaluate_visible,
    cells=cells_as_shown,
    without_runs=without_runs,
    page=table_page,
    body="compare/table_body.html",
    answer="compare/answer.html",
    embedded="compare/table_embedded.html",
    upgraded=upgraded,
)

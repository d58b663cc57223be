"""Comparison tables as a kind of comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from django.http import QueryDict

from benchdb.compare.kind import ComparisonKind, MadePage
from benchdb.compare.page_parts.actions import live_parts
from benchdb.compare.page_parts.menus import EARLIER_CHOICES
from benchdb.compare.page_parts.withdrawn import since
from benchdb.compare.query.errors import ImpossibleSelection, NothingThere
from benchdb.compare.query.selection import Selection
from benchdb.compare.query.visible import left_of, readable
from benchdb.http.requests import Reader
from benchdb.runs.models import RunQuerySet

from .cell_views.chosen_cell import CHOSEN
from .content import TableContent
from .evaluate import evaluate
from .form import choices_form
from .older import upgraded
from .page import live_page, table_page
from .redaction import without_runs
from .settling import settle
from .sorting.differing import SHOW, SHOWN
from .sorting.rows import cells_as_shown


def _live(query: QueryDict, reader: Reader) -> MadePage:
    selected, asked, show = _shown(query)
    table, choices = evaluate(Selection.from_query(selected), reader)
    pairs = [(name, value) for name, values in selected.lists() for value in values]
    page = live_page(table, choices, asked, pairs, show)
    live = live_parts(table, choices_form(choices, table, show))
    return MadePage("compare/table.html", (page, live, since(table)), table, page.chosen["key"])


def _shown(query: QueryDict) -> tuple[QueryDict, str, list[str]]:
    """The selection, and what a page shows of it: the chosen cell, and whether only some rows, or rounds too."""
    selected = query.copy()
    asked, show = (selected.pop(name, []) for name in (CHOSEN, SHOW))
    return selected, "".join(asked[-1:]), [name for name in SHOWN if name in show]


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

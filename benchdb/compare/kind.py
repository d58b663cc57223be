"""The interface of a kind of comparison (table, surface, trend) for permalinks, redaction and exports."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, QueryDict

from .content import Content, Context, Placed


def cell_by_key(context: Context, key: str) -> Context | None:
    """The cell `GROUP-ROW-COLUMN` in the context of a page; None if the page has no table of cells."""
    table = context.get("table")
    if table is None:
        return None
    group, row, column = map(int, key.split("-"))
    cell: Context = table["groups"][group]["rows"][row]["cells"][column]
    return cell


@dataclass(frozen=True)
class ComparisonKind:
    """A kind of comparison; benchdb/compare/kinds.py lists all of them.

    `name` is stored with permalinks and part of the contents' schema (`benchdb.NAME/1`). `path` is the name and the
    path of the live page; files are at `PATH/NAME.FORMAT` under the URL name `NAME-data`.

    `evaluate(query, reader)` returns the content that a query shows to a reader, and raises ImpossibleSelection.
    `evaluate_visible(query, runs, reader)` evaluates the query of a permalink with those of its runs that the reader
    may see, and returns the content and the number of runs without which it was evaluated.

    `cells` yields the measured cells of a content in reading order. `without_runs(content, deleted)` returns the
    content without everything that rests on deleted runs (their ids), or None if no figure is left.

    `frozen_page(content, cell, address)` builds the context of pages of a content; `cell` is the key of the chosen cell
    and `address` that of the page, "" if there is none. The templates `body` and `embedded` show this context on a
    permalink and in an iframe; `head`, if there is one, adds scripts and style sheets to the page, and `embedded_head`
    to the iframe. `cell_of_page(context, key)` finds a cell in the context, `say_row` prints a row label for people.
    """

    name: str
    path: str
    view: Callable[[HttpRequest], HttpResponse]
    evaluate: Callable[[QueryDict, Any], dict[str, Any]]
    evaluate_visible: Callable[[str, Sequence[UUID], Any], tuple[dict[str, Any], int]]
    cells: Callable[[Content], Iterator[Placed]]
    without_runs: Callable[[Content, Collection[str]], dict[str, Any] | None]
    frozen_page: Callable[[Content, str, str], Context]
    body: str
    embedded: str
    head: str = ""
    embedded_head: str = ""
    cell_of_page: Callable[[Context, str], Context | None] = cell_by_key
    say_row: Callable[[str], str] = str

"""The template context of the list of runs: rows, columns, and messages for an empty list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from benchdb.runs.models import Run, State

from .columns import COLUMNS, USUAL, ListColumn
from .headlines import Overview
from .query import EVERY_RUN, PAGING, Parameter, RunListQuery
from .search import MOST_CHOSEN, RunPage

Context = dict[str, Any]

LONGEST_COMMAND = 60


def address(pairs: Sequence[Parameter]) -> str:
    """The address of the list of runs with this query string."""
    path = reverse("runs")
    return f"{path}?{urlencode(pairs)}" if pairs else path


def runs_table(page: RunPage, overviews: Mapping[Any, Overview], list_query: RunListQuery = EVERY_RUN) -> Context:
    """The context of web/partials/runs_table.html."""
    columns = [COLUMNS[name] for name in list_query.columns]
    newest = not list_query.sort
    return {
        "head": {"label": "Workload", **_sorted_by("tool", list_query)},
        "columns": [
            {"label": column.label, "number": column.number, **_sorted_by(column.sort, list_query)}
            for column in columns
        ],
        "rows": [run_row(run, overviews.get(run.id), columns) for run in page.runs],
        "next": f"{reverse('runs')}?{page.next_query}" if page.next_query else None,
        "next_text": "Older runs" if newest else "More runs",
        "first": address(list_query.pairs(without=PAGING)) if list_query.after else None,
        "first_text": "Newest runs" if newest else "First page",
        "compare": reverse("compare"),
    }


def label_of(run: Run) -> str:
    """The name of a run in the tray and for screen readers."""
    return f"{run.tool} on {run.target.file_system or 'unknown'}, {run.machine.name}"


def arguments_of(run: Run) -> str:
    """The arguments of the tool, which distinguish its runs; cut after `LONGEST_COMMAND` characters."""
    arguments = " ".join(run.command[1:])
    return arguments if len(arguments) <= LONGEST_COMMAND else arguments[: LONGEST_COMMAND - 1] + "…"


def choose_all(list_query: RunListQuery, total: int, page: RunPage) -> Context | None:
    """The context of "Choose all 76 runs"; None if the runs fit on one page or are too many for one comparison."""
    if total > MOST_CHOSEN or not (page.next_query or list_query.after):
        return None
    query = urlencode(list_query.filters)
    return {"href": f"{reverse('runs-all')}?{query}", "data": f"{reverse('runs-all-data')}?{query}", "total": total}


def run_row(run: Run, overview: Overview | None, columns: Sequence[ListColumn]) -> Context:
    """One row of the table."""
    return {
        "id": run.id,
        "href": run.get_absolute_url(),
        "label": label_of(run),
        "title": run.tool,
        "subtitle": arguments_of(run),
        "ready": run.runstate.state == "ready",
        "cells": [_cell(run, overview, column) for column in columns],
    }


def _cell(run: Run, overview: Overview | None, column: ListColumn) -> Context:
    """A cell, also for narrow screens: there `minor` cells are hidden, and a `label` replaces the head of the column.

    The usual columns need no label. The state is minor only if the run is ready.
    """
    cell = column.cell(run, overview)
    minor = column.name in ("results", "rounds") or cell.get("state") == State.READY
    return {"number": column.number, "label": "" if column.name in USUAL else column.label, "minor": minor, **cell}


def _sorted_by(name: str, list_query: RunListQuery) -> Context:
    """`href` sorts by the column, or reverses the present order of it; `sorted` is for `aria-sort`.

    The first click on a column of times sorts the latest first.
    """
    if not name:
        return {"href": None, "sorted": None}
    down = list_query.sort == f"-{name}"
    up = list_query.sort == name
    turned = f"-{name}" if up or (name == "started" and not down) else name
    pairs = replace(list_query, sort=turned).pairs(without=PAGING)
    return {"href": address(pairs), "sorted": "ascending" if up else "descending" if down else None}


def nothing(*, filtering: bool, paging: bool, anonymous: bool, reads_only: bool) -> Context:
    """The context of web/partials/message.html for an empty list; `reads_only` for a viewer."""
    if paging:
        return _message(
            "No older runs", "The list ends before this page.", next=[_link("Newest runs", reverse("runs"))]
        )
    if filtering:
        text = "Take a filter away, or clear all of them."
        return _message("No run matches", text, next=[_link("Show all runs", reverse("runs"))])
    text = "The agent measures on a test machine and sends its runs here. Two lines fetch and start it."
    links = [_link("Measure a machine", reverse("agent"))]
    if not reads_only:
        links.append(_link("Import what tools printed", reverse("imports")))
    if anonymous:
        links.append(_link("Sign in to see your own runs", reverse("login")))
    return _message("No runs yet", text, next=links)


def _message(title: str, text: str, **fields: Any) -> Context:
    return {"title": title, "text": text, "command": None, "next": [], **fields}


def _link(text: str, href: str) -> dict[str, str]:
    return {"text": text, "href": href}

"""The list of runs as its page shows it: rows and columns, and what to do where there is nothing to list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from benchdb.runs.models import Run, State

from .columns import COLUMNS, USUAL, Column
from .headlines import Overview
from .query import PAGING, UNASKED, Asked, Pair
from .search import MOST_CHOSEN, Page

Context = dict[str, Any]

LONGEST_COMMAND = 60


def address(pairs: Sequence[Pair]) -> str:
    """The list of runs with this query string."""
    here = reverse("runs")
    return f"{here}?{urlencode(pairs)}" if pairs else here


def runs_table(page: Page, overviews: Mapping[Any, Overview], asked: Asked = UNASKED) -> Context:
    """The context of web/partials/runs_table.html."""
    columns = [COLUMNS[name] for name in asked.columns]
    newest = not asked.sort
    return {
        "head": {"label": "Workload", **_sorted_by("tool", asked)},
        "columns": [{"label": each.label, "number": each.number, **_sorted_by(each.sort, asked)} for each in columns],
        "rows": [run_row(run, overviews.get(run.id), columns) for run in page.runs],
        "next": f"{reverse('runs')}?{page.next_query}" if page.next_query else None,
        "next_text": "Older runs" if newest else "More runs",
        "first": address(asked.pairs(without=PAGING)) if asked.after else None,
        "first_text": "Newest runs" if newest else "First page",
        "compare": reverse("compare"),
    }


def label_of(run: Run) -> str:
    """What the tray and screen readers call a run."""
    return f"{run.tool} on {run.target.file_system or 'unknown'}, {run.machine.name}"


def arguments_of(run: Run) -> str:
    """What the tool was started with, which tells its runs apart; of long ones the begin."""
    arguments = " ".join(run.command[1:])
    return arguments if len(arguments) <= LONGEST_COMMAND else arguments[: LONGEST_COMMAND - 1] + "…"


def choose_all(asked: Asked, total: int, page: Page) -> Context | None:
    """The context of "Choose all 76 runs": where they do not stand on one page, and one comparison takes them."""
    if total > MOST_CHOSEN or not (page.next_query or asked.after):
        return None
    query = urlencode(asked.filters)
    return {"href": f"{reverse('runs-all')}?{query}", "data": f"{reverse('runs-all-data')}?{query}", "total": total}


def run_row(run: Run, overview: Overview | None, columns: Sequence[Column]) -> Context:
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


def _cell(run: Run, overview: Overview | None, column: Column) -> Context:
    """For rows of two lines: `minor` is left out there; `label` says what an unusual column is, as they have no heads.

    A run that is not ready is worth saying.
    """
    cell = column.cell(run, overview)
    minor = column.name in ("results", "rounds") or cell.get("state") == State.READY
    return {"number": column.number, "label": "" if column.name in USUAL else column.label, "minor": minor, **cell}


def _sorted_by(name: str, asked: Asked) -> Context:
    """`href` sorts by a column, or the other way round where it is sorted by it; `sorted` is for `aria-sort`.

    Of times people look for the latest first.
    """
    if not name:
        return {"href": None, "sorted": None}
    down = asked.sort == f"-{name}"
    up = asked.sort == name
    turned = f"-{name}" if up or (name == "started" and not down) else name
    pairs = replace(asked, sort=turned).pairs(without=PAGING)
    return {"href": address(pairs), "sorted": "ascending" if up else "descending" if down else None}


def nothing(*, filtering: bool, paging: bool, anonymous: bool, reads_only: bool) -> Context:
    """The context of web/partials/message.html where no run is listed; `reads_only`: for a viewer."""
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

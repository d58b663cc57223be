"""The template context of the list of runs: rows, columns, and messages for an empty list."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlencode
from uuid import UUID

from django.urls import reverse

from benchdb.facts.names import NO_WORK, differing_parameters, parameters_in_words
from benchdb.runs.models import UNFINISHED, Run, State
from benchdb.wording.numbers import say_number
from benchdb.wording.words import cut

from .apart import Apart, apart, columns_of
from .columns import USUAL, ListCell, ListColumn
from .headlines import Overview
from .query import EVERY_RUN, PAGING, Parameter, RunListQuery
from .recent_campaigns import RecentCampaign
from .search import MOST_CHOSEN, RunPage

LONGEST_WORKLOAD = 60
MOST_OWN_WORDS = 20  # of the name of a run


def address(pairs: Sequence[Parameter]) -> str:
    """The address of the list of runs with this query string."""
    path = reverse("runs")
    return f"{path}?{urlencode(pairs)}" if pairs else path


def runs_table(
    page: RunPage, overviews: Mapping[UUID, Overview], list_query: RunListQuery = EVERY_RUN
) -> dict[str, object]:
    """The runs of a page with the columns of the query, for web/partials/runs_table.html.

    `next` and `first` are addresses, None if there is no such page. `awaited` is the first run whose statistics are not
    computed yet, `same` are the values of columns that are left out because all rows have them.
    """
    differing = apart(page.runs, page.machines)
    columns, same = columns_of(list_query, page, overviews, differing)
    newest, rows = not list_query.sort, _rows(page, overviews, columns, differing)
    return {
        "head": _head("Workload", "tool", list_query),
        "columns": [_head(column.label, column.sort, list_query, number=column.number) for column in columns],
        "rows": rows,
        "awaited": next((row for row in rows if row["state"] in UNFINISHED), None),
        "next": f"{reverse('runs')}?{page.next_query}" if page.next_query else None,
        "next_text": "Older runs" if newest else "More runs",
        "first": address(list_query.pairs(without=PAGING)) if list_query.after else None,
        "first_text": "Newest runs" if newest else "First page",
        "compare": reverse("compare"),
        "same": same,
    }


def labels_of(runs: Sequence[Run]) -> dict[UUID, str]:
    """The name of each run in the tray and for screen readers: `iozone on ext4, no sync, epyc-2`.

    It has the parameters in which the runs of one tool differ.
    """
    differing = _differing(runs)
    return {
        run.id: ", ".join(
            [
                f"{run.tool} on {run.target.file_system or 'unknown'}",
                *(
                    cut(words, LONGEST_WORKLOAD)
                    for words in parameters_in_words(
                        {name: run.parameters.get(name) for name in sorted(differing[run.tool])}
                    )[:MOST_OWN_WORDS]
                ),
                run.machine.name,
            ]
        )
        for run in runs
    }


def workloads_of(runs: Sequence[Run]) -> dict[UUID, str]:
    """The workload of each run in words, those parameters first in which the runs of one tool differ.

    The arguments of the tool if its parameters are unknown. Cut after `LONGEST_WORKLOAD` characters.
    """
    differing = _differing(runs)
    return {run.id: cut(workload_of(run, differing[run.tool]), LONGEST_WORKLOAD) for run in runs}


def workload_of(run: Run, first: Collection[str] = ()) -> str:
    """The parameters of a run in words, those in `first` before the others; else the arguments of its tool."""
    return " · ".join(parameters_in_words(run.parameters, first)) or " ".join(run.command[1:])


def _differing(runs: Sequence[Run]) -> dict[str, set[str]]:
    """By tool the parameters in which these runs differ."""
    by_tool: dict[str, list[Mapping[str, object]]] = defaultdict(list)
    for run in runs:
        by_tool[run.tool].append(run.parameters)
    return {tool: differing_parameters(parameters) - NO_WORK for tool, parameters in by_tool.items()}


def choose_all(list_query: RunListQuery, total: int, page: RunPage) -> dict[str, object] | None:
    """All runs of the list; None if the runs fit on one page or are too many for one comparison."""
    if total > MOST_CHOSEN or not (page.next_query or list_query.after):
        return None
    query = urlencode(list_query.filters)
    # "Choose all 76 runs": `href` compares them, `data` has their ids.
    return {"href": f"{reverse('runs-all')}?{query}", "data": f"{reverse('runs-all-data')}?{query}", "total": total}


def over_time(list_query: RunListQuery, machines: Mapping[str, str]) -> dict[str, object] | None:
    """The trend of the machine, and of the tool, by which the list is filtered; None without one machine."""
    chosen = list_query.facets.get("machine", ())
    machine = str(chosen[0]) if len(chosen) == 1 else ""
    if machine not in machines:
        return None
    tools = [("tool", tool) for tool in list_query.facets.get("tool", ())[:1] if tool]
    query = urlencode([("machine", machine), *tools])
    return {"text": f"{machines[machine]} over time", "href": f"{reverse('trend')}?{query}"}


def _rows(
    page: RunPage, overviews: Mapping[UUID, Overview], columns: Sequence[ListColumn], differing: Apart
) -> list[dict[str, object]]:
    runs = page.runs
    labels, workloads = labels_of(runs), workloads_of(runs)
    # A run: `label` names it in the tray and for screen readers; `state` with its `reason` is "" if it is
    # ready.
    rows: dict[UUID, dict[str, object]] = {
        run.id: {
            "id": run.id,
            "href": run.get_absolute_url(),
            "label": labels[run.id],
            "title": run.tool,
            "subtitle": " · ".join(filter(None, [differing["workload"][run.id], workloads[run.id]])),
            "state": "" if run.runstate.state == State.READY else run.runstate.state,
            "reason": run.runstate.failure or "",
            "cells": [
                _cell(run, overviews.get(run.id), column, differing.get(column.name, {}).get(run.id, ""))
                for column in columns
            ],
        }
        for run in runs
    }
    rows |= {newest: _campaign_row(campaign, columns) for newest, campaign in page.campaigns.items()}
    return [rows[run] for run in page.order or rows]


def _campaign_row(campaign: RecentCampaign, columns: Sequence[ListColumn]) -> dict[str, object]:
    """The runs of one tool in a campaign as one row: it leads to their comparison, and to these runs."""
    own = address([("tool", campaign.tool), ("campaign", str(campaign.campaign))])
    ways = [(f"Compare {campaign.runs} runs", campaign.href), ("Show them", own)]
    cells = {
        "file_system": ListCell(campaign.file_systems),
        "machine": ListCell(campaign.machines),
        "headline": ListCell(campaign.answer, links=ways),
        "results": ListCell(say_number(campaign.results, 0)),
        "rounds": ListCell(str(campaign.rounds or "–")),
        "started": ListCell(time=campaign.started_at),
    }
    return {
        "href": campaign.href,
        "title": campaign.tool,
        "subtitle": " · ".join(filter(None, [campaign.plan, campaign.parameters])),
        "state": "",
        "cells": [
            {"number": column.number, "label": "", "minor": column.number, "value": cells[column.name]}
            for column in columns
        ],
    }


def _cell(run: Run, overview: Overview | None, column: ListColumn, differing: str) -> dict[str, object]:
    """A cell with the settings in which the run differs from its neighbours in its note."""
    value = column.cell(run, overview)
    value = replace(value, note=" · ".join(filter(None, [value.note, differing])))
    minor = column.name in ("results", "rounds") or value.state == State.READY
    # A cell, also for narrow screens: there `minor` cells are hidden, and a `label` replaces the head of the column.
    # The usual columns need no label.
    return {
        "number": column.number,
        "label": "" if column.name in USUAL else column.label,
        "minor": minor,
        "value": value,
    }


def _head(label: str, name: str, list_query: RunListQuery, *, number: bool = False) -> dict[str, object]:
    """The head of the column with this sort key; the first click on a column of times sorts the latest first."""
    if not name:
        return {"label": label, "href": None, "sorted": None, "number": number}
    down = list_query.sort == f"-{name}"
    up = list_query.sort == name
    turned = f"-{name}" if up or (name == "started" and not down) else name
    pairs = replace(list_query, sort=turned).pairs(without=PAGING)
    return {
        "label": label,
        "href": address(pairs),
        "sorted": "ascending" if up else "descending" if down else None,
        "number": number,
    }


def nothing(*, filtering: bool, paging: bool, anonymous: bool, reads_only: bool) -> dict[str, object]:
    """The message in place of an empty list; `reads_only` for a viewer."""
    if paging:
        return {
            "title": "No older runs",
            "text": "The list ends before this page.",
            "next": [{"text": "Newest runs", "href": reverse("runs")}],
        }
    if filtering:
        text = "Remove a filter, or clear all filters."
        return {
            "title": "No run matches",
            "text": text,
            "next": [{"text": "Show all runs", "href": reverse("runs")}],
        }
    text = "The agent measures on a test machine and sends its runs here. Two commands download and start it."
    links = [{"text": "Measure a machine", "href": reverse("agent")}]
    if not reads_only:
        links.append({"text": "Import output", "href": reverse("imports")})
    if anonymous:
        links.append({"text": "Sign in to see your own runs", "href": reverse("login")})
    return {"title": "No runs yet", "text": text, "next": links}

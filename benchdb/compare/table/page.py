"""The contexts of the pages of tables."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.urls import reverse

from benchdb.compare.guard.levels import LOADS, possible_levels
from benchdb.compare.kind import PageOptions
from benchdb.compare.page_parts.differences import show_differences
from benchdb.compare.page_parts.titles import page_of
from benchdb.compare.query.selection import encode
from benchdb.compare.table.answer.present import TableAnswer, table_answer
from benchdb.compare.table.cell_views.chosen_cell import CHOSEN, NOT_SAMPLED, show_chosen
from benchdb.compare.table.cell_views.surface_links import Surfaces, surface_links, surfaces_of
from benchdb.compare.table.charts.shown import charts_of, show_charts
from benchdb.compare.table.sorting.differing import ROUNDS, SHOW, cell_filters, only_filtered, row_filter, with_turned
from benchdb.compare.table.sorting.rows import SORT
from benchdb.http.requests import Reader
from benchdb.runs.listing.recent_campaigns import recent_campaigns, with_answers
from benchdb.runs.models import Run, RunQuerySet
from benchdb.runs.quantities.loads import LEAST_LEVELS, THROUGHPUTS
from benchdb.runs.store.round_totals import runs_with_totals
from benchdb.wording.sizes import unbroken
from benchdb.wording.times import known_time
from benchdb.wording.words import LONGEST_PARAMETERS, cut, params_in_words

from . import present
from .complete import Choices
from .content import TableContent
from .grid import Grid, grid_of
from .side_by_side import leading_columns, side_by_side

Pairs = Sequence[tuple[str, str]]


def empty(reader: Reader) -> dict[str, object]:
    """The page without a selection."""
    listed = Run.objects.listed_for(reader)
    campaigns = with_answers(recent_campaigns(listed, reader), reader)
    return {"campaigns": campaigns, "sets": comparable_sets(listed), "section": "compare"}


def live_page(
    content: TableContent, choices: Choices, asked: str, pairs: Pairs, show: Sequence[str] = ()
) -> dict[str, object]:
    """The page of a live table; `pairs` are its address, `asked` the chosen cell, `show` what else is to be seen."""
    surfaces = surfaces_of(choices.quantities)
    links = surface_links(content, surfaces, choices.places["metric"])
    panels = f"{reverse('compare-panels')}?{content.query}"
    of_display = [*([(CHOSEN, asked)] if asked else []), *((SHOW, name) for name in show)]
    unsorted = [*(pair for pair in pairs if pair[0] != SORT), *of_display]
    options = PageOptions(asked, reverse("compare"), panels, sortable=unsorted, show=show)
    return table_page(content, options, pairs, surfaces, links, sampled_runs(content), response_of(choices))


def sampled_runs(content: TableContent) -> set[str]:
    """The runs of a table that have samples of the machine; one query."""
    return {str(run) for run in runs_with_totals(UUID(line.id) for line in content.run_list)}


def table_page(
    content: TableContent,
    options: PageOptions,
    pairs: Pairs = (),
    surfaces: Surfaces | None = None,
    links: Mapping[str, str] | None = None,
    sampled: Collection[str] = NOT_SAMPLED,
    response: str | None = None,
) -> dict[str, object]:
    """The page of a table: everything in its content. Only a live page has `pairs` after its address, surfaces, and
    runs with samples of the machine.
    """
    grid = grid_of(content)
    answer = table_answer(grid)
    labels = [group.label for group in content.groups if group.metric is None]  # of one unit each
    shown = present.show_table(grid, options, answer.series if answer else None)
    table = side_by_side(leading_columns(content, only_filtered(grid, shown, options.show)), labels)
    chosen = [*pairs, *([(CHOSEN, options.chosen)] if options.chosen else [])]
    unchosen = urlencode([*pairs, *((SHOW, name) for name in options.show)])
    address = f"{options.address}?{unchosen}" if unchosen else options.address
    return page_of(
        content,
        _first_words(content, answer),
        answer=answer,
        chosen=show_chosen(grid, surfaces or {}, options.chosen, address, sampled),
        table=table,
        shown_rows=row_filter(table, options.address, chosen, options.show) if options.address else None,
        filters=cell_filters(grid, options.address, chosen, options.show) if options.address else [],
        rounds=_rounds_link(options, chosen),
        charts=show_charts(grid, options.show),
        chart_links=_chart_links(grid, options, chosen),
        findings=show_findings(content),
        differences=show_differences(content),
        shared=content.shared,
        warnings=[warning for warning in present.show_warnings(content) if not (answer and warning.severe)],
        notes=present.notes(grid),
        legend=present.show_legend(grid, table),
        geometric_means=present.show_geometric_means(content),
        recomputing=len(content.recomputing),
        runs=present.show_runs(content, links or {}),
        runs_head=present.runs_head(content),
        response=response,
    )


def _rounds_link(options: PageOptions, pairs: Pairs) -> dict[str, object] | None:
    """The link that shows the rounds of each cell as dots, or hides them."""
    if not options.address:
        return None
    text = "Hide rounds" if ROUNDS in options.show else "Show rounds"
    return {"text": text, "href": with_turned(options.address, pairs, options.show, ROUNDS)}


def _chart_links(grid: Grid, options: PageOptions, pairs: Pairs) -> list[dict[str, object]]:
    """The links to the charts of a table, which an address shows only if it says so."""
    if not options.address:
        return []
    names = charts_of(grid)
    elsewhere = {name: with_turned(options.address, pairs, options.show, name) for name in names}
    return [
        {"text": name.capitalize(), "href": f"{'' if name in options.show else elsewhere[name]}#{name}"}
        for name in names
    ]


def _first_words(content: TableContent, answer: TableAnswer | None) -> str:
    """The answer; without one, the first finding."""
    if answer is not None:
        return answer.sentence
    return content.findings[0].text if content.findings else ""


def response_of(choices: Choices) -> str | None:
    """The address of the curves of the table's runs; None if they have no levels of load, or no latencies."""
    quantities, asked = choices.quantities, choices.asked
    mask = quantities.having("test", choices.places["test"])
    metrics = quantities.values("metric", mask)
    throughput = next((name for name in THROUGHPUTS if name in metrics), None)
    if throughput is None or not any(str(name).startswith("latency_") for name in metrics):
        return None
    levels = possible_levels(choices.runs, quantities, mask & quantities.having("metric", [throughput]))
    if not any(levels.get(name, 0) >= LEAST_LEVELS for name in LOADS):
        return None
    kept = {name: values for name, values in asked.filters.items() if name not in ("metric", "params", *levels)}
    runs = [("run", str(run)) for run in asked.runs] + [("campaign", str(each)) for each in asked.campaigns]
    return f"{reverse('response')}?{encode([*runs, *((name, value) for name in kept for value in kept[name])])}"


SHOWN = 3  # the rest is folded
MOST_CELLS = 60  # of one finding, to highlight; more is the whole table


def show_findings(content: TableContent) -> list[dict[str, object]]:
    """The findings; those after the first few are folded."""
    # For web/partials/findings.html: the link jumps to the first of its `cells` (anchors).
    return [
        {
            "text": unbroken(finding.text),
            "href": f"#c{finding.cells[0]}" if finding.cells else None,
            "cells": " ".join(f"c{key}" for key in finding.cells[:MOST_CELLS]),
            "folded": index >= SHOWN,
        }
        for index, finding in enumerate(content.findings)
    ]


LATEST_RUNS = 500
MOST_LISTED = 12
MOST_RUNS = 12  # of one set: the newest of each target


def comparable_sets(listed: RunQuerySet) -> list[dict[str, object]]:
    """Sets among the latest runs that belong to no campaign, newest first; one query."""
    columns = ("id", "machine_id", "machine__name", "tool", "parameters", "target_id", "target__file_system")
    times = ("started_at", "finished_at")
    latest = listed.filter(campaign_id=None).order_by("-id").values(*columns, *times)[:LATEST_RUNS]
    by_workload: dict[tuple[object, ...], dict[object, dict[str, Any]]] = {}
    for run in latest:
        workload = (run["machine_id"], run["tool"], json.dumps(run["parameters"], sort_keys=True))
        by_workload.setdefault(workload, {}).setdefault(run["target_id"], run)  # the newest run of each target
    several = [list(runs.values())[:MOST_RUNS] for runs in by_workload.values() if len(runs) > 1]
    return [_describe(runs) for runs in several[:MOST_LISTED]]


def _describe(runs: list[dict[str, Any]]) -> dict[str, object]:
    # Sorted by name, so that sets of the same file systems look alike, then by time.
    in_order = sorted(runs, key=lambda run: (_file_system(run), run["id"]))  # an id begins with its time
    names = dict.fromkeys(map(_file_system, in_order))
    # Runs for compare/sets.html: the address of their table, and what they have in common in words.
    return {
        "href": f"{reverse('compare')}?{urlencode([('run', str(run['id'])) for run in in_order])}",
        "tool": in_order[0]["tool"],
        "parameters": cut(", ".join(params_in_words(in_order[0]["parameters"])), LONGEST_PARAMETERS),
        "runs": len(runs),
        "file_systems": ", ".join(names),
        "machines": in_order[0]["machine__name"],
        "started_at": known_time(runs[0]["started_at"], runs[0]["finished_at"]),
    }


def _file_system(run: dict[str, Any]) -> str:
    return run["target__file_system"] or "unknown"

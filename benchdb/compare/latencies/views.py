"""The addresses of the overlaid distributions: a page, and files of the same."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from typing import cast
from urllib.parse import urlencode

import numpy as np
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_safe

from benchdb.compare.page_parts.impossible import impossible, impossible_as_text
from benchdb.compare.page_parts.titles import title_line
from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.table.cell_views.chosen_cell import CHOSEN
from benchdb.compare.table.grid import Grid
from benchdb.http.rendering import render_page
from benchdb.runs.distributions.section import SHARES, UNIT, say_bounds, say_latency
from benchdb.stats import Cells, Correction
from benchdb.stats.distributions.percentiles import LEAST_BEYOND, LEAST_ROUNDS, shown_shares
from benchdb.stats.distributions.tails import compare_tails, tail_values, tails_of
from benchdb.wording.changes import change_and_interval
from benchdb.wording.colours import SERIES
from benchdb.wording.formulas import write_csv
from benchdb.wording.numbers import plural
from benchdb.wording.words import percentile_name

from .curves import curves_of
from .evaluate import measured_cell
from .measured import MeasuredRival, percentiles_of


@require_safe
def page_of_query(request: HttpRequest) -> HttpResponse:
    """The distributions of a cell and its rivals: the query is that of the table, `cell` is the key of the cell.

    404 if the table has no such cell, or none of the rivals has distributions.
    """
    try:
        found = measured_cell(request.GET, request.user)
    except ImpossibleSelection as error:
        return impossible(request, error)
    return render_page(request, "compare/latencies.html", latencies_page(*found))


@require_safe
def file_of_query(request: HttpRequest, form: str) -> HttpResponse:
    """The same as a file of one of the formats in `FILES`."""
    if form not in FILES:
        raise Http404
    try:
        found = measured_cell(request.GET, request.user)
    except ImpossibleSelection as error:
        return impossible_as_text(error)
    media_type, write = FILES[form]
    content = write(found.rivals, found.table.others(found.cells[0]))
    headers = {"Content-Disposition": f'attachment; filename="latencies.{form}"'}
    return HttpResponse(content, content_type=f"{media_type}; charset=utf-8", headers=headers)


def latencies_page(table: Grid, cells: Sequence[int], rivals: Sequence[MeasuredRival], query: str) -> dict[str, object]:
    """The page of the rivals among these cells, at least one. `query` is the address of their table."""
    baseline = rivals[0] if rivals[0].cell.baseline and len(rivals) > 1 else None
    left_out = len(cells) - len(rivals)
    chosen = f"{query}&{urlencode({CHOSEN: table.keys[cells[0]]})}"
    # The context of compare/latencies.html. `files` are the names of their formats and their addresses, `verdicts` the
    # sentences on tails, by rival. `baseline` is the label of the first rival if the others are compared with it.
    # `left_out` counts rivals without distributions or beyond `MOST_CURVES`.
    return {
        "title": title_line(table.content),
        "others": table.others(cells[0]),
        "table": f"{reverse('compare')}?{chosen}",
        "files": [(form.upper(), f"{reverse('compare-latencies-file', args=[form])}?{chosen}") for form in FILES],
        "curves": curves_of(rivals),
        "lines": _lines(rivals, baseline),
        "unit": UNIT.name,
        "verdicts": [(each.label, each.cell.tail.why) for each in rivals if each.cell.tail],
        "baseline": baseline.label if baseline else None,
        "left_out": f"Not drawn: {plural(left_out, 'cell')}." if left_out else "",
        "least_beyond": LEAST_BEYOND,
        "least_rounds": LEAST_ROUNDS,
        "section": "compare",
    }


def _lines(rivals: Sequence[MeasuredRival], baseline: MeasuredRival | None) -> list[dict[str, object]]:
    columns = [_column(rival, baseline if rival is not baseline else None) for rival in rivals]
    return [
        {"name": percentile_name(100 * share), "cells": [column[i] for column in columns]}
        for i, share in enumerate(SHARES)
        if any(column[i] for column in columns)
    ]


def _column(rival: MeasuredRival, baseline: MeasuredRival | None) -> list[dict[str, object] | None]:
    """The percentile of each of `SHARES`, compared with the baseline if its rounds show it too."""
    figures = percentiles_of(rival)
    changes = _changes(rival, baseline) if baseline else [None] * len(SHARES)
    found: list[dict[str, object] | None] = [None] * len(SHARES)
    for i, figure in enumerate(figures.latency):
        change, change_interval = changes[i] or (None, None)
        found[i] = {
            "figure": say_latency(figure),
            "interval": None if figures.bounds is None else say_bounds(figures.bounds, i),
            "change": change,
            "change_interval": change_interval,
        }
    return found


def _changes(rival: MeasuredRival, baseline: MeasuredRival) -> list[tuple[str, str] | None]:
    """The change of each percentile with its interval, for the shares that every round of both sides shows."""
    sides = [tails_of(each.results, SHARES) for each in (rival, baseline)]
    common = len(shown_shares(min(result.least for side in sides for result in side), SHARES))
    if not common:
        return [None] * len(SHARES)
    samples = [np.array([tail_values(side, i) for i in range(common)]) for side in sides]
    compared = compare_tails(*(Cells.of_values(sample) for sample in samples), correction=Correction.UNCORRECTED)
    ratios = zip(compared.ratio.tolist(), compared.interval.low.tolist(), compared.interval.high.tolist(), strict=True)
    changes = [None if np.isnan(ratio).any() else change_and_interval("latency_percentile", *ratio) for ratio in ratios]
    return [*changes, *([None] * (len(SHARES) - common))]


_LEGEND, _LINE, _PLOT = 46, 20, 340  # pixels: the first line of the legend, its lines, the plot with its labels


def _csv(rivals: Sequence[MeasuredRival], _others: str) -> str:
    """A line for each rival and percentile: latency in seconds with its 95 % interval, rounds, operations."""
    text = io.StringIO()
    write_csv(text, [["label", "share", "latency_s", "low_s", "high_s", "rounds", "operations"]])
    for rival in rivals:
        counts = [len(rival.distribution.rounds), int(rival.distribution.operations.sum())]
        found = percentiles_of(rival)
        for i, (share, latency) in enumerate(zip(found.shares, found.latency, strict=True)):
            ends = [f"{end[i]:.9g}" for end in (found.bounds.low, found.bounds.high)] if found.bounds else ["", ""]
            write_csv(text, [[rival.label, share, f"{latency:.9g}", *ends, *counts]])
    return text.getvalue()


def _svg(rivals: Sequence[MeasuredRival], others: str) -> str:
    """The curves, with a legend of a line for each rival above them."""
    plot = curves_of(rivals)
    top = _LEGEND + _LINE * len(rivals)
    content = {
        "others": others,
        "plot": plot,
        "colours": list(enumerate(SERIES, 1)),
        "legend": [
            (_LEGEND + _LINE * i, curve) for i, curve in enumerate(cast("list[dict[str, object]]", plot["curves"]))
        ],
        "top": top,
        "height": top + _PLOT,
    }
    return render_to_string("compare/latencies.svg", content)


# The media type of each kind of file, and what writes it from the rivals and what they have in common.
FILES: Mapping[str, tuple[str, Callable[[Sequence[MeasuredRival], str], str]]] = {
    "csv": ("text/csv", _csv),
    "svg": ("image/svg+xml", _svg),
}

"""The page of one result: all its figures and facts."""

from __future__ import annotations

from typing import Any

from benchdb.runs.cells.cell import cells_of
from benchdb.runs.cells.cell_context import headline
from benchdb.runs.cells.links import line_href, run_href, trend_href
from benchdb.runs.cells.panel import cell_facts, exact
from benchdb.runs.cells.strip_plot import LARGE, strip_of
from benchdb.runs.facts import terms as facts
from benchdb.runs.models import Run
from benchdb.runs.queries import Measured
from benchdb.wording.numbers import decimals_of, say_number
from benchdb.wording.sizes import unbroken
from benchdb.wording.units import UNITS, default_unit
from benchdb.wording.words import command_line, metric_label

from .results import title
from .run import title_of

Context = dict[str, Any]


def result_context(run: Run, result: Measured) -> Context:
    """The context of `runs/result.html`."""
    unit = UNITS[default_unit(result.metric)]
    (cell,) = cells_of([result], unit, {run.id: run})
    number_or_reason = headline(cell, unit)
    decimals = decimals_of(cell.mean, cell.sd, cell.n, unit)
    values = result.values or []
    sources = result.source or [None] * len(values)
    hrefs = [line_href(str(run.id), source) if source else None for source in sources]
    return {
        "section": "runs",
        "run": run,
        "title": title_of(run),
        "heading": unbroken(title(result)),
        "metric": metric_label(result.metric),
        "headline": f"Failed: {number_or_reason}" if cell.status == "failed" else number_or_reason,
        # Without an error that the headline already has in full.
        "facts": [
            facts.fact(term, text)
            for term, text in cell_facts(cell, unit)
            if (term, text) != ("error", number_or_reason)
        ],
        "strip": strip_of(cell, unit, LARGE, hrefs),
        "command": command_line(run.command),
        "unit": unit.name,
        "values": [
            {
                "round": number,
                "text": None if value is None else say_number(value / unit.per, decimals),
                "exact": None if value is None else exact(value, unit),
                "outlier": number - 1 in cell.outliers,
                "line": source and source["line"],
                "href": href,
                "error": run.rounds[number - 1].get("error"),
            }
            for number, (value, source, href) in enumerate(zip(values, sources, hrefs, strict=False), start=1)
        ],
        "back": run_href(str(run.id)),
        "trend": trend_href(result),
    }

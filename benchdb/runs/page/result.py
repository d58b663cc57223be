"""The page of one result: all its figures and facts."""

from __future__ import annotations

from django.urls import reverse

from benchdb.facts.stored import StoredRound
from benchdb.runs.cells.cell import cells_of
from benchdb.runs.cells.cell_context import headline
from benchdb.runs.cells.links import line_href, run_href, trend_href
from benchdb.runs.cells.panel import cell_facts, exact, own_name_fact
from benchdb.runs.cells.strip_plot import LARGE, strip_of
from benchdb.runs.distributions.files import FILES
from benchdb.runs.distributions.reading import PackedRounds
from benchdb.runs.distributions.section import distribution_section
from benchdb.runs.facts import terms as facts
from benchdb.runs.models import Run
from benchdb.runs.queries import Measured
from benchdb.wording.numbers import decimals_of, say_number
from benchdb.wording.sizes import unbroken
from benchdb.wording.units import UNITS, default_unit
from benchdb.wording.words import command_line, metric_label

from .results import title
from .run_title import title_of


def result_page(run: Run, result: Measured, packed: PackedRounds | None) -> dict[str, object]:
    """The page of one result; `packed` are the distributions of its rounds, if it has any."""
    unit = UNITS[default_unit(result.metric)]
    (cell,) = cells_of([result], unit, {run.id: run})
    number_or_reason = headline(cell, unit)
    decimals = decimals_of(cell.mean, cell.sd, cell.n, unit)
    values = result.values or []
    sources = result.source or [None] * len(values)
    rounds: list[StoredRound] = run.rounds
    hrefs = [line_href(str(run.id), source) if source else None for source in sources]
    # The context of runs/result.html; `strip` is that of web/partials/strip.html, None with too few values.
    return {
        "run": run,
        "title": title_of(run),
        "heading": unbroken(title(result)),
        "metric": metric_label(result.metric),
        "headline": f"Failed: {number_or_reason}" if cell.status == "failed" else number_or_reason,
        # Without an error that the headline already has in full.
        "facts": [
            facts.fact(term, text)
            for term, text in (*own_name_fact(run.tool, result.test), *cell_facts(cell, unit))
            if (term, text) != ("error", number_or_reason)
        ],
        "strip": strip_of(cell, unit, LARGE, hrefs),
        "command": command_line(run.command),
        "unit": unit.name,
        "values": [
            # The value of a round, counted from 1; `text` and `exact` are None if the round has none.
            {
                "round": number,
                "text": None if value is None else say_number(value / unit.per, decimals),
                "exact": None if value is None else exact(value, unit),
                "outlier": number - 1 in cell.outliers,
                "line": source["line"] if source else None,
                "href": href,
                "error": rounds[number - 1].get("error"),
            }
            for number, (value, source, href) in enumerate(zip(values, sources, hrefs, strict=False), start=1)
        ],
        "back": run_href(str(run.id)),
        "trend": trend_href(result),
        "distribution": distribution_section(packed) if packed else None,
        "files": [
            (reverse("result-latencies", args=[run.id, result.ordinal, form]), each.label)
            for form, each in FILES.items()
            if packed
        ],
        "section": "runs",
    }

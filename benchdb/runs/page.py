"""What the run page and the page of one result show."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from benchagent.formats.vocabulary import test_label
from benchdb.stats import STATISTICS_VERSION

from . import facts
from .cells import cells_of_run
from .grids import grids
from .headlines import Overview
from .links import line_href, run_href, surface_href, trend_href
from .machine import machine
from .models import Run
from .notes import run_notes
from .numbers import decimals_of, say_number
from .present import cell_facts, exact, headline
from .queries import Measured
from .raw import inline
from .results import results_tables, shown_results, title
from .rounds import kernel_messages, rounds_table
from .stack import draw
from .units import DEFAULTS, UNITS, default_unit, possible
from .words import metric_label, place_in_words

Context = dict[str, Any]


def run_context(run: Run, results: Sequence[Measured], overview: Overview | None, unit: str) -> Context:
    """The context of `runs/run.html`; `unit` is the one chosen for throughputs, or empty."""
    shown = shown_results(run, results, {"B/s": unit} if unit else {})
    command = shlex.join(run.command)
    surfaces = _surfaces(run, results)
    return {
        "section": "runs",
        "run": run,
        "title": title_of(run),
        "command": command,
        "what": facts.workload(run),
        "protocol": facts.protocol(run),
        "state_before": facts.state_before(run),
        "labels": facts.labels(run),
        "stack": draw(run.target.facts),
        "machine": machine(run),
        "headlines": _headlines(overview, results),
        "notes": run_notes(run, shown),
        "results": results_tables(shown, command, surfaces),
        "units": _unit_form(run, results, unit),
        "surfaces": [{"text": test_label(test), "href": href} for test, href in _main(surfaces).items()],
        "rounds": rounds_table(run),
        "messages": kernel_messages(run),
        "artifacts": inline(run),
        "progress": progress(run),
        "campaign": campaign_link(run),
        "data": reverse("api-1:get_run", args=[str(run.id)]),
        "statistics": _statistics(run, results),
    }


def title_of(run: Run) -> Context:
    """The context of web/partials/title.html."""
    tool = " ".join(filter(None, [run.tool, run.tool_version]))
    parts = [tool, run.target.file_system or "unknown file system", run.machine.name]
    return {"parts": parts, "time": run.started_at, "state": run.runstate.state}


def progress(run: Run) -> Context | None:
    """The context of web/partials/progress.html until the run is ready."""
    state = run.runstate
    if state.state == "ready":
        return None
    poll = reverse("api-1:get_state", args=[str(run.id)])
    return {"state": state.state, "poll": poll, "reason": state.failure or None}


def campaign_link(run: Run) -> str | None:
    """The comparison of the runs of this run's campaign with the same tool."""
    if run.campaign_id is None:
        return None
    return f"{reverse('compare')}?{urlencode({'campaign': run.campaign_id, 'tool': run.tool})}"


def _statistics(run: Run, results: Sequence[Measured]) -> str:
    """Which version of the statistics the figures have."""
    oldest = min((each.statistics_version or 0 for each in results if each.outdated), default=None)
    if oldest is None:
        return f"statistics {STATISTICS_VERSION}"
    why = "failed" if run.runstate.state == "failed" else "is being computed"
    return f"statistics {oldest}; version {STATISTICS_VERSION} {why}"


def _surfaces(run: Run, results: Sequence[Measured]) -> dict[str, dict[str, str]]:
    """The addresses of all surfaces by metric and test."""
    found: dict[str, dict[str, str]] = {}
    for test, metric in grids(results):
        found.setdefault(metric, {})[test] = surface_href(str(run.id), test, metric)
    return found


def _main(surfaces: Mapping[str, Mapping[str, str]]) -> Mapping[str, str]:
    """Those of throughput, else of the first metric; the others are found from these and from the heads of tables."""
    return surfaces.get("throughput") or next(iter(surfaces.values()), {})


def _headlines(overview: Overview | None, results: Sequence[Measured]) -> list[facts.Fact]:
    by_ordinal = {result.ordinal: result for result in results}
    return [
        facts.fact(test_label(each.test), each.value, note=place_in_words(by_ordinal[each.ordinal]) or None)
        for each in (overview.headlines if overview else [])
        if each.ordinal in by_ordinal
    ]


def _unit_form(run: Run, results: Sequence[Measured], unit: str) -> Context | None:
    """The context of web/partials/choices.html, where the run has throughputs."""
    if not any(result.unit == "B/s" for result in results):
        return None
    chosen = unit or DEFAULTS["B/s"]
    options = [{"value": name, "text": name, "selected": name == chosen} for name in possible("B/s")]
    return {
        "action": run.get_absolute_url(),
        "label": "Unit of throughputs",
        "submit": "Show",
        "only_selects": True,
        "hidden": [],
        "fields": [{"name": "unit", "label": "unit", "options": options}],
    }


def result_context(run: Run, result: Measured) -> Context:
    """The context of `runs/result.html`: everything that is known of one result."""
    unit = UNITS[default_unit(result.metric)]
    (cell,) = cells_of_run([result], unit, run)
    decimals = decimals_of(cell["mean"], cell["sd"], cell["n"], unit)
    values = result.values or []
    places = result.source or [None] * len(values)
    return {
        "section": "runs",
        "run": run,
        "title": title_of(run),
        "heading": title(result),
        "metric": metric_label(result.metric),
        "headline": headline(cell, unit),
        "facts": [facts.fact(term, text) for term, text in cell_facts(cell, unit)],
        "unit": unit.name,
        "values": [
            {
                "round": number,
                "text": None if value is None else say_number(value / unit.per, decimals),
                "exact": None if value is None else exact(value, unit),
                "outlier": number - 1 in cell["outliers"],
                "line": place and place["line"],
                "href": place and line_href(str(run.id), place),
                "error": run.rounds[number - 1].get("error"),
            }
            for number, (value, place) in enumerate(zip(values, places, strict=False), start=1)
        ],
        "back": run_href(str(run.id)),
        "trend": trend_href(result),
    }

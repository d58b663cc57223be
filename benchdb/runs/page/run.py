"""The page of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from benchagent.formats.vocabulary import test_label
from benchdb.runs.cells.grids import grids
from benchdb.runs.cells.links import result_href, surface_href
from benchdb.runs.cells.strip_plot import SMALL, strip_of
from benchdb.runs.facts import terms as facts
from benchdb.runs.facts.machine import machine
from benchdb.runs.facts.storage_stack import draw
from benchdb.runs.listing.headlines import Overview
from benchdb.runs.models import Run, Source, source_of
from benchdb.runs.queries import Measured
from benchdb.stats import STATISTICS_VERSION
from benchdb.wording.numbers import leads, pads
from benchdb.wording.sizes import unbroken
from benchdb.wording.times import known_time
from benchdb.wording.units import DEFAULTS, possible
from benchdb.wording.words import command_line, place_in_words

from .paging import part_of_results
from .raw_output import inline
from .results import ResultCell, results_tables, shown_results
from .rounds import kernel_messages, rounds_table
from .run_warnings import run_notes

Context = dict[str, Any]


def run_context(
    run: Run, results: Sequence[Measured], overview: Overview | None, parameters: Mapping[str, str]
) -> Context:
    """The context of `runs/run.html`.

    `parameters` may have `unit`, the unit of throughputs, and for a run with very many results `metric` and `from`,
    which select a part of them. Impossible values count as missing.
    """
    unit = parameters["unit"] if parameters.get("unit") in possible("B/s") else ""
    shown = shown_results(run, results, {"B/s": unit} if unit else {})
    results_on_page, part = part_of_results(shown, run.get_absolute_url(), {**parameters, "unit": unit})
    command = command_line(run.command)
    surfaces = _surfaces(run, results)
    headlines = _headlines(overview, shown)
    places_of_headlines = {headline["place"] for headline in headlines}
    common_place = places_of_headlines.pop() if len(places_of_headlines) == 1 else None  # common to all headlines
    return {
        "section": "runs",
        "run": run,
        "title": title_of(run),
        "command": command,
        "what": facts.workload(run),
        "protocol": facts.protocol(run),
        "state_before": facts.state_before(run),
        "labels": facts.labels(run),
        "measured": source_of(run) is Source.MEASURED,
        "stack": draw(run.target.facts),
        "machine": machine(run),
        "headlines": headlines,
        "place": common_place,
        "notes": run_notes(run, shown),
        "results": results_tables(results_on_page, command, surfaces),
        "part": part,
        "units": _unit_form(run, results, unit, part),
        "surfaces": [{"text": test_label(test), "href": href} for test, href in _main(surfaces).items()],
        "rounds": rounds_table(run),
        "kernel": kernel_messages(run),
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
    state = "withdrawn" if run.runstate.withdrawn_at else run.runstate.state
    return {"parts": parts, "time": known_time(run.started_at, run.finished_at), "state": state}


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
    """The version of the statistics of the figures."""
    oldest = min((result.statistics_version or 0 for result in results if result.outdated), default=None)
    if oldest is None:
        return f"statistics {STATISTICS_VERSION}"
    why = "failed" if run.runstate.state == "failed" else "is being computed"
    return f"statistics {oldest}; version {STATISTICS_VERSION} {why}"


def _surfaces(run: Run, results: Sequence[Measured]) -> dict[str, dict[str, str]]:
    """The addresses of all surfaces by metric and test."""
    hrefs: dict[str, dict[str, str]] = {}
    for test, metric in grids(results):
        hrefs.setdefault(metric, {})[test] = surface_href(str(run.id), test, metric)
    return hrefs


def _main(surfaces: Mapping[str, Mapping[str, str]]) -> Mapping[str, str]:
    """The surfaces of throughput, or else of the first metric; these and the heads of tables link to the others."""
    return surfaces.get("throughput") or next(iter(surfaces.values()), {})


def _headlines(overview: Overview | None, by_metric: Mapping[str, Sequence[ResultCell]]) -> list[Context]:
    """The context of runs/headlines.html: `{test, value, figure, place, href, strip}` for each test."""
    by_ordinal = {item.result.ordinal: item for items in by_metric.values() for item in items}
    headlines: list[Context] = [
        {
            "test": test_label(headline.test),
            "value": headline.value,
            "figure": headline.figure,
            "place": unbroken(place_in_words(shown.result)),
            "href": result_href(str(shown.result.run_id), headline.ordinal),
            "strip": strip_of(shown.cell, shown.unit, SMALL),
        }
        for headline in (overview.headlines if overview else [])
        if (shown := by_ordinal.get(headline.ordinal))
    ]
    _align([headline["figure"] for headline in headlines if headline["figure"]])
    return headlines


def _align(figures: Sequence[Context]) -> None:
    """Add padding to means and sds, so that their decimal points are aligned."""
    for name in ("mean", "sd"):
        numbers = [figure[name] for figure in figures]
        for figure, lead, pad in zip(figures, leads(numbers), pads(numbers), strict=True):
            figure |= {f"{name}_lead": lead, f"{name}_pad": pad}


def _unit_form(run: Run, results: Sequence[Measured], unit: str, part: Context | None) -> Context | None:
    """The context of web/partials/choices.html if the run has throughputs."""
    if not any(result.unit == "B/s" for result in results):
        return None
    chosen = unit or DEFAULTS["B/s"]
    options = [{"value": name, "text": name, "selected": name == chosen} for name in possible("B/s")]
    return {
        "action": run.get_absolute_url(),
        "label": "Unit of throughputs",
        "submit": "Show",
        "only_selects": True,
        "hidden": [("metric", part["metric"])] if part else [],
        "fields": [{"name": "unit", "label": "unit", "options": options}],
    }

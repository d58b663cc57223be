"""The page of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import cast
from urllib.parse import urlencode

from django.urls import reverse

from benchagent.formats.vocabulary import METRICS, test_label
from benchdb.runs.cells.cell_context import headline
from benchdb.runs.cells.links import result_href, surface_href
from benchdb.runs.cells.strip_plot import SMALL, strip_of
from benchdb.runs.facts import terms as facts
from benchdb.runs.facts.links import has_listed_pages
from benchdb.runs.facts.machine import machine
from benchdb.runs.facts.storage_stack import draw
from benchdb.runs.models import Run, Source, source_of
from benchdb.runs.queries import Measured
from benchdb.stats import STATISTICS_VERSION
from benchdb.wording.numbers import pads, plural
from benchdb.wording.sizes import unbroken
from benchdb.wording.units import DEFAULTS, possible
from benchdb.wording.words import command_line, common_and_own, place_words

from .company import Company
from .heat_maps import heat_maps
from .percentile_curves import percentile_curves
from .raw_output import raw_links
from .reading import ReadResults
from .results import ResultCell, results_tables, shown_results
from .rounds import kernel_messages, rounds_table
from .run_title import title_of
from .run_warnings import run_notes


def whole_run(
    run: Run,
    read: ReadResults,
    part_of: Sequence[dict[str, object]],
    company: Company,
    elsewhere: str | None,
    repeated: Sequence[dict[str, object]] = (),
    signature: dict[str, object] | None = None,
) -> dict[str, object]:
    """The page of a run with these results, which is a part of articles, a campaign and permalinks."""
    unit = {"B/s": read.unit} if read.unit else {}
    shown = shown_results(run, read.on_page, unit)
    places = read.outline.surfaces()
    surfaces = _surfaces(run, places)
    of_headlines = [cell for cells in shown_results(run, read.of_headlines, unit).values() for cell in cells]
    common_place, headlines = headline_lines(of_headlines)
    notes = run_notes(run, read.outline, shown)
    metric = of_headlines[0].result.metric if of_headlines else ""
    heat = heat_maps(str(run.id), metric, read.outline, places, run.environment.memory)
    # The context of runs/run.html. `place` is what the places of all headlines have in common. `part` is None if
    # all results are shown, `choices` if there are none, `progress` if the run is ready. `elsewhere` is the command
    # that measures the plan of a run without company, None if there is none. `further` is the command that continues
    # the run on its machine, None if there is none. `inside` is the page with the samples of its rounds, None if there
    # are none.
    return {
        "run": run,
        "title": title_of(run),
        "command": command_line(run.command),
        "what": facts.workload(run),
        "protocol": facts.protocol(run),
        "state_before": facts.state_before(run),
        "labels": facts.labels(run),
        "measured": source_of(run) is Source.MEASURED,
        "stack": draw(run.target.facts, linked=has_listed_pages(run)),
        "machine": machine(run),
        "headlines": headlines,
        "place": common_place,
        "notes": notes,
        "more_notes": plural(len(notes) - 3, "more warning"),
        "results": results_tables(shown, surfaces, _panels(run, read.unit)),
        "part": read.part,
        "choices": _choices(run, read),
        "surfaces": [{"text": test_label(test), "href": href} for test, href in _main(surfaces).items()],
        "rounds": rounds_table(run),
        "kernel": kernel_messages(run),
        "artifacts": raw_links(run),
        "progress": progress(run),
        "company": company,
        "elsewhere": elsewhere,
        "further": _further(run),
        "data": reverse("api-1:get_run", args=[str(run.id)]),
        "statistics": _statistics(run, read.on_page),
        "part_of": part_of,
        "repeated": repeated,
        "signature": signature,
        "heat": heat,
        "curves": None if heat else percentile_curves(str(run.id), read.outline),
        "inside": reverse("run-inside", args=[run.id]) if run.series.exists() else None,
        "section": "runs",
    }


def progress(run: Run) -> dict[str, object] | None:
    """The progress until the run is ready."""
    state = run.runstate
    if state.state == "ready":
        return None
    poll = reverse("api-1:get_state", args=[str(run.id)])
    # The context of web/partials/progress.html; `reason` is None unless the statistics failed.
    return {"state": state.state, "poll": poll, "reason": state.failure or None}


def _further(run: Run) -> str | None:
    """The command that measures more rounds of a run; none for a run without an agent, or one that was continued."""
    if source_of(run) is not Source.MEASURED or run.campaign_id is None or run.runstate.withdrawn_at:
        return None
    return f"benchagent run --continue {run.id}"


def _statistics(run: Run, results: Sequence[Measured]) -> str:
    """The version of the statistics of the figures."""
    oldest = min((result.statistics_version or 0 for result in results if result.outdated), default=None)
    if oldest is None:
        return f"statistics {STATISTICS_VERSION}"
    why = "failed" if run.runstate.state == "failed" else "is being computed"
    return f"statistics {oldest}; version {STATISTICS_VERSION} {why}"


def _surfaces(run: Run, measured: Iterable[tuple[str, str]]) -> dict[str, dict[str, str]]:
    """The addresses of all surfaces by metric and test."""
    hrefs: dict[str, dict[str, str]] = {}
    for test, metric in measured:
        hrefs.setdefault(metric, {})[test] = surface_href(str(run.id), test, metric)
    return hrefs


def _main(surfaces: Mapping[str, Mapping[str, str]]) -> Mapping[str, str]:
    """The surfaces of throughput, or else of the first metric; these and the heads of tables link to the others."""
    return surfaces.get("throughput") or next(iter(surfaces.values()), {})


def _panels(run: Run, unit: str) -> str:
    return f"{reverse('run-panels', args=[run.id])}?{urlencode({'unit': unit})}"


def _choices(run: Run, read: ReadResults) -> dict[str, object] | None:
    """The form with the unit of throughputs and the parts of many results; None if there is nothing to choose."""
    fields: list[dict[str, object]] = []
    if any(METRICS[str(metric)].unit == "B/s" for metric in read.outline.column("metric").values):
        chosen = read.unit or DEFAULTS["B/s"]
        options = [{"value": name, "text": name, "selected": name == chosen} for name in possible("B/s")]
        fields = [{"options": options, "name": "unit", "label": "unit"}]
    fields += cast("list[dict[str, object]]", read.part["fields"]) if read.part else []
    if not fields:
        return None
    return {
        "action": run.get_absolute_url(),
        "hidden": read.part["kept"] if read.part else [],
        "fields": fields,
        "label": "Results",
        "only_selects": True,
    }


def headline_lines(results: Sequence[ResultCell]) -> tuple[str, list[dict[str, object]]]:
    """The place that all of these results have in common, and a line for each; decimal points are aligned."""
    common, places = common_and_own([place_words(item.result) for item in results])
    padding = pads([item.cell.text.mean for item in results])
    # A test in runs/headlines.html; `reason` is why there is no figure, "" if there is one. `pad` are the digits that
    # the mean lacks beside the others, `strip` is that of web/partials/strip.html.
    return unbroken(common), [
        {
            "test": test_label(item.result.test),
            "figure": item.cell.text,
            "pad": pad,
            "unit": item.unit.name,
            "reason": headline(item.cell, item.unit) if item.cell.mean is None else "",
            "place": unbroken(place),
            "href": result_href(str(item.result.run_id), item.result.ordinal),
            "strip": strip_of(item.cell, item.unit, SMALL),
        }
        for item, place, pad in zip(results, places, padding, strict=True)
    ]

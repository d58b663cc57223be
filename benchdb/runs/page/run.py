"""The page of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse

from benchagent.formats.vocabulary import METRICS, test_label
from benchdb.runs.cells.links import surface_href
from benchdb.runs.facts import terms as facts
from benchdb.runs.facts.links import has_listed_pages
from benchdb.runs.facts.machine import machine
from benchdb.runs.facts.storage_stack import draw
from benchdb.runs.listing.filter_panel import SelectOption
from benchdb.runs.models import Run, Source, source_of
from benchdb.runs.queries import Measured
from benchdb.stats import STATISTICS_VERSION
from benchdb.wording.units import DEFAULTS, possible
from benchdb.wording.words import command_line

from .company import Company
from .headline_lines import headline_lines
from .picture import picture
from .raw_output import inline
from .reading import ReadResults
from .results import results_tables, shown_results
from .rounds import kernel_messages, rounds_table
from .run_title import title_of
from .run_warnings import run_notes


@dataclass(frozen=True, slots=True)
class PartLink:
    """A link from a run to what contains it: `the article`, `“Title”`."""

    kind: str
    text: str
    href: str


def whole_run(
    run: Run,
    read: ReadResults,
    part_of: Sequence[PartLink],
    company: Company,
    elsewhere: str | None,
    repeated: Sequence[dict[str, object]] = (),
    signature: dict[str, object] | None = None,
) -> dict[str, object]:
    """The page of a run with these results, which is a part of articles, a campaign and permalinks."""
    unit = {"B/s": read.unit} if read.unit else {}
    shown = shown_results(run, read.on_page, unit)
    command = command_line(run.command)
    places = read.outline.surfaces()
    surfaces = _surfaces(run, places)
    of_headlines = [cell for cells in shown_results(run, read.of_headlines, unit).values() for cell in cells]
    headlines = headline_lines(of_headlines)
    places_of_headlines = {headline["place"] for headline in headlines}
    common_place = places_of_headlines.pop() if len(places_of_headlines) == 1 else None  # common to all headlines
    # The context of runs/run.html. `place` is the place that all headlines have in common, or None. `part` is None if
    # all results are shown, `units` without throughputs, `progress` if the run is ready. `elsewhere` is the command
    # that measures the plan of a run without company, None if there is none. `further` is the command that continues
    # the run on its machine, None if there is none. `inside` is the page with the samples of its rounds, None if there
    # are none.
    return {
        "run": run,
        "title": title_of(run),
        "command": command,
        "what": facts.workload(run),
        "protocol": facts.protocol(run),
        "state_before": facts.state_before(run),
        "labels": facts.labels(run),
        "measured": source_of(run) is Source.MEASURED,
        "stack": draw(run.target.facts, linked=has_listed_pages(run)),
        "machine": machine(run),
        "headlines": headlines,
        "place": common_place,
        "notes": run_notes(run, read.outline, shown),
        "results": results_tables(shown, command, surfaces),
        "part": read.part,
        "units": _unit_form(run, read),
        "surfaces": [{"text": test_label(test), "href": href} for test, href in _main(surfaces).items()],
        "rounds": rounds_table(run),
        "kernel": kernel_messages(run),
        "artifacts": inline(run),
        "progress": progress(run),
        "company": company,
        "elsewhere": elsewhere,
        "further": _further(run),
        "data": reverse("api-1:get_run", args=[str(run.id)]),
        "statistics": _statistics(run, read.on_page),
        "part_of": part_of,
        "repeated": repeated,
        "signature": signature,
        "picture": picture(run, read.outline, places, of_headlines),
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


def _unit_form(run: Run, read: ReadResults) -> dict[str, object] | None:
    """The form if the run has throughputs."""
    if not any(METRICS[str(metric)].unit == "B/s" for metric in read.outline.column("metric").values):
        return None
    chosen = read.unit or DEFAULTS["B/s"]
    options = [SelectOption(name, name, selected=name == chosen) for name in possible("B/s")]
    return {
        "action": run.get_absolute_url(),
        "hidden": read.part["kept"] if read.part else [],
        "fields": [{"options": options, "name": "unit", "label": "unit"}],
        "label": "Unit of throughputs",
        "submit": "Show",
        "only_selects": True,
    }

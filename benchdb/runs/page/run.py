"""The page of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from benchagent.formats.vocabulary import test_label
from benchdb.runs.cells.grids import grids
from benchdb.runs.cells.links import result_href, surface_href
from benchdb.runs.cells.strip_plot import SMALL, StripPlot, strip_of
from benchdb.runs.facts import terms as facts
from benchdb.runs.facts.links import has_listed_pages
from benchdb.runs.facts.machine import machine
from benchdb.runs.facts.storage_stack import DrawnLayer, draw
from benchdb.runs.listing.filter_panel import SelectOption
from benchdb.runs.listing.headlines import Overview
from benchdb.runs.models import Run, Source, source_of
from benchdb.runs.queries import Measured
from benchdb.stats import STATISTICS_VERSION
from benchdb.wording.numbers import leads, pads
from benchdb.wording.sizes import unbroken
from benchdb.wording.units import DEFAULTS, possible
from benchdb.wording.words import command_line, place_in_words

from .paging import PartOfResults, part_of_results
from .raw_output import RawText, inline
from .results import ResultCell, results_tables, shown_results
from .rounds import RoundMessages, RoundsTable, kernel_messages, rounds_table
from .run_title import RunTitle, title_of
from .run_warnings import RunNote, run_notes


@dataclass(frozen=True, slots=True)
class RunProgress:
    """The context of web/partials/progress.html; `reason` is None unless the statistics failed."""

    state: str
    poll: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class AlignedFigure:
    """A mean with its sd, "" if unknown; the leads and pads are the digits that each lacks beside the others."""

    mean: str
    sd: str
    unit: str
    mean_lead: str = ""
    mean_pad: str = ""
    sd_lead: str = ""
    sd_pad: str = ""


@dataclass(frozen=True, slots=True)
class HeadlineLine:
    """A test in runs/headlines.html; `figure` is None if there is none, `strip` is that of web/partials/strip.html."""

    test: str
    value: str
    figure: AlignedFigure | None
    place: str
    href: str
    strip: StripPlot | None


@dataclass(frozen=True, slots=True)
class SurfaceLink:
    """A test with the address of its surface."""

    text: str
    href: str


@dataclass(frozen=True, slots=True)
class UnitField:
    """The menu of units."""

    options: Sequence[SelectOption]
    name: str = "unit"
    label: str = "unit"


@dataclass(frozen=True, slots=True)
class UnitForm:
    """The form of web/partials/choices.html for the unit of throughputs."""

    action: str
    hidden: Sequence[tuple[str, str]]
    fields: Sequence[UnitField]
    label: str = "Unit of throughputs"
    submit: str = "Show"
    only_selects: bool = True


@dataclass(frozen=True, slots=True)
class PartLink:
    """A link from a run to what contains it: `the article`, `“Title”`."""

    kind: str
    text: str
    href: str


@dataclass(frozen=True, slots=True)
class WholeRun:
    """The context of runs/run.html.

    `place` is the place that all headlines have in common, or None. `part` is None if all results are shown, `units`
    without throughputs, `progress` if the run is ready, `campaign` without a campaign.
    `further` is the command that continues the run on its machine, None if there is none.
    """

    run: Run
    title: RunTitle
    command: str
    what: Sequence[facts.Fact]
    protocol: Sequence[facts.Fact]
    state_before: Sequence[facts.Fact]
    labels: Sequence[facts.Fact]
    measured: bool
    stack: Sequence[DrawnLayer]
    machine: Sequence[facts.Fact]
    headlines: Sequence[HeadlineLine]
    place: str | None
    notes: Sequence[RunNote]
    results: Sequence[object]
    part: PartOfResults | None
    units: UnitForm | None
    surfaces: Sequence[SurfaceLink]
    rounds: RoundsTable
    kernel: Sequence[RoundMessages]
    artifacts: Sequence[RawText]
    progress: RunProgress | None
    campaign: str | None
    further: str | None
    data: str
    statistics: str
    part_of: Sequence[PartLink]
    section: str = "runs"


def whole_run(
    run: Run,
    results: Sequence[Measured],
    overview: Overview | None,
    parameters: Mapping[str, str],
    part_of: Sequence[PartLink],
) -> WholeRun:
    """The page of a run, which is a part of articles, a campaign and permalinks.

    `parameters` may have `unit`, the unit of throughputs, and for a run with very many results `metric` and `from`,
    which select a part of them. Impossible values count as missing.
    """
    unit = parameters["unit"] if parameters.get("unit") in possible("B/s") else ""
    shown = shown_results(run, results, {"B/s": unit} if unit else {})
    results_on_page, part = part_of_results(shown, run.get_absolute_url(), {**parameters, "unit": unit})
    command = command_line(run.command)
    surfaces = _surfaces(run, results)
    headlines = _headlines(overview, shown)
    places_of_headlines = {headline.place for headline in headlines}
    common_place = places_of_headlines.pop() if len(places_of_headlines) == 1 else None  # common to all headlines
    return WholeRun(
        run=run,
        title=title_of(run),
        command=command,
        what=facts.workload(run),
        protocol=facts.protocol(run),
        state_before=facts.state_before(run),
        labels=facts.labels(run),
        measured=source_of(run) is Source.MEASURED,
        stack=draw(run.target.facts, linked=has_listed_pages(run)),
        machine=machine(run),
        headlines=headlines,
        place=common_place,
        notes=run_notes(run, shown),
        results=results_tables(results_on_page, command, surfaces),
        part=part,
        units=_unit_form(run, results, unit, part),
        surfaces=[SurfaceLink(test_label(test), href) for test, href in _main(surfaces).items()],
        rounds=rounds_table(run),
        kernel=kernel_messages(run),
        artifacts=inline(run),
        progress=progress(run),
        campaign=campaign_link(run),
        further=_further(run),
        data=reverse("api-1:get_run", args=[str(run.id)]),
        statistics=_statistics(run, results),
        part_of=part_of,
    )


def progress(run: Run) -> RunProgress | None:
    """The progress until the run is ready."""
    state = run.runstate
    if state.state == "ready":
        return None
    poll = reverse("api-1:get_state", args=[str(run.id)])
    return RunProgress(state.state, poll, state.failure or None)


def campaign_link(run: Run) -> str | None:
    """The comparison of the runs of this run's campaign with the same tool."""
    if run.campaign_id is None:
        return None
    return f"{reverse('compare')}?{urlencode({'campaign': run.campaign_id, 'tool': run.tool})}"


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


def _surfaces(run: Run, results: Sequence[Measured]) -> dict[str, dict[str, str]]:
    """The addresses of all surfaces by metric and test."""
    hrefs: dict[str, dict[str, str]] = {}
    for test, metric in grids(results):
        hrefs.setdefault(metric, {})[test] = surface_href(str(run.id), test, metric)
    return hrefs


def _main(surfaces: Mapping[str, Mapping[str, str]]) -> Mapping[str, str]:
    """The surfaces of throughput, or else of the first metric; these and the heads of tables link to the others."""
    return surfaces.get("throughput") or next(iter(surfaces.values()), {})


def _headlines(overview: Overview | None, by_metric: Mapping[str, Sequence[ResultCell]]) -> list[HeadlineLine]:
    """A line for each test; the decimal points of means and sds are aligned."""
    by_ordinal = {item.result.ordinal: item for items in by_metric.values() for item in items}
    shown_headlines = [
        (headline, shown)
        for headline in (overview.headlines if overview else [])
        if (shown := by_ordinal.get(headline.ordinal))
    ]
    figures = iter(_aligned([figure for headline, _ in shown_headlines if (figure := headline.figure)]))
    return [
        HeadlineLine(
            test=test_label(headline.test),
            value=headline.value,
            figure=None if headline.mean is None else next(figures),
            place=unbroken(place_in_words(shown.result)),
            href=result_href(str(shown.result.run_id), headline.ordinal),
            strip=strip_of(shown.cell, shown.unit, SMALL),
        )
        for headline, shown in shown_headlines
    ]


def _aligned(figures: Sequence[Mapping[str, str]]) -> list[AlignedFigure]:
    """The figures with padding for their means and sds."""
    means, sds = [figure["mean"] for figure in figures], [figure["sd"] for figure in figures]
    padding = zip(leads(means), pads(means), leads(sds), pads(sds), strict=True)
    return [
        AlignedFigure(figure["mean"], figure["sd"], figure["unit"], *padded)
        for figure, padded in zip(figures, padding, strict=True)
    ]


def _unit_form(run: Run, results: Sequence[Measured], unit: str, part: PartOfResults | None) -> UnitForm | None:
    """The form if the run has throughputs."""
    if not any(result.unit == "B/s" for result in results):
        return None
    chosen = unit or DEFAULTS["B/s"]
    options = [SelectOption(name, name, selected=name == chosen) for name in possible("B/s")]
    hidden = [("metric", part.metric)] if part else []
    return UnitForm(run.get_absolute_url(), hidden, [UnitField(options)])

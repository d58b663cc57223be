"""The context of compare/latencies.html: curves of the rivals over each other, and a table of their percentiles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import log10
from urllib.parse import urlencode
from uuid import UUID

import numpy as np
from django.urls import reverse

from benchdb.compare.kind import TitleLine
from benchdb.compare.page_parts.titles import title_line
from benchdb.compare.table.cell_views.chosen_cell import CHOSEN
from benchdb.compare.table.content import TableContent, TablePlace
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.links import result_href
from benchdb.runs.distributions.axis import HEIGHT, WIDTH, CurveTick, axes_for
from benchdb.runs.distributions.reading import PackedRounds
from benchdb.runs.distributions.section import LEAST_LATENCY, SHARES, UNIT, say_bounds, say_latency
from benchdb.stats import Cells, Correction
from benchdb.stats.distributions.percentiles import (
    LEAST_BEYOND,
    LEAST_ROUNDS,
    Distribution,
    distribution_of,
    interval,
    shown_shares,
    together,
)
from benchdb.stats.distributions.tails import compare_tails, tail_values, tails_of
from benchdb.wording.numbers import plural, say_changes, say_number
from benchdb.wording.words import percentile_name

from .rivals import label_of_others, label_of_rival

MOST_CURVES = 7  # as many as there are colours
MOST_ROUNDS_DRAWN = 10  # of each

Distributions = Mapping[tuple[UUID, int], PackedRounds]


@dataclass(frozen=True, slots=True)
class RivalCurve:
    """The curves of one rival: all rounds together, and single rounds. `series` is its colour, `href` its evidence."""

    label: str
    series: int
    href: str
    note: str
    together: str
    rounds: Sequence[str]


@dataclass(frozen=True, slots=True)
class OverlaidCurves:
    """The plot: its size, its axes, and a set of curves for each rival."""

    width: int
    height: int
    curves: Sequence[RivalCurve]
    shares: Sequence[CurveTick]
    latencies: Sequence[CurveTick]
    grid: Sequence[str]


@dataclass(frozen=True, slots=True)
class RivalPercentile:
    """A percentile of one rival with its interval, and its change against the baseline; None if there is none."""

    figure: str
    interval: str | None
    change: str | None
    change_interval: str | None


@dataclass(frozen=True, slots=True)
class PercentileLine:
    """A percentile of each rival, None if too few of its operations are slower."""

    name: str
    cells: Sequence[RivalPercentile | None]


@dataclass(frozen=True, slots=True)
class LatenciesPage:
    """The context of compare/latencies.html.

    `verdicts` are the sentences on tails, by rival. `baseline` is the label of the first rival if the others are
    compared with it. `left_out` counts rivals without distributions or beyond `MOST_CURVES`.
    """

    title: TitleLine
    others: str
    table: str
    curves: OverlaidCurves
    lines: Sequence[PercentileLine]
    unit: str
    verdicts: Sequence[tuple[str, str]]
    baseline: str | None
    left_out: str
    least_beyond: int = LEAST_BEYOND
    least_rounds: int = LEAST_ROUNDS
    section: str = "compare"


@dataclass(frozen=True, slots=True)
class _Rival:
    """A rival with the distributions of its results, and all of their rounds."""

    place: TablePlace
    label: str
    results: Sequence[PackedRounds]
    distribution: Distribution


def results_of(cell: Cell) -> list[tuple[UUID, int]]:
    """The results behind a cell, by run and ordinal."""
    return [(UUID(run), ordinal) for run, ordinal in zip(cell.runs, cell.ordinals, strict=True)]


def latencies_page(
    content: TableContent, places: Sequence[TablePlace], distributions: Distributions, query: str
) -> LatenciesPage | None:
    """The page of these rivals; None if none of them has distributions. `query` is the address of their table."""
    measured = [place for place in places if all(each in distributions for each in results_of(place.cell))]
    rivals = [_rival(content, place, distributions) for place in measured[:MOST_CURVES]]
    if not rivals:
        return None
    baseline = rivals[0] if rivals[0].place.cell.baseline and len(rivals) > 1 else None
    left_out = len(places) - len(rivals)
    return LatenciesPage(
        title=title_line(content),
        others=label_of_others(content, places[0]),
        table=f"{reverse('compare')}?{query}&{urlencode({CHOSEN: places[0].key})}",
        curves=_curves(rivals),
        lines=_lines(rivals, baseline),
        unit=UNIT.name,
        verdicts=[(each.label, each.place.cell.tail.why) for each in rivals if each.place.cell.tail],
        baseline=baseline.label if baseline else None,
        left_out=f"Not drawn: {plural(left_out, 'cell')}." if left_out else "",
    )


def _rival(content: TableContent, place: TablePlace, distributions: Distributions) -> _Rival:
    results = [distributions[each] for each in results_of(place.cell)]
    return _Rival(place, label_of_rival(content, place), results, distribution_of([*chain.from_iterable(results)]))


def _curves(rivals: Sequence[_Rival]) -> OverlaidCurves:
    latencies = [np.maximum(rival.distribution.latency, LEAST_LATENCY) for rival in rivals]
    most = max(*(log10(int(rival.distribution.operations.sum())) for rival in rivals), 1.0)
    axes = axes_for((float(end) for latency in latencies for end in latency[[0, -1]]), most)

    def curve(series: int, rival: _Rival) -> RivalCurve:
        counts, latency = rival.distribution.counts, latencies[series - 1]
        drawn = np.unique(np.linspace(0, len(counts) - 1, MOST_ROUNDS_DRAWN).round().astype(int)).tolist()
        operations = say_number(int(rival.distribution.operations.sum()), 0)
        return RivalCurve(
            label=rival.label,
            series=series,
            href=result_href(rival.place.cell.runs[0], rival.place.cell.ordinals[0]),
            note=f"{operations} operations in {plural(len(counts), 'round')}",
            together=axes.path(counts.sum(axis=0, keepdims=True), latency),
            rounds=[axes.path(counts[i : i + 1], latency) for i in drawn] if len(counts) > 1 else [],
        )

    return OverlaidCurves(
        width=WIDTH,
        height=HEIGHT,
        curves=[curve(series, rival) for series, rival in enumerate(rivals, start=1)],
        shares=axes.shares(),
        latencies=axes.latencies(),
        grid=axes.grid(),
    )


def _lines(rivals: Sequence[_Rival], baseline: _Rival | None) -> list[PercentileLine]:
    columns = [_column(rival, baseline if rival is not baseline else None) for rival in rivals]
    return [
        PercentileLine(percentile_name(100 * share), [column[i] for column in columns])
        for i, share in enumerate(SHARES)
        if any(column[i] for column in columns)
    ]


def _column(rival: _Rival, baseline: _Rival | None) -> list[RivalPercentile | None]:
    """The percentile of each of `SHARES`, compared with the baseline if its rounds show it too."""
    distribution = rival.distribution
    shown = shown_shares(int(distribution.operations.sum()), SHARES) or [SHARES[0]]
    bounds = interval(distribution, shown) if len(rival.results) == 1 else None
    changes = _changes(rival, baseline) if baseline else [None] * len(SHARES)
    figures = together(distribution, shown)
    found: list[RivalPercentile | None] = [None] * len(SHARES)
    for i, figure in enumerate(figures):
        change, low, high = changes[i] or (None, None, None)
        found[i] = RivalPercentile(
            figure=say_latency(figure),
            interval=None if bounds is None else say_bounds(bounds, i),
            change=change,
            change_interval=None if low is None else f"{low} to {high}",
        )
    return found


def _changes(rival: _Rival, baseline: _Rival) -> list[tuple[str, str, str] | None]:
    """The change of each percentile with its interval, for the shares that every round of both sides shows."""
    sides = [tails_of(each.results, SHARES) for each in (rival, baseline)]
    common = len(shown_shares(min(result.least for side in sides for result in side), SHARES))
    if not common:
        return [None] * len(SHARES)
    samples = [np.array([tail_values(side, i) for i in range(common)]) for side in sides]
    compared = compare_tails(*(Cells.of_values(sample) for sample in samples), correction=Correction.UNCORRECTED)
    ratios = zip(compared.ratio.tolist(), compared.interval.low.tolist(), compared.interval.high.tolist(), strict=True)
    changes = [_in_words(*ratio) if not np.isnan(ratio).any() else None for ratio in ratios]
    return [*changes, *([None] * (len(SHARES) - common))]


def _in_words(ratio: float, low: float, high: float) -> tuple[str, str, str]:
    change, lowest, highest = say_changes(ratio, low, high)
    return change, lowest, highest

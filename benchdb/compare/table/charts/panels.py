"""The charts of a table: which dimensions are positions, series and panels, and where each cell is. Pure functions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from benchdb.compare.content import Measure
from benchdb.compare.query.dimensions import label_of, with_noun
from benchdb.compare.table.content import TablePlace
from benchdb.compare.table.grid import Grid
from benchdb.runs.cells.cell import Cell
from benchdb.wording.colours import MOST_COLOURS, colours
from benchdb.wording.sizes import unbroken
from benchdb.wording.words import metric_label

from .axes import COLUMNS, METRIC, ROWS, SPLIT, ChartAxis, axes_of, is_ordered
from .chart import MOST_MARKS, Chart, ChartMark, ChartPanel, ChartSeries, TooManyMarks
from .scale import Figure, Scale, scale_of_figures, scale_of_ratios

LEAST_ORDERED = 2  # positions of a line
ESTABLISHED = ("better", "worse")
COARSE = ("coarse", "unusable")  # verdicts on a clock


class PlacedFigure(NamedTuple):
    """A figure to draw with its cell, and the cell's index on each axis of the table."""

    at: Sequence[int]
    place: TablePlace
    figure: Figure
    filled: bool


class Roles(NamedTuple):
    """The axes of positions, series (None if positions are the values of the factor) and panels."""

    positions: ChartAxis
    series: ChartAxis | None
    panels: tuple[ChartAxis, ...]
    ordered: bool


def ratio_chart(table: Grid, most: int = MOST_MARKS) -> Chart | TooManyMarks | None:
    """The ratios of all cells to their baselines, at most `most`; None if there are none."""
    return _chart(table, _ratios(table), scale_of_ratios, table.content.baseline, most)


def figure_chart(table: Grid, most: int = MOST_MARKS) -> Chart | TooManyMarks | None:
    """The statistic of all cells in the shown units, at most `most`; None if no cell has a figure."""
    return _chart(table, _figures(table), scale_of_figures, None, most)


def _ratios(table: Grid) -> list[PlacedFigure]:
    found = []
    for at, place in zip(table.at.tolist(), table.places, strict=True):
        verdict = place.cell.verdict
        if verdict is not None and verdict.ratio is not None and verdict.ratio > 0 and not place.cell.baseline:
            figure = Figure(verdict.ratio, verdict.low, verdict.high)
            found.append(PlacedFigure(at, place, figure, verdict.kind in ESTABLISHED))
    return found


def _figures(table: Grid) -> list[PlacedFigure]:
    found = []
    for at, place in zip(table.at.tolist(), table.places, strict=True):
        figure = _figure(place.cell, table.content.statistic, place.measure.per)
        if figure is not None:
            found.append(PlacedFigure(at, place, figure, filled=True))
    return found


def _figure(cell: Cell, statistic: str, per: float) -> Figure | None:
    """The cell's large number with its interval; smallest and largest values have none."""
    if cell.mean is None:
        return None
    value: float | None = getattr(cell, statistic)
    low, high = {"mean": (cell.low, cell.high), "median": (cell.median_low, cell.median_high)}.get(
        statistic, (None, None)
    )
    return None if value is None else Figure(value / per, _in(low, per), _in(high, per))


def _in(figure: float | None, per: float) -> float | None:
    return None if figure is None else figure / per


ScaleOf = Callable[[Sequence[Figure]], Scale]


def _chart(
    table: Grid, found: Sequence[PlacedFigure], scale_of: ScaleOf, baseline: str | None, most: int
) -> Chart | TooManyMarks | None:
    if not found:
        return None
    if len(found) > most:
        return TooManyMarks(len(found), most)
    roles = _roles(table, found)
    scales = _scales(found, scale_of, common=baseline is not None)
    shown = sorted({roles.series.of(placed.at) for placed in found}) if roles.series is not None else []
    series_of = {index: i for i, index in enumerate(shown)}
    by_panel: dict[tuple[tuple[int, ...], Measure], list[PlacedFigure]] = defaultdict(list)
    for placed in found:
        by_panel[tuple(axis.of(placed.at) for axis in roles.panels), placed.place.measure].append(placed)
    return Chart(
        panels=[
            _panel(roles, indices, measure, of_panel, series_of, scales[measure])
            for (indices, measure), of_panel in sorted(by_panel.items(), key=lambda panel: panel[0][0])
        ],
        series=_series(roles, shown),
        positions=[_label(parts, without=METRIC) for parts in roles.positions.parts],
        along=label_of([name for name in roles.positions.names if name != METRIC]),
        ordered=roles.ordered,
        baseline=baseline,
    )


def _panel(
    roles: Roles,
    indices: tuple[int, ...],
    measure: Measure,
    found: Sequence[PlacedFigure],
    series_of: Mapping[int, int],
    scale: Scale,
) -> ChartPanel:
    labels = [_label(axis.parts[index]) for axis, index in zip(roles.panels, indices, strict=True)]
    if METRIC in roles.positions.names:
        labels.append(metric_label(measure.metric))
    return ChartPanel(
        label=" · ".join(filter(None, labels)),
        measure=measure,
        positions=sorted({roles.positions.of(placed.at) for placed in found}),
        marks=[
            ChartMark(
                key=placed.place.key,
                series=0 if roles.series is None else series_of[roles.series.of(placed.at)],
                position=roles.positions.of(placed.at),
                value=placed.figure.value,
                low=placed.figure.low,
                high=placed.figure.high,
                filled=placed.filled,
                pale=placed.place.cell.cache.verdict == "cached" or placed.place.cell.clock.verdict in COARSE,
            )
            for placed in found
        ],
        scale=scale,
    )


def _series(roles: Roles, shown: Sequence[int]) -> list[ChartSeries]:
    """The series that have marks. The baseline keeps its colour for itself, so that it is the same in all charts."""
    if roles.series is None:
        return [ChartSeries("", 1)]
    labels = roles.series.labels
    found = colours(labels)
    return [ChartSeries(unbroken(labels[index]), found[index]) for index in shown]


def _scales(found: Sequence[PlacedFigure], scale_of: ScaleOf, *, common: bool) -> dict[Measure, Scale]:
    """One scale for each measure, or a common one."""
    figures: dict[Measure, list[Figure]] = defaultdict(list)
    for placed in found:
        figures[placed.place.measure].append(placed.figure)
    if common:
        return dict.fromkeys(figures, scale_of([placed.figure for placed in found]))
    return {measure: scale_of(of_measure) for measure, of_measure in figures.items()}


def _roles(table: Grid, found: Sequence[PlacedFigure]) -> Roles:
    """An ordered factor, or one of too many values for colours, gives the positions; else the longest ordered axis."""
    axes = axes_of(table)
    counts = {axis: len({axis.of(placed.at) for placed in found}) for axis in axes}
    ordered = [axis for axis in axes if counts[axis] >= LEAST_ORDERED and is_ordered(axis)]
    factor = _factor_axis(table, axes, ordered)
    others = [axis for axis in axes if axis != factor]
    if factor in ordered or len(factor.parts) > MOST_COLOURS:
        return Roles(factor, None, tuple(others), factor in ordered)
    lines = [axis for axis in reversed(others) if axis in ordered]
    positions = max(lines, key=lambda axis: counts[axis]) if lines else others[-1]
    return Roles(positions, factor, tuple(axis for axis in others if axis != positions), bool(lines))


def _factor_axis(table: Grid, axes: Sequence[ChartAxis], ordered: Sequence[ChartAxis]) -> ChartAxis:
    """The first axis with a dimension of the factor; one that is not ordered is preferred."""
    factor = set(table.content.factor.names)
    having = [
        axis for name in (ROWS, COLUMNS, SPLIT) for axis in axes if axis.axis == name and factor & set(axis.names)
    ]
    having.sort(key=lambda axis: axis in ordered)
    return having[0] if having else next(axis for axis in axes if axis.axis == ROWS)


def _label(parts: Mapping[str, str], without: str = "") -> str:
    """The values with their nouns: `1 MiB records`."""
    return unbroken(" · ".join(with_noun(name, label) for name, label in parts.items() if name != without))


def of_series(marks: Iterable[ChartMark], series: int) -> list[ChartMark]:
    """The marks of a series from the first position to the last."""
    return sorted((mark for mark in marks if mark.series == series), key=lambda mark: mark.position)

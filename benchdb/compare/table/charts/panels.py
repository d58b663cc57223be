"""The charts of a table: which dimensions are positions, series and panels, and where each cell is. Pure functions."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from benchdb.compare.content import Measure
from benchdb.compare.query.dimensions import dimension, label_of, with_noun
from benchdb.compare.table.content import TableContent, TablePart, TablePlace, measured
from benchdb.runs.cells.cell import Cell
from benchdb.wording.colours import MOST_COLOURS, colours
from benchdb.wording.sizes import unbroken
from benchdb.wording.words import metric_label

from .chart import MOST_MARKS, Chart, ChartMark, ChartPanel, ChartSeries, TooManyMarks
from .scale import Figure, Scale, scale_of_figures, scale_of_ratios

SPLIT, ROWS, COLUMNS = range(3)  # the axes, in the order of a cell's key
LEAST_ORDERED = 2  # positions of a line
ESTABLISHED = ("better", "worse")
COARSE = ("coarse", "unusable")  # verdicts on a clock
_NUMBER = re.compile(r"[a-z _-]*?(\d+(?:\.\d+)?)")
METRIC = "metric"  # never a position: its panels have axes of their own
NUMBERS = ("size", "number", "ratio")  # kinds of dimensions whose values are ordered


class PlacedFigure(NamedTuple):
    """A figure to draw with its cell, and the cell's index on each axis."""

    at: tuple[int, ...]
    place: TablePlace
    figure: Figure
    filled: bool


class Roles(NamedTuple):
    """The axes of positions, series (None if positions are the values of the factor) and panels."""

    positions: int
    series: int | None
    panels: tuple[int, ...]
    ordered: bool


def ratio_chart(content: TableContent, most: int = MOST_MARKS) -> Chart | TooManyMarks | None:
    """The ratios of all cells to their baselines, at most `most`; None if there are none."""
    return _chart(content, _ratios(content), scale_of_ratios, content.baseline, most)


def figure_chart(content: TableContent, most: int = MOST_MARKS) -> Chart | TooManyMarks | None:
    """The statistic of all cells in the shown units, at most `most`; None if no cell has a figure."""
    return _chart(content, _figures(content), scale_of_figures, None, most)


def _ratios(content: TableContent) -> list[PlacedFigure]:
    found = []
    for place in measured(content):
        verdict = place.cell.verdict
        if verdict is not None and verdict.ratio is not None and verdict.ratio > 0 and not place.cell.baseline:
            figure = Figure(verdict.ratio, verdict.low, verdict.high)
            found.append(PlacedFigure(_at(place), place, figure, verdict.kind in ESTABLISHED))
    return found


def _figures(content: TableContent) -> list[PlacedFigure]:
    found = []
    for place in measured(content):
        figure = _figure(place.cell, content.statistic, place.measure.per)
        if figure is not None:
            found.append(PlacedFigure(_at(place), place, figure, filled=True))
    return found


def _at(place: TablePlace) -> tuple[int, ...]:
    return tuple(map(int, place.key.split("-")))


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
    content: TableContent, found: Sequence[PlacedFigure], scale_of: ScaleOf, baseline: str | None, most: int
) -> Chart | TooManyMarks | None:
    if not found:
        return None
    if len(found) > most:
        return TooManyMarks(len(found), most)
    roles = _roles(content, found)
    scales = _scales(found, scale_of, common=baseline is not None)
    shown = sorted({placed.at[roles.series] for placed in found}) if roles.series is not None else []
    series_of = {index: i for i, index in enumerate(shown)}
    by_panel: dict[tuple[tuple[int, ...], Measure], list[PlacedFigure]] = defaultdict(list)
    for placed in found:
        by_panel[tuple(placed.at[axis] for axis in roles.panels), placed.place.measure].append(placed)
    return Chart(
        panels=[
            _panel(content, roles, indices, measure, of_panel, series_of, scales[measure])
            for (indices, measure), of_panel in sorted(by_panel.items(), key=lambda panel: panel[0][0])
        ],
        series=_series(content, roles, shown),
        positions=[_label(part, without=METRIC) for part in _parts(content, roles.positions)],
        along=_axis_label(content, roles.positions),
        ordered=roles.ordered,
        baseline=baseline,
    )


def _panel(
    content: TableContent,
    roles: Roles,
    indices: tuple[int, ...],
    measure: Measure,
    found: Sequence[PlacedFigure],
    series_of: Mapping[int, int],
    scale: Scale,
) -> ChartPanel:
    labels = [_label(_parts(content, axis)[index]) for axis, index in zip(roles.panels, indices, strict=True)]
    if METRIC in _names(content, roles.positions):
        labels.append(metric_label(measure.metric))
    return ChartPanel(
        label=" · ".join(filter(None, labels)),
        measure=measure,
        positions=sorted({placed.at[roles.positions] for placed in found}),
        marks=[
            ChartMark(
                key=placed.place.key,
                series=0 if roles.series is None else series_of[placed.at[roles.series]],
                position=placed.at[roles.positions],
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


def _series(content: TableContent, roles: Roles, shown: Sequence[int]) -> list[ChartSeries]:
    """The series that have marks. The baseline keeps its colour for itself, so that it is the same in all charts."""
    if roles.series is None:
        return [ChartSeries("", 1)]
    labels = [part.label for part in _parts(content, roles.series)]
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


def _roles(content: TableContent, found: Sequence[PlacedFigure]) -> Roles:
    """An ordered factor, or one of too many values for colours, gives the positions; else the longest ordered axis."""
    counts = {axis: len({placed.at[axis] for placed in found}) for axis in (SPLIT, ROWS, COLUMNS)}
    factor = _factor_axis(content)
    others = [axis for axis in (COLUMNS, ROWS, SPLIT) if axis != factor]
    is_ordered = {axis: counts[axis] >= LEAST_ORDERED and _is_ordered(content, axis) for axis in counts}
    if is_ordered[factor] or len(_parts(content, factor)) > MOST_COLOURS:
        return Roles(factor, None, tuple(sorted(others)), is_ordered[factor])
    ordered = [axis for axis in others if is_ordered[axis]]
    positions = max(ordered, key=lambda axis: counts[axis]) if ordered else others[0]
    return Roles(positions, factor, tuple(axis for axis in sorted(others) if axis != positions), bool(ordered))


def _factor_axis(content: TableContent) -> int:
    factor = set(content.factor.names)
    return next((axis for axis in (ROWS, COLUMNS, SPLIT) if factor & set(_names(content, axis))), ROWS)


def _is_ordered(content: TableContent, axis: int) -> bool:
    """Whether the values are sizes or numbers; those of parameters (`depth 8`) are if their numbers ascend."""
    names = [name for name in _names(content, axis) if name != METRIC]
    if len(names) != 1:
        return False
    if dimension(names[0]).kind in NUMBERS:
        return True
    if METRIC in _names(content, axis):
        return False
    matches = [_NUMBER.fullmatch(part.label) for part in _parts(content, axis)] if ":" in names[0] else [None]
    numbers = [float(match[1]) for match in matches if match]
    return len(numbers) == len(matches) and numbers == sorted(numbers)


def _names(content: TableContent, axis: int) -> Sequence[str]:
    if axis == SPLIT:
        return content.split.names if content.split else []
    return (content.rows if axis == ROWS else content.columns).names


def _axis_label(content: TableContent, axis: int) -> str:
    """The name of the axis without the metric, which panels have."""
    return label_of([name for name in _names(content, axis) if name != METRIC])


def _parts(content: TableContent, axis: int) -> Sequence[TablePart]:
    if axis == COLUMNS:
        return content.heads
    return content.groups if axis == SPLIT else content.groups[0].rows


def _label(part: TablePart, without: str = "") -> str:
    """The values with their nouns: `1 MiB records`."""
    return unbroken(" · ".join(with_noun(name, label) for name, label in part.parts.items() if name != without))


def of_series(marks: Iterable[ChartMark], series: int) -> list[ChartMark]:
    """The marks of a series from the first position to the last."""
    return sorted((mark for mark in marks if mark.series == series), key=lambda mark: mark.position)

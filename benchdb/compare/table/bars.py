"""A table as bars with intervals: small multiples that the server draws for compare/bars.html. Pure functions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from benchdb.compare.content import Measure, Placed
from benchdb.compare.query.dimensions import with_noun
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.measured_table import MeasuredTable
from benchdb.wording.colours import colours
from benchdb.wording.numbers import pads
from benchdb.wording.sizes import unbroken
from benchdb.wording.words import direction

from .content import TableContent, TablePart, cells
from .contexts import BarPanel, BarPanels, BarPart, ShownBar, TooManyBars

MOST_BARS = 400
ROOM = range(9, 17)  # possible widths of the longest figure, in characters (frontend/styles/_bars.scss)
WIDEST = 8  # each panel has its own scale if their longest bars differ by more than this factor
LONGEST_INTERVAL = 1.5  # times the largest bar: a longer interval is cut off, so that the bars do not shrink
NO_ENDS = (None, None)  # of an interval
SPLIT, ROWS, COLUMNS = range(3)  # the axes, in the order of a cell's key


class BarFigure(NamedTuple):
    """The length of a bar and its interval, in base units; None if unknown."""

    value: float | None
    low: float | None
    high: float | None


class CellBar(NamedTuple):
    """A cell with its index on each axis."""

    places: tuple[int, ...]
    placed: Placed
    figure: BarFigure

    @property
    def metric(self) -> str:
        return self.placed.measure.metric


@dataclass(frozen=True)
class Chart:
    """A chart: the values of the axis `bars` are the bars, of `panels` the panels, of `parts` the parts of a panel.

    `table` has the cells as the page shows them.
    `scales` has the figure of a bar of full width, by panel and metric; `series` the colour by index on the bars' axis.
    """

    content: TableContent
    table: MeasuredTable
    bars: int
    panels: int
    parts: int
    scales: Mapping[tuple[int, str], float]
    series: Mapping[int, int]

    def label(self, axis: int, index: int) -> str:
        """The label of the group, row or head at this index."""
        return self._labels[axis][index]

    @cached_property
    def _labels(self) -> list[list[str]]:
        """The labels by axis and index."""
        return [
            [
                unbroken(" · ".join(with_noun(name, label) for name, label in part.parts.items()))
                for part in _parts_of(self.content, axis)
            ]
            for axis in (SPLIT, ROWS, COLUMNS)
        ]


def show_bars(content: TableContent, table: MeasuredTable) -> BarPanels | TooManyBars | None:
    """The context of compare/bars.html, beside the `table` of this content; None if no cell has a figure.

    The values of the factor are adjacent bars, so that readers can compare them.
    """
    cell_bars = [_bar_of(content, placed) for placed in cells(content) if placed.cell.status != "deleted"]
    if not any(bar.figure.value is not None for bar in cell_bars):
        return None
    if len(cell_bars) > MOST_BARS:
        return TooManyBars(len(cell_bars), MOST_BARS)
    bars, panels, parts = _axes(content)
    scales, common = _scales(cell_bars, panels)
    indices = sorted({bar.places[bars] for bar in cell_bars})
    labels = [_parts_of(content, bars)[index].label for index in indices]
    series = dict(zip(indices, colours(labels), strict=True))
    chart = Chart(content, table, bars, panels, parts, scales, series)
    by_panel = _grouped(cell_bars, panels)
    shown_panels = [_panel(chart, index, by_panel[index]) for index in sorted(by_panel)]
    return BarPanels(
        panels=shown_panels,
        room=_room(shown_panels),
        own_scales=not common,
        intervals=any(bar.figure.low is not None for bar in cell_bars),
        baseline=content.baseline if _is_compared(shown_panels, cell_bars) else None,
    )


def _is_compared(panels: Sequence[BarPanel], cell_bars: Sequence[CellBar]) -> bool:
    """Whether the line of the baseline crosses any other bar."""
    bases = {bar.placed.key for bar in cell_bars if bar.placed.cell.baseline}
    return any(bar.baseline and bar.key not in bases for panel in panels for bar in panel.bars)


def _bar_of(content: TableContent, placed: Placed) -> CellBar:
    return CellBar(tuple(map(int, placed.key.split("-"))), placed, _figure(placed.cell, content.statistic))


def _figure(cell: Cell, statistic: str) -> BarFigure:
    """The cell's large number and its interval; smallest and largest values have none."""
    if cell.mean is None:
        return BarFigure(None, *NO_ENDS)
    value: float | None = getattr(cell, statistic)
    low, high = {"mean": (cell.low, cell.high), "median": (cell.median_low, cell.median_high)}.get(statistic, NO_ENDS)
    return BarFigure(value, *NO_ENDS) if low is None or high is None else BarFigure(value, low, high)


def _axes(content: TableContent) -> tuple[int, int, int]:
    """The axes of bars, panels and parts: bars show the factor, panels the heads (or the rows if the bars do)."""
    factor, split = set(content.factor.names), content.split
    names = {ROWS: content.rows.names, COLUMNS: content.columns.names, SPLIT: split.names if split else []}
    bars = next((axis for axis, axis_names in names.items() if factor & set(axis_names)), ROWS)
    panels = ROWS if bars == COLUMNS else COLUMNS
    return bars, panels, SPLIT + ROWS + COLUMNS - bars - panels


def _parts_of(content: TableContent, axis: int) -> Sequence[TablePart]:
    if axis == COLUMNS:
        return content.heads
    return content.groups if axis == SPLIT else content.groups[0].rows


def _grouped(bars: Iterable[CellBar], axis: int) -> dict[int, list[CellBar]]:
    by_index: dict[int, list[CellBar]] = defaultdict(list)
    for bar in bars:
        by_index[bar.places[axis]].append(bar)
    return by_index


def _scales(bars: Sequence[CellBar], panels: int) -> tuple[dict[tuple[int, str], float], bool]:
    """The scales, and whether all panels of a metric share one."""
    figures: dict[tuple[int, str], list[BarFigure]] = defaultdict(list)
    for bar in bars:
        if bar.figure.value is not None:
            figures[bar.places[panels], bar.metric].append(bar.figure)
    own_scales = {key: _longest(group) for key, group in figures.items()}
    by_metric: dict[str, list[float]] = defaultdict(list)
    for (_, metric), longest in own_scales.items():
        by_metric[metric].append(longest)
    if any(max(lengths) > WIDEST * min(lengths) for lengths in by_metric.values()):
        return own_scales, False
    return {(panel, metric): max(by_metric[metric]) for panel, metric in own_scales}, True


def _longest(group: Sequence[BarFigure]) -> float:
    """The figure that the longest bar or interval reaches."""
    top = max(figure.value or 0.0 for figure in group)
    return max([top, *(min(figure.high, LONGEST_INTERVAL * top) for figure in group if figure.high is not None)])


def _panel(chart: Chart, index: int, bars: Sequence[CellBar]) -> BarPanel:
    measures = {bar.placed.measure for bar in bars}
    unit = _unit(next(iter(measures))) if len(measures) == 1 else None
    by_part = sorted(_grouped(bars, chart.parts).items())
    in_order = [bar for _, part_bars in by_part for bar in part_bars]
    # The pads align the decimals of the panel's figures.
    pad_of = dict(zip((bar.placed.key for bar in in_order), pads([_mean(bar) for bar in in_order]), strict=True))
    parts = [
        BarPart(
            chart.label(chart.parts, part),
            [_shown(chart, bar, _baseline(part_bars, bar), unit, pad_of[bar.placed.key]) for bar in part_bars],
        )
        for part, part_bars in by_part
    ]
    return BarPanel(chart.label(chart.panels, index), unit, parts)


def _mean(bar: CellBar) -> str:
    return bar.placed.cell.text.shown


def _room(panels: Sequence[BarPanel]) -> int:
    """The width of the longest figure in characters; equal in all panels, so that lengths of bars stay comparable."""
    bars = [bar for panel in panels for bar in panel.bars]
    longest = max(len(f"{bar.cell.mean}{bar.pad} {bar.unit or ''}".rstrip()) for bar in bars)
    return min(max(longest, ROOM.start), ROOM.stop - 1)


def _baseline(part_bars: Sequence[CellBar], bar: CellBar) -> float | None:
    """The figure of the baseline of a bar; None if it has none, or if the bars of its part have several."""
    bases = [other.figure.value for other in part_bars if other.placed.cell.baseline and other.metric == bar.metric]
    return bases[0] if len(bases) == 1 else None


def _shown(chart: Chart, bar: CellBar, baseline: float | None, unit: str | None, pad: str) -> ShownBar:
    scale = chart.scales.get((bar.places[chart.panels], bar.metric)) or 0.0
    value, low, high = bar.figure if scale else BarFigure(None, *NO_ENDS)
    group, row, column = bar.places
    drawn = value is not None
    return ShownBar(
        key=bar.placed.key,
        detail=f"c{bar.placed.key}",
        label=chart.label(chart.bars, bar.places[chart.bars]),
        series=chart.series[bar.places[chart.bars]],
        cell=chart.table.groups[group].rows[row].cells[column],
        unit=None if unit else _unit(bar.placed.measure),
        end=None if value is None else _share(value, scale),
        low=None if low is None else _share(low, scale),
        high=None if high is None else _share(high, scale),
        cut=high is not None and high > scale,
        baseline=_share(baseline, scale) if drawn and baseline is not None else None,
        pad=pad,
    )


def _unit(measure: Measure) -> str:
    return f"{measure.unit} {direction(measure.higher_is_better)}"


def _share(figure: float, scale: float) -> str:
    """A figure as a length in SVG, in per cent of the scale."""
    return f"{100 * min(max(figure / scale, 0.0), 1.0):.2f}%"

"""A table as bars with intervals: small multiples for compare/bars.html, drawn by the server. Pure functions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from benchdb.compare.content import Content, Context, Measure, Placed
from benchdb.compare.query.dimensions import with_noun
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.cell_context import show_cell
from benchdb.wording.numbers import pads
from benchdb.wording.sizes import unbroken
from benchdb.wording.words import direction

from .content import TablePart, cells

MOST_BARS = 400
SERIES = 7  # colours that people can tell apart (frontend/styles/_tokens.scss); of more bars all have the first
ROOM = range(9, 17)  # the characters that the longest figure may have room for (frontend/styles/_bars.scss)
WIDEST = 8  # times the shortest panel's longest bar, from where on each panel has a scale of its own
LONGEST_INTERVAL = 1.5  # times the largest bar: an interval that reaches farther is cut off and leaves the bars room
SPLIT, ROWS, COLUMNS = range(3)  # the axes, as a cell's key has them
# What a bar shows by the table's statistic, and the ends of its interval.
FIGURES = {"mean": ("mean", "low", "high"), "median": ("median", "median_low", "median_high")}


class BarFigure(NamedTuple):
    """The length of a bar and its interval, in base units; None each where it is not known."""

    value: float | None
    low: float | None
    high: float | None


class CellBar(NamedTuple):
    """A cell with its place on each axis."""

    places: tuple[int, ...]
    placed: Placed
    figure: BarFigure

    @property
    def metric(self) -> str:
        return self.placed.measure.metric


@dataclass(frozen=True)
class Chart:
    """`bars`, `panels` and `parts` are the axes whose values are the bars, the panels, and the parts of a panel.

    `scales` has what a bar of the whole width means, by panel and metric; `series` the colour of each bar's place.
    """

    content: Content
    bars: int
    panels: int
    parts: int
    scales: Mapping[tuple[int, str], float]
    series: Mapping[int, int]

    def label(self, axis: int, place: int) -> str:
        """What the group, row or head at this place is called."""
        return self._labels[axis][place]

    @cached_property
    def _labels(self) -> list[list[str]]:
        """By axis and place."""
        return [
            [
                unbroken(" · ".join(with_noun(name, label) for name, label in part["parts"].items()))
                for part in _parts_of(self.content, axis)
            ]
            for axis in (SPLIT, ROWS, COLUMNS)
        ]


def show_bars(content: Content) -> Context | None:
    """The context of compare/bars.html; None where nothing has a figure.

    The values of the factor are the bars that stand together, so that what is compared is side by side.
    """
    found = [_bar_of(content, each) for each in cells(content) if each.cell["status"] != "deleted"]
    if not any(bar.figure.value is not None for bar in found):
        return None
    if len(found) > MOST_BARS:
        return {"too_many": len(found), "most": MOST_BARS}
    bars, panels, parts = _axes(content)
    scales, common = _scales(found, panels)
    places = sorted({bar.places[bars] for bar in found})
    series = {place: i + 1 if len(places) <= SERIES else 1 for i, place in enumerate(places)}
    chart = Chart(content, bars, panels, parts, scales, series)
    by_panel = _grouped(found, panels)
    shown = [_panel(chart, place, by_panel[place]) for place in sorted(by_panel)]
    return {
        "panels": shown,
        "room": _room(shown),
        "own_scales": not common,
        "intervals": any(bar.figure.low is not None for bar in found),
        "baseline": content["baseline"] if _is_compared(shown, found) else None,
    }


def _is_compared(panels: Sequence[Context], found: Sequence[CellBar]) -> bool:
    """Whether a bar has the line of another one, the baseline, across it."""
    bases = {bar.placed.key for bar in found if bar.placed.cell.get("baseline")}
    bars = (bar for panel in panels for part in panel["parts"] for bar in part["bars"])
    return any("baseline" in bar and bar["key"] not in bases for bar in bars)


def _bar_of(content: Content, placed: Placed) -> CellBar:
    return CellBar(tuple(map(int, placed.key.split("-"))), placed, _figure(placed.cell, content["statistic"]))


def _figure(cell: Cell, statistic: str) -> BarFigure:
    """What the cell's large number is; smallest and largest values have no interval."""
    if cell["mean"] is None:
        return BarFigure(None, None, None)
    value, low, high = (cell.get(name) for name in FIGURES.get(statistic, (statistic, "", "")))
    return BarFigure(value, low, high) if low is not None and high is not None else BarFigure(value, None, None)


def _axes(content: Content) -> tuple[int, int, int]:
    """The factor's axis has the bars; the heads have a panel each, or else the rows."""
    factor = set(content["factor"]["names"])
    names = {ROWS: content["rows"], COLUMNS: content["columns"], SPLIT: content["split"] or {"names": []}}
    bars = next((axis for axis, own in names.items() if factor & set(own["names"])), ROWS)
    panels = ROWS if bars == COLUMNS else COLUMNS
    return bars, panels, SPLIT + ROWS + COLUMNS - bars - panels


def _parts_of(content: Content, axis: int) -> Sequence[TablePart]:
    if axis == COLUMNS:
        return list(content["heads"])
    return list(content["groups"] if axis == SPLIT else content["groups"][0]["rows"])


def _grouped(bars: Iterable[CellBar], axis: int) -> dict[int, list[CellBar]]:
    found: dict[int, list[CellBar]] = defaultdict(list)
    for bar in bars:
        found[bar.places[axis]].append(bar)
    return found


def _scales(bars: Sequence[CellBar], panels: int) -> tuple[dict[tuple[int, str], float], bool]:
    """The scales, and whether all panels of a metric have the same."""
    figures: dict[tuple[int, str], list[BarFigure]] = defaultdict(list)
    for bar in bars:
        if bar.figure.value is not None:
            figures[bar.places[panels], bar.metric].append(bar.figure)
    own = {key: _longest(group) for key, group in figures.items()}
    by_metric: dict[str, list[float]] = defaultdict(list)
    for (_, metric), longest in own.items():
        by_metric[metric].append(longest)
    if any(max(each) > WIDEST * min(each) for each in by_metric.values()):
        return own, False
    return {(panel, metric): max(by_metric[metric]) for panel, metric in own}, True


def _longest(group: Sequence[BarFigure]) -> float:
    """As far as bars and intervals reach."""
    top = max(figure.value or 0.0 for figure in group)
    return max([top, *(min(figure.high, LONGEST_INTERVAL * top) for figure in group if figure.high is not None)])


def _panel(chart: Chart, place: int, bars: Sequence[CellBar]) -> Context:
    measures = {bar.placed.measure for bar in bars}
    unit = _unit(next(iter(measures))) if len(measures) == 1 else None
    parts: list[Context] = [
        {"label": chart.label(chart.parts, part), "bars": [_shown(chart, bar, own, unit) for bar in own]}
        for part, own in sorted(_grouped(bars, chart.parts).items())
    ]
    shown = [bar for part in parts for bar in part["bars"]]
    for bar, pad in zip(shown, pads(bar["cell"].get("mean") for bar in shown), strict=True):
        bar["pad"] = pad  # so that the figures of a panel stand decimal under decimal
    return {"label": chart.label(chart.panels, place), "unit": unit, "parts": parts}


def _room(panels: Sequence[Context]) -> int:
    """The characters of the longest figure: the same room in all panels, because the lengths of their bars compare."""
    bars = [bar for panel in panels for part in panel["parts"] for bar in part["bars"]]
    longest = max(len(f"{bar['cell'].get('mean') or ''}{bar['pad']} {bar['unit'] or ''}".rstrip()) for bar in bars)
    return min(max(longest, ROOM.start), ROOM.stop - 1)


def _shown(chart: Chart, bar: CellBar, beside: Sequence[CellBar], unit: str | None) -> Context:
    place, key = bar.places[chart.bars], bar.placed.key
    found: Context = {
        "key": key,
        "detail": f"c{key}",
        "label": chart.label(chart.bars, place),
        "series": chart.series[place],
        "cell": show_cell(bar.placed.cell),
        "unit": None if unit else _unit(bar.placed.measure),
    }
    scale = chart.scales.get((bar.places[chart.panels], bar.metric))
    value, low, high = bar.figure
    if value is None or not scale:
        return found
    found["end"] = _share(value, scale)
    if low is not None and high is not None:
        found |= {"low": _share(low, scale), "high": _share(high, scale), "cut": high > scale}
    bases = [each.figure.value for each in beside if each.placed.cell.get("baseline") and each.metric == bar.metric]
    if len(bases) == 1 and bases[0] is not None:  # else the bars stand against different ones
        found["baseline"] = _share(bases[0], scale)
    return found


def _unit(measure: Measure) -> str:
    return f"{measure.unit} {direction(measure.higher_is_better)}"


def _share(figure: float, scale: float) -> str:
    """As a length in SVG."""
    return f"{100 * min(max(figure / scale, 0.0), 1.0):.2f}%"

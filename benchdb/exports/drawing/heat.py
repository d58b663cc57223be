"""Heat maps: file size upwards, record size to the right, holes white; a colour bar if numbers do not fit in cells."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import ceil, log2

import numpy as np

from benchagent.verdicts import VERDICTS
from benchdb.compare.surface.averages import SurfaceCells
from benchdb.compare.surface.cache_marks import SizeMark
from benchdb.compare.surface.colours import ColourScale, figure_of
from benchdb.compare.surface.content import SurfaceContent
from benchdb.compare.surface.figures import say_figure, unit_of
from benchdb.compare.table.charts.scale import Scale
from benchdb.compare.trend.axis import rows
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.verdict import CellVerdict
from benchdb.wording.axes import Tick, figure_ticks, ratio_ticks
from benchdb.wording.colours import MAGNITUDES, RATIOS
from benchdb.wording.numbers import say_mean_and_sd, say_ratio

from .fonts import text_width
from .plot import Plot, plain_scale
from .style import FAINT, INK, TINY, VERMILLION, WHITE, interpolate, mix
from .svg import MIDDLE, Drawing

GREY = "#d9d9d9"
SMALLEST_SPAN = log2(1.1)  # of the scale of ratios, so that a few per cent get a pale colour
FAILED, UNMEASURED = "×", "·"
MOST_NUMBERS = 16  # columns; with more, cells have no room for numbers
MOST_LABELS = 24  # sizes along the vertical axis
LARGEST, LEAST_GAP, LINE = 6.0, 5.0, 0.4  # font of the numbers; between labels; between cells
HATCH, TEXTURE = 4.0, 0.8  # between dots or lines over a cell; the share of its colour in them
BAR, STEPS = 6.0, 64  # a colour bar's width, and its colours

Field = tuple[float, float, float, float]  # left, top, width and height


def has_bar(content: SurfaceContent) -> bool:
    """Whether the heat maps need a colour bar, because their cells have no room for numbers."""
    return len(content.record_sizes) > MOST_NUMBERS


def shade(scale: ColourScale | None, figure: float) -> str:
    """The colour of a figure in base units."""
    return interpolate(MAGNITUDES, scale.share(figure) if scale else 0.0)


def draw_bar(drawing: Drawing, field: Field, content: SurfaceContent, scale: ColourScale | None) -> None:
    """The scale of magnitudes."""
    if scale is not None and scale.high > scale.low:
        up = shown_scale(content, scale.low, scale.high, logarithmic=scale.logarithmic)
        _draw_bar(drawing, field, up, MAGNITUDES)


def shown_scale(content: SurfaceContent, low: float, high: float, *, logarithmic: bool) -> Scale:
    """A scale in the shown unit with round ticks; `low` and `high` are in base units."""
    low, high = low / unit_of(content).per, high / unit_of(content).per
    ticks = figure_ticks(low, high) if logarithmic else [Tick(*row) for row in rows(low, high)]
    return Scale(low, high, logarithmic, ticks)


def draw_ratio_bar(drawing: Drawing, field: Field, content: SurfaceContent) -> None:
    """The scale of ratios; it is logarithmic, so that a factor and its inverse lie equally far from 1."""
    bound = 2 ** _span(content)
    scale = Scale(1 / bound, bound, logarithmic=True, ticks=ratio_ticks(1 / bound, bound))
    _draw_bar(drawing, field, scale, _ratios(content))


def _draw_bar(drawing: Drawing, field: Field, scale: Scale, colours: tuple[str, ...]) -> None:
    left, top, width, height = field
    for i in range(STEPS):
        # Each reaches below the next one, so that no line is seen between them.
        colour = interpolate(colours, 1 - (i + 0.5) / STEPS)
        drawing.rectangle(left, top + i * height / STEPS, width, min(1.5, STEPS - i) * height / STEPS, colour)
    for tick in scale.ticks:
        y = top + height * (1 - scale.share(tick.value))
        drawing.line([(left + width, y), (left + width + 2, y)], FAINT, 0.4)
        drawing.text(left + width + 4, y, tick.text, TINY, FAINT, drop=MIDDLE)


def draw_heat(
    drawing: Drawing,
    field: Field,
    content: SurfaceContent,
    grid: SurfaceCells,
    scale: ColourScale | None,
    marks: Sequence[SizeMark],
) -> Plot:
    """One surface, with the ends of caches and memory as lines."""
    plot = _plot(drawing, field, content)
    texts = [["" if cell is None else _figure(content, cell) for cell in line] for line in grid]
    size = _size(plot, [text for line in texts for text in line])
    for i, line in enumerate(grid):
        for j, cell in enumerate(line):
            if cell is None:
                continue
            figure = figure_of(cell, content)
            if figure is None:
                _number(plot, i, j, FAILED if cell.status == "failed" else UNMEASURED, FAINT, size)
                continue
            colour = shade(scale, figure)
            _cell(plot, i, j, colour)
            dark = scale is None or scale.share(figure) < 0.55
            _texture(plot, i, j, cell, mix(colour, TEXTURE, WHITE if dark else INK))
            _number(plot, i, j, texts[i][j], WHITE if dark else INK, size)
    for mark in marks:
        _mark(plot, content, mark)
    return plot


def draw_ratio(drawing: Drawing, field: Field, content: SurfaceContent) -> Plot:
    """The ratio of two surfaces; cells whose difference is not significant are grey."""
    plot, span, colours = _plot(drawing, field, content), _span(content), _ratios(content)
    size = _size(plot, [_ratio(verdict) for line in content.ratio or () for verdict in line])
    for i, line in enumerate(content.ratio or ()):
        for j, verdict in enumerate(line):
            if verdict is None:
                continue
            differs = bool(verdict.ratio) and verdict.kind in ("better", "worse")
            place = log2(verdict.ratio) / span if verdict.ratio else 0.0
            _cell(plot, i, j, interpolate(colours, 0.5 + 0.5 * place) if differs else GREY)
            dark = differs and abs(place) > 0.6
            _number(plot, i, j, _ratio(verdict), WHITE if dark else INK if differs else FAINT, size)
    return plot


def _ratio(verdict: CellVerdict | None) -> str:
    return say_ratio(verdict.ratio) if verdict and verdict.ratio else VERDICTS["none"].sign


def _ratios(content: SurfaceContent) -> tuple[str, ...]:
    """The colours from the smallest ratio to the largest: the better end is blue."""
    return RATIOS if content.higher_is_better else RATIOS[::-1]


def _span(content: SurfaceContent) -> float:
    """Half the scale of ratios, as a logarithm."""
    ratios = [verdict.ratio for line in content.ratio or () for verdict in line if verdict and verdict.ratio]
    return max([SMALLEST_SPAN, *(abs(log2(ratio)) for ratio in ratios)])


def _plot(drawing: Drawing, field: Field, content: SurfaceContent) -> Plot:
    """The field with its axes; cell (i, j) begins at the figures j and i."""
    files, records = content.file_labels, content.record_labels
    step = -(-len(files) // MOST_LABELS)
    up = plain_scale(0, len(files), [Tick(i + 0.5, files[i]) for i in range(0, len(files), step)])
    plot = Plot(drawing, *field, plain_scale(0, len(records), size_ticks(records, field[2], 0.5)), up)
    plot.name_across(plot.rule_across(size=TINY, rules=False), "record size")
    plot.name_up(plot.rule_up(size=TINY, rules=False), "file size")
    return plot


def size_ticks(labels: Sequence[str], width: float, offset: float = 0.0) -> list[Tick]:
    """Ticks of the sizes whose labels have room in this width, all or every second, third, …."""
    longest = max((text_width(label, TINY) for label in labels), default=0.0) + LEAST_GAP
    step = max(1, ceil(longest * len(labels) / width))
    return [Tick(i + offset, labels[i]) for i in range(0, len(labels), step)]


def _cell(plot: Plot, i: int, j: int, colour: str) -> None:
    width, height = plot.width / plot.across.high - LINE, plot.height / plot.up.high - LINE
    plot.drawing.rectangle(plot.x(j) + LINE / 2, plot.y(i + 1) + LINE / 2, width, height, colour)


def _texture(plot: Plot, i: int, j: int, cell: Cell, colour: str) -> None:
    """Dots over a cell from memory, upright lines over one with a coarse clock."""
    left, top, right, bottom = plot.x(j) + 1, plot.y(i + 1) + 1, plot.x(j + 1) - 1, plot.y(i) - 1
    if cell.clock.verdict in ("coarse", "unusable"):
        for x in np.arange(left, right, HATCH / 2):
            plot.drawing.line([(x, top), (x, bottom)], colour, 0.4)
    if cell.cache.verdict == "cached":
        for k, y in enumerate(np.arange(top, bottom, HATCH / 2)):
            # A round end of a dash without length is a dot.
            row = [(left + HATCH / 2 * (k % 2), y), (right, y)]
            plot.drawing.line(row, colour, 0.9, dashes=f"0 {HATCH:g}", cap="round")


def _size(plot: Plot, texts: Sequence[str]) -> float | None:
    """The font of the numbers in cells, so that the longest fits between the lines; None for too many columns."""
    columns = plot.across.high
    if not 0 < columns <= MOST_NUMBERS:
        return None
    longest = max((text_width(text, 1.0) for text in texts), default=1.0)
    return min(LARGEST, plot.width / columns * 0.86 / max(longest, 1e-9), plot.height / plot.up.high * 0.9)


def _number(plot: Plot, i: int, j: int, text: str, colour: str, size: float | None) -> None:
    if size is not None:
        plot.drawing.text(plot.x(j + 0.5), plot.y(i + 0.5), text, size, colour, anchor="middle", drop=MIDDLE)


def _figure(content: SurfaceContent, cell: Cell) -> str:
    """The figure as in tables: a mean has the digits that its deviation supports."""
    if content.statistic == "mean" and cell.mean is not None:
        return say_mean_and_sd(cell.mean, cell.sd, cell.n, unit_of(content))["mean"]
    figure = figure_of(cell, content)
    return "" if figure is None else say_figure(figure, content)


def _mark(plot: Plot, content: SurfaceContent, mark: SizeMark) -> None:
    """A line behind the last size that fits in a cache or in memory, unless it is the last size of all."""
    sizes = content.file_sizes if mark.axis == "file_size" else content.record_sizes
    at = bisect_right(sizes, mark.bytes)
    if not 0 < at < len(sizes):
        return
    drawing, right = plot.drawing, plot.left + plot.width
    if mark.axis == "file_size":
        y = plot.y(at)
        drawing.line([(plot.left, y), (right, y)], VERMILLION, 0.8)
        drawing.text(right + 2, y, mark.label, TINY, VERMILLION, drop=MIDDLE)
    else:
        x = plot.x(at)
        drawing.line([(x, plot.top), (x, plot.bottom)], VERMILLION, 0.8)
        drawing.text(x, plot.top - 1.5, mark.label, TINY, VERMILLION, anchor="middle")

"""One or two surfaces as heat maps and in three dimensions, more as heat maps only; all on one scale, with a slice."""

from __future__ import annotations

from itertools import pairwise
from math import ceil

from benchdb.compare.surface.colours import colour_scale, figure_of
from benchdb.compare.surface.content import SurfaceContent, cells
from benchdb.compare.surface.figures import unit_of
from benchdb.compare.table.charts.chart import ChartSeries
from benchdb.compare.table.charts.scale import Figure, scale_of_figures
from benchdb.exports.errors import TooLarge
from benchdb.exports.origin import Origin
from benchdb.exports.printed import method
from benchdb.exports.printed.surface import better
from benchdb.runs.cells.cell import Cell
from benchdb.wording.colours import colours
from benchdb.wording.words import direction

from .heat import (
    BAR,
    FAILED,
    UNMEASURED,
    Field,
    draw_bar,
    draw_heat,
    draw_ratio,
    draw_ratio_bar,
    has_bar,
    size_ticks,
)
from .plot import Plot, plain_scale
from .sheet import draw_sample, lay_out
from .solid import draw_solid
from .style import INCH, SERIES, SMALL, TINY, WIDTH, mix
from .svg import Drawing

MOST_SIZES = 40
WIDE = 10.4 * INCH  # for several runs
PANEL = 215.0  # that a panel is high
LEFT, RIGHT, UNDER, OVER = 46.0, 36.0, 32.0, 24.0  # around a heat map
SOLID = (46.0, 30.0, 34.0, 12.0)  # the same around a surface in three dimensions
BESIDE, LEGEND = 32.0, 12.0  # for a colour bar and its numbers; above a slice
ASIDE = 0.06  # of the distance between sizes


def draw_surface(content: SurfaceContent, origin: Origin) -> Drawing:
    """The picture of a surface. Raises TooLarge."""
    if max(len(content.file_sizes), len(content.record_sizes)) > MOST_SIZES:
        raise TooLarge(f"a picture of a surface may have {MOST_SIZES} sizes on an axis")
    count, scale = len(content.surfaces), colour_scale(content)
    whole, columns = (WIDTH, 2) if count == 1 else (WIDE, 3)
    panels = {1: 2, 2: 6}.get(count, count + 1)
    drawing, top = lay_out(content, origin, _explanations(content), PANEL * ceil(panels / columns), width=whole)
    width, bar = whole / columns, BESIDE if has_bar(content) else 0.0

    def corner(panel: int) -> tuple[float, float]:
        return panel % columns * width, top + panel // columns * PANEL

    for i, surface in enumerate(content.surfaces):
        left, upper = corner(i)
        field = _field(left, upper, width - bar)
        marks = [mark for mark in content.marks if i in mark.of]
        plot = draw_heat(drawing, field, content, surface.cells, scale, marks)
        plot.title(surface.label, f", {_unit(content)}", room=width - LEFT - 4)
        if bar:
            draw_bar(drawing, _bar_field(field, left + width), content, scale)
        if count <= 2:
            left, upper = corner(1 if count == 1 else columns + i)
            around = (left + SOLID[0], upper + SOLID[3], width - SOLID[0] - SOLID[1], PANEL - SOLID[2] - SOLID[3])
            draw_solid(drawing, around, content, surface.cells, scale, _unit(content))
    if content.ratio:
        field = _field(*corner(2), width - bar)
        plot = draw_ratio(drawing, field, content)
        first, second = (surface.label for surface in content.surfaces)
        plot.title(f"{second} ÷ {first}", f", {better(content)}", room=width - LEFT - 4)
        if bar:
            draw_ratio_bar(drawing, _bar_field(field, 3 * width), content)
    if count > 1:
        _draw_slice(drawing, _field(*corner(panels - 1), width), content)
    return drawing


def _field(left: float, top: float, width: float) -> Field:
    return left + LEFT, top + OVER, width - LEFT - RIGHT, PANEL - OVER - UNDER


def _bar_field(heat: Field, right: float) -> Field:
    """The field of a colour bar that ends at `right` with its numbers, behind the names of caches and memory."""
    return right - BESIDE - 4, heat[1], BAR, heat[3]


def _unit(content: SurfaceContent) -> str:
    return {"cv": "coefficient of variation, %", "sd": f"sd, {content.unit}"}.get(
        content.statistic, f"{content.unit} {direction(content.higher_is_better)}"
    )


def _draw_slice(drawing: Drawing, field: Field, content: SurfaceContent) -> None:
    """All runs at the record size with the most cells, the larger of several."""
    counts = [
        sum(_shown(line[record], content) is not None for surface in content.surfaces for line in surface.cells)
        for record in range(len(content.record_sizes))
    ]
    record = max(range(len(counts)), key=lambda i: (counts[i], i))
    lines = [[_shown(line[record], content) for line in surface.cells] for surface in content.surfaces]
    up = scale_of_figures([figure for line in lines for figure in line if figure is not None])
    count = len(content.file_labels)
    left, top, width, height = field
    across = plain_scale(-0.5, count - 0.5, size_ticks(content.file_labels, width))
    plot = Plot(drawing, left, top + LEGEND, width, height - LEGEND, across, up)
    plot.rule_up()
    plot.name_across(plot.rule_across(size=TINY, rules=False), "file size")
    plot.edge()
    head = f"Slice at {content.record_labels[record]} records"
    plot.title(head, f", {_unit(content)}", room=width + RIGHT, above=LEGEND + 7)
    found = colours([surface.label for surface in content.surfaces])
    for i, (surface, line, colour) in enumerate(zip(content.surfaces, lines, found, strict=True)):
        aside = ASIDE * (2 * i + 1 - len(lines)) / max(1, len(lines) - 1)
        _draw_line(plot, line, colour, aside, "3.5 1.6" if i % 2 else "")
        room = (width + RIGHT) / len(lines)
        draw_sample(drawing, left + i * room, top + 4, ChartSeries(surface.label, colour), SMALL, room - 22)


def _draw_line(plot: Plot, line: list[Figure | None], number: int, aside: float, dashes: str) -> None:
    """A run; its intervals are a little beside its marks, so that those of two runs can be distinguished."""
    colour, known = SERIES[number - 1], [(i, figure) for i, figure in enumerate(line) if figure is not None]
    for (i, one), (k, other) in pairwise(known):
        if k == i + 1:
            plot.drawing.line([(plot.x(i), plot.y(one.value)), (plot.x(k), plot.y(other.value))], colour, dashes=dashes)
    for i, figure in known:
        if figure.low is not None and figure.high is not None:
            plot.interval(max(figure.low, 0), figure.high, plot.x(i + aside), mix(colour, 0.6), 0.8, upright=True)
        plot.drawing.marker(number, plot.x(i), plot.y(figure.value), 3.5, colour)


def _shown(cell: Cell | None, content: SurfaceContent) -> Figure | None:
    """The statistic in the shown unit; a mean with its 95 % interval."""
    figure, per = None if cell is None else figure_of(cell, content), unit_of(content).per
    if cell is None or figure is None:
        return None
    if content.statistic != "mean" or cell.low is None or cell.high is None:
        return Figure(figure / per, None, None)
    return Figure(figure / per, cell.low / per, cell.high / per)


def _explanations(content: SurfaceContent) -> list[str]:
    measured = [placed.cell for placed in cells(content)]
    meanings = {"cached": "dotted: measured memory (RAM)", "coarse": "hatched: less than 100 ticks of the clock (CLK)"}
    meanings |= {"failed": f"{FAILED}: failed", "unmeasurable": f"{UNMEASURED}: too fast to measure"}
    occurring = {cell.status for cell in measured}
    occurring |= {cell.cache.verdict for cell in measured}
    occurring |= {cell.clock.verdict.replace("unusable", "coarse") for cell in measured}
    marks = [text for name, text in meanings.items() if name in occurring]
    counts = sorted({cell.n for cell in measured if cell.n})
    n = f"n = {counts[0]}" if len(set(counts)) == 1 else f"n = {counts[0]} to {counts[-1]}" if counts else "n unknown"
    grey = "grey: no difference shown" if content.ratio else ""
    lines = "lines through marks: 95 % intervals" if len(content.surfaces) > 1 and content.statistic == "mean" else ""
    drawn = "Colour and height" if len(content.surfaces) <= 2 else "Colour"
    legend = "; ".join(filter(None, [f"{drawn}: {content.statistic}, {n}", *marks, grey, lines]))
    return [f"{legend}.", *method.tests(content, measured), *method.of_all_verdicts(measured)]

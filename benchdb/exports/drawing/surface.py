"""A surface as heat map and in three dimensions; two runs share one scale and add their ratio and a slice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm, Normalize
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator

from benchdb.compare.surface.averages import SurfaceCells, statistic_of
from benchdb.compare.surface.colours import colour_scale
from benchdb.compare.surface.content import SurfaceContent, cells
from benchdb.compare.surface.figures import unit_of
from benchdb.exports.errors import TooLarge
from benchdb.exports.origin import Origin
from benchdb.exports.printed import method
from benchdb.exports.printed.surface import better
from benchdb.runs.cells.cell import Cell
from benchdb.wording.colours import colours
from benchdb.wording.words import direction

from .heat import (
    FAILED,
    TICK,
    UNMEASURED,
    Matrix,
    draw_bar,
    draw_heat,
    draw_ratio,
    draw_ratio_bar,
    has_bar,
    plain,
    upright,
)
from .sheet import Sheet, lay_out
from .style import FAINT, INK, MAGNITUDE, MARKERS, RULE, SERIES, SMALL, WIDTH, short

MOST_SIZES = 40
WIDE = 10.4  # inches for two runs
PANEL = 3.05  # inches that a panel is high
LEFT, RIGHT, UNDER, OVER = 0.62, 0.5, 0.62, 0.3  # inches round a heat map
BAR = 0.42  # inches for a colour bar and its numbers
ASIDE = 0.06  # of the distance between sizes


def draw_surface(content: SurfaceContent, origin: Origin) -> Sheet:
    """The picture of a surface. Raises TooLarge."""
    if max(len(content.file_sizes), len(content.record_sizes)) > MOST_SIZES:
        raise TooLarge(f"a picture of a surface may have {MOST_SIZES} sizes on an axis")
    two = len(content.surfaces) > 1
    width = WIDE if two else WIDTH
    sheet = lay_out(content, origin, _explanations(content), width=width, height=PANEL * (2 if two else 1))
    _draw_panels(sheet, content, width / (3 if two else 2))
    return sheet


def _draw_panels(sheet: Sheet, content: SurfaceContent, width: float) -> None:
    top = sheet.top
    matrices = [_matrix(content, surface.cells) for surface in content.surfaces]
    two, norm, bar = len(matrices) > 1, _norm(content), BAR if has_bar(content) else 0.0
    for i, (surface, matrix) in enumerate(zip(content.surfaces, matrices, strict=True)):
        heat = _panel_axes(sheet, i * width, top, width - bar)
        marks = [mark for mark in content.marks if i in mark.of]
        draw_heat(heat, content, surface.cells, matrix, norm, marks)
        _title(heat, f"{surface.label}, {_unit(content)}")
        if bar:
            draw_bar(_bar_axes(sheet, (i + 1) * width, top), norm)
        at = (i * width, top + PANEL) if two else (width, top)
        _draw_solid(sheet.axes(*at, width, PANEL, projection="3d"), content, matrix, norm)
    if two and content.ratio:
        first, second = (surface.label for surface in content.surfaces)
        axes = _panel_axes(sheet, 2 * width, top, width - bar)
        draw_ratio(axes, content)
        if bar:
            draw_ratio_bar(_bar_axes(sheet, 3 * width, top), content)
        _title(axes, f"{second} ÷ {first}, {better(content)}")
        _draw_slice(
            _panel_axes(sheet, 2 * width, top + PANEL, width), content, matrices, logarithmic=isinstance(norm, LogNorm)
        )


def _panel_axes(sheet: Sheet, left: float, top: float, width: float) -> Any:
    return sheet.axes(left + LEFT, top + OVER, width - LEFT - RIGHT, PANEL - OVER - UNDER)


def _bar_axes(sheet: Sheet, right: float, top: float) -> Any:
    """Axes beside the heat map that ends at `right`, behind the names of caches and memory."""
    return sheet.axes(right - BAR - 0.06, top + OVER, 0.08, PANEL - OVER - UNDER)


def _title(axes: Axes, text: str) -> None:
    axes.set_title(short(text, 48), fontsize=8, fontweight="bold", loc="left", pad=9)


def _unit(content: SurfaceContent) -> str:
    return {"cv": "coefficient of variation, %", "sd": f"sd, {content.unit}"}.get(
        content.statistic, f"{content.unit} {direction(content.higher_is_better)}"
    )


def _matrix(content: SurfaceContent, grid: SurfaceCells) -> Matrix:
    """The statistic of each cell in the page's unit (file sizes × record sizes), NaN for a hole."""
    per = 0.01 if content.statistic == "cv" else content.per

    def value_of(cell: Cell | None) -> float:
        value = None if cell is None else statistic_of(cell, content.statistic)
        return np.nan if value is None else value / per

    return np.array([[value_of(cell) for cell in line] for line in grid], dtype=float)


def _norm(content: SurfaceContent) -> Normalize:
    """The scale of the page's colours in the shown unit."""
    scale, per = colour_scale(content), unit_of(content).per
    if scale is None or scale.high <= scale.low:
        return Normalize(0, scale.high / per if scale and scale.high > 0 else 1)
    return (LogNorm if scale.logarithmic else Normalize)(scale.low / per, scale.high / per, clip=True)


def _draw_solid(axes: Any, content: SurfaceContent, matrix: Matrix, norm: Normalize) -> None:
    """The surface in three dimensions with open holes. Heights are linear, so that they compare like numbers."""
    files, records = matrix.shape
    x, y = np.meshgrid(np.arange(records), np.arange(files))
    if np.isfinite(matrix).any():
        axes.plot_surface(x, y, matrix, cmap=MAGNITUDE, norm=norm, rstride=1, cstride=1, edgecolor="white",
                          linewidth=0.25, antialiased=True)  # fmt: skip
    axes.set_zlim(0, float(np.nanmax(matrix)) if np.isfinite(matrix).any() else norm.vmax)
    axes.view_init(elev=26, azim=-128)
    axes.set_box_aspect((1.15, 1.15, 0.8), zoom=0.92)
    for name, labels in (("x", content.record_labels), ("y", content.file_labels)):
        step = max(1, -(-len(labels) // 6))
        getattr(axes, f"set_{name}ticks")(range(0, len(labels), step), labels[::step])
    axes.zaxis.set_major_locator(MaxNLocator(5))
    axes.zaxis.set_major_formatter(FuncFormatter(lambda value, _: plain(value)))
    for axis in ("x", "y", "z"):
        axes.tick_params(axis=axis, labelsize=5.5, pad=-3)
    axes.set_xlabel("record size", fontsize=SMALL, labelpad=-4, color=FAINT)
    axes.set_ylabel("file size", fontsize=SMALL, labelpad=-4, color=FAINT)
    axes.set_zlabel(_unit(content), fontsize=SMALL, labelpad=-4, color=FAINT)


def _draw_slice(axes: Axes, content: SurfaceContent, matrices: Sequence[Matrix], *, logarithmic: bool) -> None:
    """Both runs at the record size with the most cells, the larger of several."""
    counts = sum(np.isfinite(matrix).sum(axis=0) for matrix in matrices)
    record = int(np.flatnonzero(counts == np.max(counts))[-1])
    found = colours([surface.label for surface in content.surfaces])
    aside = [0.0] if len(matrices) == 1 else [-ASIDE, ASIDE]
    for i, (surface, matrix) in enumerate(zip(content.surfaces, matrices, strict=True)):
        colour = found[i] - 1
        style: dict[str, Any] = {"color": SERIES[colour], "marker": MARKERS[colour], "linestyle": ["-", "--"][i]}
        axes.plot(matrix[:, record], linewidth=1, markersize=3.5, label=short(surface.label, 20), **style)
        _draw_intervals(axes, content, [line[record] for line in surface.cells], aside[i], SERIES[colour])
    if logarithmic:
        axes.set_yscale("log")
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.minorticks_off()
    else:
        axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: plain(value)))
    step = upright(axes, content.file_labels)
    axes.set_xticks(range(0, len(content.file_labels), step), content.file_labels[::step], fontsize=TICK)
    axes.tick_params(axis="y", labelsize=SMALL)
    axes.grid(axis="y", color=RULE, linewidth=0.4)
    axes.set_xlabel("file size", fontsize=SMALL, color=FAINT)
    axes.legend(frameon=False, fontsize=SMALL, labelcolor=INK)
    _title(axes, f"Slice at {content.record_labels[record]} records, {_unit(content)}")


def _draw_intervals(
    axes: Axes, content: SurfaceContent, line: Sequence[Cell | None], aside: float, colour: str
) -> None:
    """The 95 % intervals of the means, a little beside their marks, so that those of two runs can be distinguished."""
    if content.statistic != "mean":
        return
    for at, cell in enumerate(line):
        if cell is not None and cell.low is not None and cell.high is not None:
            ends = [max(cell.low, 0) / content.per, cell.high / content.per]
            axes.plot([at + aside, at + aside], ends, color=colour, linewidth=0.8, alpha=0.6, solid_capstyle="butt")


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
    legend = "; ".join(filter(None, [f"Colour and height: {content.statistic}, {n}", *marks, grey, lines]))
    return [f"{legend}.", *method.tests(content, measured), *method.of_all_verdicts(measured)]

"""Heat maps: file size upwards, record size to the right, holes white; a colour bar if numbers do not fit in cells."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from math import ceil, log2
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Colormap, LinearSegmentedColormap, LogNorm, Normalize
from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedLocator, FuncFormatter, Locator, LogLocator, MaxNLocator

from benchagent.verdicts import VERDICTS
from benchdb.compare.surface.averages import SurfaceCells
from benchdb.compare.surface.cache_marks import SizeMark
from benchdb.compare.surface.content import SurfaceContent
from benchdb.compare.surface.figures import say_in, unit_of
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.verdict import CellVerdict
from benchdb.wording.axes import ratio_ticks
from benchdb.wording.numbers import NARROW_SPACE, say_mean_and_sd, say_ratio
from benchdb.wording.units import Unit

from .style import BLUE, FAINT, INK, MAGNITUDE, SMALL, VERMILLION

RATIO = LinearSegmentedColormap.from_list("ratio", [VERMILLION, "#f7f7f7", BLUE])
GREY = "#d4d4d4"
SMALLEST_SPAN = log2(1.1)  # of the scale of ratios, so that a few per cent get a pale colour
HATCHES = {"cached": "...", "coarse": "///", "unusable": "///"}
FAILED, UNMEASURED = "×", "·"
MOST_NUMBERS = 16  # columns; with more, cells have no room for numbers
MOST_LABELS = 24  # sizes along the vertical axis
TICK = 5.5  # points of the sizes' font
DIGIT = 0.64  # of a font's size, the width of a digit
WIDEST_RATIO = "0.000"
LETTER = 0.68  # of its size, the width of a letter with the space between labels
ONE = Unit("", "", 1)

Matrix = npt.NDArray[np.float64]


def has_bar(content: SurfaceContent) -> bool:
    """Whether the heat maps need a colour bar, because their cells have no room for numbers."""
    return len(content.record_sizes) > MOST_NUMBERS


def draw_bar(axes: Axes, norm: Normalize) -> None:
    """The scale of magnitudes."""
    ticks = LogLocator(subs=(1, 2, 5)) if isinstance(norm, LogNorm) else MaxNLocator(5)
    _bar(axes, norm, colormaps[MAGNITUDE], ticks, plain)


def draw_ratio_bar(axes: Axes, content: SurfaceContent) -> None:
    """The scale of ratios; it is logarithmic, so that a factor and its inverse lie equally far from 1."""
    span = _span(_logs(content))
    # Matplotlib asks with the values of the locator, so that texts are found by them.
    texts = {log2(tick.value): tick.text for tick in ratio_ticks(2**-span, 2**span)}
    _bar(axes, Normalize(-span, span), _scale(content), FixedLocator([*texts]), lambda log: texts.get(log, ""))


def plain(value: float) -> str:
    """The number of a tick, without an exponent, with digits grouped as in tables."""
    return f"{value:,.10g}".replace(",", "\u202f")


def _bar(axes: Axes, norm: Normalize, cmap: Colormap, ticks: Locator, say: Callable[[float], str]) -> None:
    formatter = FuncFormatter(lambda value, _: say(value))
    bar = axes.figure.colorbar(ScalarMappable(norm, cmap), cax=axes, ticks=ticks, format=formatter)
    bar.outline.set_visible(False)
    bar.ax.minorticks_off()
    bar.ax.tick_params(labelsize=5.5, length=2, width=0.4, pad=1.5, color=FAINT)


def draw_heat(
    axes: Axes, content: SurfaceContent, grid: SurfaceCells, matrix: Matrix, norm: Normalize, marks: Sequence[SizeMark]
) -> None:
    """One surface, with the ends of caches and memory as lines."""
    cmap = colormaps[MAGNITUDE]
    axes.pcolormesh(matrix, cmap=cmap, norm=norm, edgecolors="white", linewidth=0.4)
    texts = [
        [_figure(content, cell, value) for cell, value in zip(*line, strict=True)]
        for line in zip(grid, matrix, strict=True)
    ]
    size = _size(axes, texts)
    for i, line in enumerate(grid):
        for j, cell in enumerate(line):
            if cell is None:
                continue
            if np.isfinite(matrix[i, j]):
                dark = float(norm(matrix[i, j])) < 0.55
                _hatch(axes, i, j, cell)
                _number(axes, i, j, texts[i][j], "white" if dark else INK, size)
            else:
                _number(axes, i, j, FAILED if cell.status == "failed" else UNMEASURED, FAINT, size)
    _ticks(axes, content)
    for mark in marks:
        _mark(axes, content, mark)


def draw_ratio(axes: Axes, content: SurfaceContent) -> None:
    """The ratio of two surfaces; cells whose difference is not significant are grey."""
    ratios = _logs(content)
    span = _span(ratios)
    size = _size(axes, [[WIDEST_RATIO] * ratios.shape[1]])
    axes.set_xlim(0, ratios.shape[1])
    axes.set_ylim(0, ratios.shape[0])
    for i, line in enumerate(content.ratio or ()):
        for j, verdict in enumerate(line):
            if verdict is None:
                continue
            has_ratio = np.isfinite(ratios[i, j])
            differs = has_ratio and verdict.kind in ("better", "worse")
            colour = _scale(content)(0.5 + 0.5 * ratios[i, j] / span) if differs else GREY
            axes.add_patch(Rectangle((j, i), 1, 1, facecolor=colour, edgecolor="white", linewidth=0.4))
            text = say_ratio(2 ** ratios[i, j]) if has_ratio else VERDICTS["none"].sign
            deep = differs and abs(ratios[i, j]) > 0.6 * span
            _number(axes, i, j, text, "white" if deep else INK if differs else FAINT, size)
    _ticks(axes, content)


def _scale(content: SurfaceContent) -> Colormap:
    """The colours from the smallest ratio to the largest: the better end is blue."""
    return RATIO if content.higher_is_better else RATIO.reversed()


def _logs(content: SurfaceContent) -> Matrix:
    return np.array([[_log(verdict) for verdict in line] for line in content.ratio or ()], dtype=float)


def _span(ratios: Matrix) -> float:
    """Half the scale of ratios, as a logarithm."""
    finite = np.abs(ratios[np.isfinite(ratios)])
    return max(SMALLEST_SPAN, float(finite.max())) if len(finite) else SMALLEST_SPAN


def _log(verdict: CellVerdict | None) -> float:
    return log2(verdict.ratio) if verdict and verdict.ratio else np.nan


def _hatch(axes: Axes, i: int, j: int, cell: Cell) -> None:
    for verdict in (cell.cache.verdict, cell.clock.verdict):
        if hatch := HATCHES.get(verdict):
            axes.add_patch(Rectangle((j, i), 1, 1, fill=False, hatch=hatch, edgecolor=(1, 1, 1, 0.22), linewidth=0))


def _size(axes: Axes, texts: Sequence[Sequence[str]]) -> float | None:
    """The points of the numbers in cells, so that the longest fits between the lines; None for too many columns."""
    columns = max(map(len, texts), default=0)
    if not 0 < columns <= MOST_NUMBERS:
        return None
    longest = max((len(text) - text.count(NARROW_SPACE) / 2 for line in texts for text in line), default=1)
    return min(6.0, axes.bbox.width / axes.figure.dpi * 72 / columns * 0.9 / (DIGIT * max(longest, 1)))


def _number(axes: Axes, i: int, j: int, text: str, colour: str, size: float | None) -> None:
    if size is not None:
        axes.text(j + 0.5, i + 0.5, text, ha="center", va="center", fontsize=size, color=colour)


def _figure(content: SurfaceContent, cell: Cell | None, value: float) -> str:
    """The figure as in tables: a mean has the digits that its deviation supports. `value` is in the shown unit."""
    if cell is None or not np.isfinite(value):
        return ""
    if content.statistic == "mean" and cell.mean is not None:
        return say_mean_and_sd(cell.mean, cell.sd, cell.n, unit_of(content))["mean"]
    return say_in(value, content.statistic, ONE)


def upright(axes: Axes, labels: Sequence[str]) -> int:
    """The step between the labels under an axis that have room, so that none is turned: 1 for all of them."""
    room = axes.bbox.width / axes.figure.dpi * 72 / max(1, len(labels))
    longest = max(map(len, labels), default=0) * TICK * LETTER
    return max(1, ceil(longest / room))


def _ticks(axes: Axes, content: SurfaceContent) -> None:
    sides = (axes.xaxis, "record", content.record_labels), (axes.yaxis, "file", content.file_labels)
    for axis, name, labels in sides:
        step = ceil(len(labels) / MOST_LABELS) if axis is axes.yaxis else upright(axes, labels)
        indices = range(0, len(labels), step)
        axis.set_ticks([i + 0.5 for i in indices], [labels[i] for i in indices], fontsize=TICK)
        axis.set_label_text(f"{name} size", fontsize=SMALL, color=FAINT)
    axes.tick_params(axis="both", length=0, pad=2)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _mark(axes: Axes, content: SurfaceContent, mark: SizeMark) -> None:
    """A line behind the last size that fits in a cache or in memory, unless it is the last size of all."""
    sizes = content.file_sizes if mark.axis == "file_size" else content.record_sizes
    at = bisect_right(sizes, mark.bytes)
    if not 0 < at < len(sizes):
        return
    style: dict[str, Any] = {"color": VERMILLION, "linewidth": 0.8}
    if mark.axis == "file_size":
        axes.axhline(at, **style)
        axes.annotate(mark.label, (1, at), (2, 0), xycoords=axes.get_yaxis_transform(), textcoords="offset points",
                      fontsize=5.5, va="center", color=VERMILLION, annotation_clip=False)  # fmt: skip
    else:
        axes.axvline(at, **style)
        axes.annotate(mark.label, (at, 1), (0, 2), xycoords=axes.get_xaxis_transform(), textcoords="offset points",
                      fontsize=5.5, ha="center", color=VERMILLION, annotation_clip=False)  # fmt: skip

"""One panel of a dot chart: the cells of one column, a line for each row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, NullFormatter

from benchdb.compare.content import Placed
from benchdb.exports.printed.document import PrintedCell, printed_cell
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.cell_context import show_cell
from benchdb.wording.words import direction

from .style import FAINT, RULE, SMALL, VERDICTS, short

WIDEST = 20  # times the smallest mean; the axis is logarithmic if the largest mean is greater

PanelKey = tuple[str, str]  # split, row
Style = tuple[str, str]  # colour, marker


def draw_panel(
    axes: Axes,
    lines: Sequence[PanelKey | str],
    column: str,
    cells: Mapping[PanelKey, Placed],
    styles: Mapping[str, Style],
) -> None:
    """The cells of one column; `lines` are keys of cells and labels of splits, from top to bottom."""
    first = next(iter(cells.values()))
    per = first.measure.per
    axes.set_ylim(len(lines) - 0.4, -0.6)
    axes.set_yticks([])
    axes.set_title(short(column), fontsize=8, fontweight="bold", loc="left", pad=5)
    arrow = direction(first.measure.higher_is_better)
    axes.set_xlabel(f"{first.measure.unit} {arrow}", fontsize=SMALL, labelpad=2, color=FAINT)
    _scale(axes, [placed.cell for placed in cells.values() if placed.cell.mean is not None], per)
    for y, line in enumerate(lines):
        if not isinstance(line, str):
            axes.axhline(y, color=RULE, linewidth=0.4, zorder=0)
            if (placed := cells.get(line)) is not None:
                _draw_cell(axes, y, placed, styles[placed.row])
    _draw_baselines(axes, lines, cells, per)


def _scale(axes: Axes, cells: Sequence[Cell], per: float) -> None:
    """Start at 0, so that lengths compare like numbers; use logarithms if the means differ too much."""
    means = [cell.mean / per for cell in cells if cell.mean is not None]
    if means and min(means) > 0 and max(means) > WIDEST * min(means):
        axes.set_xscale("log")
        axes.set_xlim(min(means) / 1.5, max(means) * 1.5)
        axes.xaxis.set_minor_formatter(NullFormatter())
    elif means:
        # Very wide intervals, as those of two rounds, are cut off to leave room for the others.
        ends = [min(cell.high / per, 1.5 * max(means)) for cell in cells if cell.high is not None]
        axes.set_xlim(min([0.0, *means]) * 1.08, max([0.0, *means, *ends]) * 1.06 or 1)
        axes.xaxis.set_major_locator(MaxNLocator(4))
    else:
        axes.set_xticks([])
    axes.tick_params(axis="x", labelsize=SMALL, length=2.5, pad=1.5)


def _draw_cell(axes: Axes, y: int, placed: Placed, style: Style) -> None:
    cell, per, (colour, marker) = placed.cell, placed.measure.per, style
    printed = printed_cell(show_cell(cell))
    if cell.mean is None:
        axes.text(0.02, y, short(printed.words, 30), transform=axes.get_yaxis_transform(), fontsize=SMALL, va="center",
                  fontstyle="italic", color=FAINT)  # fmt: skip
        return
    if cell.low is not None and cell.high is not None:
        axes.plot([cell.low / per, cell.high / per], [y, y], color=colour, linewidth=1.4, solid_capstyle="butt")
    face = colour if cell.best else "white"
    axes.plot([cell.mean / per], [y], marker, color=colour, markerfacecolor=face, markersize=4.2, markeredgewidth=1)
    _write_marks(axes, y, printed, cell.verdict.kind if cell.verdict else "")


def _write_marks(axes: Axes, y: int, printed: PrintedCell, kind: str) -> None:
    """The verdict, and after it the tags."""
    colour = VERDICTS.get(kind, FAINT)
    axes.annotate(
        printed.marks, (1, y), (4, 0), xycoords=axes.get_yaxis_transform(), textcoords="offset points",
        va="center", fontsize=SMALL, color=colour, annotation_clip=False,
    )  # fmt: skip


def _draw_baselines(axes: Axes, lines: Sequence[PanelKey | str], cells: Mapping[PanelKey, Placed], per: float) -> None:
    """A vertical line at the mean of each baseline, as high as its split."""
    starts = [y for y, line in enumerate(lines) if isinstance(line, str)]
    ends = [*starts[1:], len(lines)]
    start = 0
    for end in ends:
        for line in lines[start:end]:
            placed = cells.get(line) if not isinstance(line, str) else None
            if placed is not None and placed.cell.baseline and placed.cell.mean is not None:
                axes.plot([placed.cell.mean / per] * 2, [start - 0.5, end - 0.5], color=FAINT, linewidth=0.6,
                          linestyle=(0, (3, 2)), zorder=0.5)  # fmt: skip
        start = end

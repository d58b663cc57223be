"""A table as a dot chart (Cleveland 1985): one panel a column, one line a row, the interval of the mean as a bar."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes

from benchdb.compare.content import Placed
from benchdb.compare.table.content import TableContent, cells
from benchdb.exports.errors import TooLarge
from benchdb.exports.origin import Origin
from benchdb.exports.printed import method, table
from benchdb.exports.printed.document import printed_cell
from benchdb.runs.cells.cell_context import show_cell
from benchdb.wording.colours import colours

from .panel import PanelKey, Style, draw_panel
from .sheet import Sheet, lay_out
from .style import INK, MARGIN, MARKERS, SERIES, WIDTH, short

MOST_PANELS = 60
MOST_MARKS = 1500
HIGHEST = 120.0  # inches: 700 lines, five seconds of a processor and 300 MiB; Matplotlib's own limit is 65,536 dots
PANELS_PER_ROW = 3  # panels side by side
LINE = 0.17  # inches that a row takes
ABOVE, BELOW = 0.26, 0.5  # inches for a panel's head and its axis
MARKS = 0.72  # inches right of a panel for verdicts and tags, at least
MARK = 0.058  # inches of one of their letters
LETTER = 0.066


@dataclass
class Panel:
    """One column of one metric: its cells by line."""

    column: str
    cells: dict[PanelKey, Placed]


@dataclass
class Block:
    """The panels of one metric with their common lines; a line is a cell's key or a split's label."""

    lines: list[PanelKey | str]
    panels: list[Panel]

    @property
    def height(self) -> float:
        """Inches of one panel with head and axis."""
        return ABOVE + LINE * len(self.lines) + BELOW

    @property
    def rows(self) -> int:
        return math.ceil(len(self.panels) / PANELS_PER_ROW)


def draw_table(content: TableContent, origin: Origin) -> Sheet:
    """The chart of a table. Raises TooLarge."""
    placed = list(cells(content))
    blocks = _blocks(placed)
    _bound(blocks, len(placed))
    panels = sum(block.height * block.rows for block in blocks)
    if panels > HIGHEST:
        raise TooLarge(f"a picture {panels:.0f} inches high cannot be read; choose fewer tests, sizes or runs")
    sheet = lay_out(content, origin, _explanations(content, placed), width=WIDTH, height=panels)
    styles = _styles(placed)
    # As on the page: `1 MiB records`, not `1 MiB`.
    labels = [grid.label for grid in table.grids(content)]
    splits = dict(zip((group.label for group in content.groups), labels, strict=True))
    across = max(2, min(PANELS_PER_ROW, max((len(block.panels) for block in blocks), default=1)))
    top = sheet.top
    for block in blocks:
        _draw_block(sheet, top, block, styles, splits, across)
        top += block.height * block.rows
    return sheet


def _bound(blocks: Sequence[Block], marks: int) -> None:
    panels = sum(len(block.panels) for block in blocks)
    if panels > MOST_PANELS or marks > MOST_MARKS:
        raise TooLarge(
            f"a picture of {panels} columns and {marks} cells cannot be read ({MOST_PANELS} and {MOST_MARKS} at most);"
            " choose fewer tests, sizes or runs"
        )


def _blocks(placed: Sequence[Placed]) -> list[Block]:
    panels: dict[str, dict[str, Panel]] = {}
    keys: dict[str, dict[PanelKey, None]] = {}
    for cell in placed:
        metric = cell.measure.metric
        panel = panels.setdefault(metric, {}).setdefault(cell.column, Panel(cell.column, {}))
        panel.cells[cell.split, cell.row] = cell
        keys.setdefault(metric, {})[cell.split, cell.row] = None
    return [Block(_lines(list(keys[metric])), list(of_metric.values())) for metric, of_metric in panels.items()]


def _lines(keys: Sequence[PanelKey]) -> list[PanelKey | str]:
    """The lines from top to bottom; the label of a split is above its rows."""
    lines: list[PanelKey | str] = []
    split = ""
    for key in keys:
        if key[0] != split:
            split = key[0]
            lines.append(split)
        lines.append(key)
    return lines


def _styles(placed: Sequence[Placed]) -> dict[str, Style]:
    """Colour and marker of each row; more than seven rows all look alike and have only their labels."""
    rows = list(dict.fromkeys(cell.row for cell in placed))
    return {row: (SERIES[colour - 1], MARKERS[colour - 1]) for row, colour in zip(rows, colours(rows), strict=True)}


def _draw_block(
    sheet: Sheet, top: float, block: Block, styles: dict[str, Style], splits: dict[str, str], across: int
) -> None:
    labels = [short(splits[line] if isinstance(line, str) else line[1]) for line in block.lines]
    left = MARGIN + LETTER * max(map(len, labels)) + 0.08
    width = (WIDTH - MARGIN - left) / across
    longest = max(
        len(printed_cell(show_cell(placed.cell)).marks) for panel in block.panels for placed in panel.cells.values()
    )
    marks = min(max(MARKS, MARK * longest + 0.1), width / 2)
    for i, panel in enumerate(block.panels):
        row, column = divmod(i, PANELS_PER_ROW)
        box = (left + column * width, top + row * block.height + ABOVE, width - marks, LINE * len(block.lines))
        axes: Any = sheet.axes(*box)
        draw_panel(axes, block.lines, panel.column, panel.cells, styles)
        if column == 0:
            _label_lines(axes, block.lines, labels)


def _label_lines(axes: Axes, lines: Sequence[PanelKey | str], labels: Sequence[str]) -> None:
    for y, (line, label) in enumerate(zip(lines, labels, strict=True)):
        weight = "bold" if isinstance(line, str) else "normal"
        axes.annotate(
            label, (0, y), (-5, 0), xycoords=axes.get_yaxis_transform(), textcoords="offset points",
            ha="right", va="center", fontweight=weight, color=INK,
        )  # fmt: skip


def _explanations(content: TableContent, placed: Sequence[Placed]) -> list[str]:
    """The meaning of dots, bars, lines and signs."""
    measured = [cell.cell for cell in placed]
    counts = ", ".join(dict.fromkeys(group.n for group in content.groups if group.n))
    best = any(cell.best for cell in measured)
    filled = " (filled: the best, or tied for it)" if best else ""
    bars = any(cell.low is not None for cell in measured)
    means = f"Marker: mean{filled}{'; bar: its 95 % interval' if bars else ''}; dashed: {content.baseline}. {counts}."
    signs = [text for text in method.legend(content, measured) if "{best}" not in text]
    signs = [text.replace("see the notes", "a warning, told at the address below") for text in signs]
    return [means, " ".join(signs), *method.tests(content, measured), *method.of_all_verdicts(measured)]

"""A table as a dot chart (Cleveland 1985): one panel a column, one line a row, the interval of the mean as a bar."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes

from benchdb.compare.content import Placed
from benchdb.compare.table.present import show_table
from benchdb.exports.contents import Content, cells
from benchdb.exports.origin import Origin
from benchdb.exports.printed import method
from benchdb.exports.printed.document import figure, grids_of
from benchdb.exports.too_large import TooLarge
from benchdb.runs.cells.cell_context import show_cell

from .panel import Key, Style, draw_panel
from .style import (
    BLUE,
    INK,
    MARGIN,
    MARKERS,
    SERIES,
    SMALL,
    WIDTH,
    Sheet,
    footing,
    heading,
    height_of,
    sheet,
    short,
    write_footing,
    write_heading,
)

MOST_PANELS = 60
MOST_MARKS = 1500
HIGHEST = 120.0  # inches: 700 lines, five seconds of a processor and 300 MiB; Matplotlib's own limit is 65,536 dots
ACROSS = 3  # panels side by side
LINE = 0.17  # inches that a row takes
ABOVE, BELOW = 0.26, 0.5  # a panel's head, and its axis
MARKS = 0.72  # inches right of a panel for verdicts and tags, at least
MARK = 0.058  # inches of one of their letters
LETTER = 0.066


@dataclass
class Panel:
    """One column of one metric: its cells by line."""

    column: str
    cells: dict[Key, Placed]


@dataclass
class Block:
    """The panels of one metric, which have their lines in common. `lines` are keys, or a split's label alone."""

    lines: list[Key | str]
    panels: list[Panel]

    @property
    def height(self) -> float:
        """Inches of one panel with head and axis."""
        return ABOVE + LINE * len(self.lines) + BELOW

    @property
    def rows(self) -> int:
        return math.ceil(len(self.panels) / ACROSS)


def draw_table(content: Content, origin: Origin) -> Sheet:
    """The chart of a table. Raises TooLarge."""
    placed = list(cells(content))
    blocks = _blocks(placed)
    _bound(blocks, len(placed))
    title, subtitle = heading(content, WIDTH)
    foot = footing(_explained(content, placed), content, origin, WIDTH)
    panels = sum(block.height * block.rows for block in blocks)
    if panels > HIGHEST:
        raise TooLarge(f"a picture {panels:.0f} inches high cannot be read; choose fewer tests, sizes or runs")
    top = MARGIN + height_of(title, 11) + height_of(subtitle, 8) + 0.12
    on = sheet(WIDTH, top + panels + height_of(foot, SMALL) + 2 * MARGIN)
    top = write_heading(on, title, subtitle)
    styles = _styles(placed)
    # As on the page: `1 MiB records`, not `1 MiB`.
    said = [grid.label for grid in grids_of(show_table(content))]
    splits = dict(zip((group["label"] for group in content["groups"]), said, strict=True))
    across = max(2, min(ACROSS, max((len(block.panels) for block in blocks), default=1)))
    for block in blocks:
        _draw_block(on, top, block, styles, splits, across)
        top += block.height * block.rows
    write_footing(on, foot)
    return on


def _bound(blocks: Sequence[Block], marks: int) -> None:
    panels = sum(len(block.panels) for block in blocks)
    if panels > MOST_PANELS or marks > MOST_MARKS:
        raise TooLarge(
            f"a picture of {panels} columns and {marks} cells cannot be read ({MOST_PANELS} and {MOST_MARKS} at most);"
            " choose fewer tests, sizes or runs"
        )


def _blocks(placed: Sequence[Placed]) -> list[Block]:
    found: dict[str, dict[str, Panel]] = {}
    keys: dict[str, dict[Key, None]] = {}
    for each in placed:
        metric = each.measure.metric
        panel = found.setdefault(metric, {}).setdefault(each.column, Panel(each.column, {}))
        panel.cells[each.split, each.row] = each
        keys.setdefault(metric, {})[each.split, each.row] = None
    return [Block(_lines(list(keys[metric])), list(panels.values())) for metric, panels in found.items()]


def _lines(keys: Sequence[Key]) -> list[Key | str]:
    """The lines from top to bottom, every split under its label."""
    lines: list[Key | str] = []
    split = ""
    for key in keys:
        if key[0] != split:
            split = key[0]
            lines.append(split)
        lines.append(key)
    return lines


def _styles(placed: Sequence[Placed]) -> dict[str, Style]:
    """Colour and marker of each row; of more than seven all look the same, their labels tell them apart."""
    rows = list(dict.fromkeys(each.row for each in placed))
    if len(rows) > len(SERIES):
        return dict.fromkeys(rows, (BLUE, "o"))
    return dict(zip(rows, zip(SERIES, MARKERS, strict=True), strict=False))


def _draw_block(
    on: Sheet, top: float, block: Block, styles: dict[str, Style], splits: dict[str, str], across: int
) -> None:
    labels = [short(splits[line] if isinstance(line, str) else line[1]) for line in block.lines]
    left = MARGIN + LETTER * max(map(len, labels)) + 0.08
    width = (WIDTH - MARGIN - left) / across
    longest = max(len(figure(show_cell(each.cell)).marks) for panel in block.panels for each in panel.cells.values())
    marks = min(max(MARKS, MARK * longest + 0.1), width / 2)
    for i, panel in enumerate(block.panels):
        row, column = divmod(i, ACROSS)
        place = (left + column * width, top + row * block.height + ABOVE, width - marks, LINE * len(block.lines))
        axes: Any = on.axes(*place)
        draw_panel(axes, block.lines, panel.column, panel.cells, styles)
        if column == 0:
            _label_lines(axes, block.lines, labels)


def _label_lines(axes: Axes, lines: Sequence[Key | str], labels: Sequence[str]) -> None:
    for y, (line, label) in enumerate(zip(lines, labels, strict=True)):
        weight = "bold" if isinstance(line, str) else "normal"
        axes.annotate(
            label, (0, y), (-5, 0), xycoords=axes.get_yaxis_transform(), textcoords="offset points",
            ha="right", va="center", fontweight=weight, color=INK,
        )  # fmt: skip


def _explained(content: Content, placed: Sequence[Placed]) -> list[str]:
    """What the marks mean: dots, bars, line, signs."""
    measured = [each.cell for each in placed]
    counts = ", ".join(dict.fromkeys(group["n"] for group in content["groups"] if group["n"]))
    best = any(cell.get("best") for cell in measured)
    filled = " (filled: the best, or tied for it)" if best else ""
    bars = any(cell["low"] is not None for cell in measured)
    means = (
        f"Marker: mean{filled}{'; bar: its 95 % interval' if bars else ''}; dashed: {content['baseline']}. {counts}."
    )
    signs = [text for text in method.legend(content, measured) if "{best}" not in text]
    signs = [text.replace("see the notes", "a warning, told at the address below") for text in signs]
    return [means, " ".join(signs), *method.tests(content, measured), *method.of_all_verdicts(measured)]

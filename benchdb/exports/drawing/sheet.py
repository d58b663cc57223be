"""A sheet with title, subtitle, legend and foot, and room for a drawing between them."""

from __future__ import annotations

from collections.abc import Sequence

from benchdb.compare.table.charts.chart import ChartSeries
from benchdb.exports.contents import Content
from benchdb.exports.origin import Origin
from benchdb.exports.printed import method
from benchdb.exports.printed.compose import doubts

from .fonts import shorten, text_width, wrap
from .style import FAINT, INK, MARGIN, SERIES, SIZE, SMALL
from .svg import LINE, MIDDLE, Drawing

TITLE_SIZE = 11.0
GAP = 8.0  # between the parts of a sheet
LONGEST_ADDRESS = 150  # characters
LONGEST_LABEL = 170.0  # of the legend
HANDLE, BETWEEN, LEGEND = 18.0, 16.0, 13.0  # of the legend: a sample, the space after a label, a line's height


def lay_out(
    content: Content,
    origin: Origin,
    explanations: list[str],
    height: float,
    *,
    width: float,
    legend: Sequence[ChartSeries] = (),
) -> tuple[Drawing, float]:
    """A sheet, and the top of the room for a drawing of this width and height.

    `explanations` of marks begin the foot; version and source follow.
    """
    inside = width - 2 * MARGIN
    title = wrap(content.title, inside, TITLE_SIZE, bold=True)
    subtitle = wrap(content.subtitle, inside, SIZE)
    foot = [line for text in _foot(content, origin, explanations) for line in wrap(text, inside, SMALL)]
    places = _legend_places(legend, inside)
    legend_height = LEGEND * (places[-1][1] + 1) + GAP / 2 if places else 0.0
    subtitle_top = MARGIN + len(title) * TITLE_SIZE * LINE
    legend_top = subtitle_top + len(subtitle) * SIZE * LINE + GAP / 2
    top = legend_top + legend_height
    foot_top = top + height + GAP
    sheet = Drawing(width, foot_top + len(foot) * SMALL * LINE + MARGIN, content.title)
    sheet.texts(MARGIN, MARGIN, title, TITLE_SIZE, INK, bold=True)
    sheet.texts(MARGIN, subtitle_top, subtitle, SIZE, FAINT)
    sheet.texts(MARGIN, foot_top, foot, SMALL, FAINT)
    for (x, row), each in zip(places, legend, strict=True):
        draw_sample(sheet, MARGIN + x, legend_top + (row + 0.5) * LEGEND, each, SIZE, LONGEST_LABEL)
    return sheet, top


def draw_sample(sheet: Drawing, x: float, y: float, each: ChartSeries, size: float, room: float) -> None:
    """A piece of a series' line with its mark, and its label behind, at most `room` wide."""
    sheet.line([(x, y), (x + 14, y)], SERIES[each.colour - 1])
    sheet.marker(each.colour, x + 7, y, 4.2, SERIES[each.colour - 1])
    sheet.text(x + HANDLE, y, shorten(each.label, room, size), size, drop=MIDDLE)


def _legend_places(legend: Sequence[ChartSeries], room: float) -> list[tuple[float, int]]:
    """Where each series begins in points from the left, and its line from 0."""
    places, x, row = list[tuple[float, int]](), 0.0, 0
    for each in legend:
        width = HANDLE + text_width(shorten(each.label, LONGEST_LABEL, SIZE), SIZE)
        if x and x + width > room:
            x, row = 0.0, row + 1
        places.append((x, row))
        x += width + BETWEEN
    return places


def _foot(content: Content, origin: Origin, explanations: list[str]) -> list[str]:
    address = origin.address if len(origin.address) < LONGEST_ADDRESS else origin.address.partition("?")[0] + "?…"
    source = f"{method.versions(content)} {address} {origin.sentence}"
    return [*origin.notices, *doubts(content), *explanations, source]

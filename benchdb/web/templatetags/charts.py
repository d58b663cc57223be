"""The fields of charts as SVG (web/partials/chart.html). Written here, because a chart may have hundreds of marks.

Attributes have no quotes where HTML can spare them: they would be a tenth of the charts of a large table.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString

from benchdb.compare.table.charts.shown import HEIGHT, ShownMark, ShownPanel, ShownTick

register = template.Library()

AXIS = 20  # pixels of the labels under a panel


@register.filter
def rows_field(panel: ShownPanel, chosen: str | None) -> SafeString:
    """The rows of a panel: a label and a drawing each, and below them the labels of the ticks."""
    rules = "".join(f"<line class={_rule(tick)} x1={tick.at} x2={tick.at} y2=100% />" for tick in panel.ticks)
    rows = "".join(
        f'<span class="row-label">{escape(row.label)}</span>'
        f'<svg height="{row.height}">{rules}{_marks(row.marks, chosen)}</svg>'
        for row in panel.rows
    )
    labels = "".join(f"<text x={tick.at} y=13>{escape(tick.text)}</text>" for tick in panel.ticks)
    return SafeString(f'<div class="rows">{rows}<span></span><svg class="ticks" height="{AXIS}">{labels}</svg></div>')


@register.filter
def ordered_field(panel: ShownPanel, chosen: str | None) -> SafeString:
    """The labels of the ticks on the left, and the lines and marks, with the labels of positions under them."""
    ticks = "".join(f"<text x=100% y={tick.at} dy=0.35em>{escape(tick.text)}</text>" for tick in panel.ticks)
    rules = "".join(f"<line class={_rule(tick)} x2=100% y1={tick.at} y2={tick.at} />" for tick in panel.ticks)
    lines = "".join(
        f"<g class=of-{colour}>{''.join(_line(each.x1, each.y1, each.x2, each.y2) for each in of_colour)}</g>"
        for colour, of_colour in groupby(panel.segments, lambda segment: segment.colour)
    )
    labels = "".join(
        f"<text x={position.at} y={HEIGHT + 14}>{escape(position.text)}</text>" for position in panel.positions
    )
    height = HEIGHT + AXIS
    return SafeString(
        f'<div class="plane"><svg class="levels" height="{height}">{ticks}</svg>'
        f'<svg class="ticks" height="{height}">{rules}{lines}{_marks(panel.marks, chosen)}{labels}</svg></div>'
    )


def _rule(tick: ShownTick) -> str:
    return '"rule one"' if tick.one else "rule"


def _line(x1: str, y1: str, x2: str, y2: str) -> str:
    return f"<line x1={x1} y1={y1} x2={x2} y2={y2} />"


def _marks(marks: Iterable[ShownMark], chosen: str | None) -> str:
    return "".join(_mark(mark, mark.key == chosen) for mark in marks)


def _mark(mark: ShownMark, chosen: bool) -> str:
    more = f"{'' if mark.filled else ' hollow'}{' pale' if mark.pale else ''}{' chosen' if chosen else ''}"
    classes = f'"of-{mark.colour}{more}"' if more else f"of-{mark.colour}"
    whisker = _line(mark.x1, mark.y1, mark.x2, mark.y2) if mark.whisker else ""
    return (
        f'<a class={classes} href="{escape(mark.href)}" data-cell=c{mark.key} tabindex=-1>{whisker}'
        f"<use href=#mark-{mark.colour} x={mark.x} y={mark.y} /></a>"
    )
